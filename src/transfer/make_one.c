/* transfer/make_one.c: the only connection is made (without part pool). */
#include "net/conn.h"
#include "net/pool.h"
#include "transfer/connect.h"
#include "transfer/engine.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static void wake_user(struct mote_watch *w, unsigned events)
{
  struct mote_conn *c = mote_container_of(w, struct mote_conn, tcp.watch);
  c->events |= (uint8_t)events;
  if(w->user)
    mote_transfer_wake(w->user);
}

CURLcode mote_connect_make(struct mote_transfer *t, const char *key, size_t key_len, mote_time now)
{
  struct mote_pool *pool = mote_multi_pool(t->multi);
  struct mote_conn_plan plan = {
    .key = key, .key_len = key_len,
    .state_size = (t->run->scheme->protocol->conn_size + 7) & ~(size_t)7,
  };
  CURLcode rc = mote_conn_new(&pool->idle, pool->account, &plan);
  (void)now;
  if(rc)
    return rc;
  pool->idle->tcp.watch.ready = wake_user;
  pool->idle->set = mote_multi_waitset(t->multi);
  pool->idle->id = pool->next_id++;
  return CURLE_OK;
}
