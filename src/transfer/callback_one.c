/* transfer/callback_one.c: the guard around every callback, where there is no multi interface. */
#include "transfer/callback.h"

#include "transfer/transfer.h"

struct mote_callback_guard mote_callback_enter(struct mote_transfer *t)
{
  struct mote_callback_guard before = {t->in_callback, 0};
  t->in_callback = true;
  return before;
}

void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before)
{
  t->in_callback = before.transfer;
}
