/* transfer/callback.h: around every call into the application.
 *
 * While a callback runs, functions that would re-enter the same handle or multi refuse
 * (CURLE_RECURSIVE_API_CALL, CURLM_RECURSIVE_API_CALL). */
#ifndef MOTE_TRANSFER_CALLBACK_H
#define MOTE_TRANSFER_CALLBACK_H

#include "transfer/multi.h"
#include "transfer/transfer.h"

struct mote_callback_guard {
  bool transfer; /* the flags before the call */
  bool multi;
};

static inline struct mote_callback_guard mote_callback_enter(struct mote_transfer *t)
{
  struct mote_callback_guard before = {t->in_callback, t->multi && t->multi->in_callback};
  t->in_callback = true;
  if(t->multi)
    t->multi->in_callback = true;
  return before;
}

static inline void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before)
{
  t->in_callback = before.transfer;
  if(t->multi)
    t->multi->in_callback = before.multi;
}

#endif
