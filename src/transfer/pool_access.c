/* transfer/pool_access.c: the pool that a transfer uses, with the locks and the guard around its use
 * (transfer/share.h). */
#include "net/pool.h"
#include "transfer/callback.h"
#include "transfer/connect.h"
#include "transfer/multi.h"
#include "transfer/share.h"
#include "transfer/transfer.h"

struct mote_pool *mote_transfer_pool(struct mote_transfer *t)
{
  const struct mote_share *share = mote_share_of(t);
  return share && share->pool ? share->pool : &t->multi->pool;
}

void mote_pool_visit_begin(struct mote_transfer *t, struct mote_pool_visit *v)
{
  const struct mote_share *share = mote_share_of(t);
  struct mote_callback_guard before;
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  before = mote_callback_enter(t);
  v->transfer = before.transfer;
  v->multi = before.multi;
  v->shared = share && share->pool;
  mote_list_init(&v->leaving);
}

void mote_pool_visit_end(struct mote_transfer *t, struct mote_pool *pool, struct mote_pool_visit *v)
{
  if(v->shared) {
    mote_pool_take_leaving(pool, &v->leaving);
    mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
    mote_pool_close_leaving(&v->leaving);
  }
  mote_callback_leave(t, (struct mote_callback_guard){v->transfer, v->multi});
}
