/* transfer/share.c: locks around shared data. */
#include "transfer/share.h"

#include <stdbool.h>
#include <stddef.h>

#include "transfer/callback.h"
#include "transfer/transfer.h"

static bool shares(const struct mote_share *s, curl_lock_data data)
{
  if(!s)
    return false;
  return data == CURL_LOCK_DATA_CONNECT     ? s->pool != NULL
         : data == CURL_LOCK_DATA_DNS         ? s->names != NULL
         : data == CURL_LOCK_DATA_SSL_SESSION ? s->sessions != NULL
                                              : false;
}

void mote_share_lock(struct mote_transfer *t, curl_lock_data data)
{
  struct mote_callback_guard g;
  if(!shares(t->share, data))
    return;
  g = mote_callback_enter(t);
  t->share->lock(t->share, t->msg.easy_handle, data);
  mote_callback_leave(t, g);
}

void mote_share_unlock(struct mote_transfer *t, curl_lock_data data)
{
  struct mote_callback_guard g;
  if(!shares(t->share, data))
    return;
  g = mote_callback_enter(t);
  t->share->unlock(t->share, t->msg.easy_handle, data);
  mote_callback_leave(t, g);
}
