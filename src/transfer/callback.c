/* transfer/callback.c: the guard around every callback. */
#include "transfer/callback.h"

#include "transfer/multi.h"
#include "transfer/transfer.h"

struct mote_callback_guard mote_callback_enter(struct mote_transfer *t)
{
  struct mote_callback_guard before = {t->in_callback, t->multi ? t->multi->in_callback : MOTE_CALLBACK_NONE};
  t->in_callback = true;
  if(t->multi)
    t->multi->in_callback = MOTE_CALLBACK_TRANSFER;
  return before;
}

void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before)
{
  t->in_callback = before.transfer;
  if(t->multi)
    t->multi->in_callback = before.multi;
}
