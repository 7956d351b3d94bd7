/* transfer/attach.c: how a transfer and a connection become each other's. */
#include "net/conn.h"
#include "net/pool.h"
#include "transfer/connect.h"
#include "transfer/multi.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static void wake_user(struct mote_watch *w, unsigned events)
{
  struct mote_conn *c = mote_container_of(w, struct mote_conn, tcp.watch);
  c->events |= (uint8_t)events;
  if(w->user)
    mote_transfer_wake(w->user);
  else /* an idle connection has ended, or TLS has something to say */
    mote_multi_prune_soon(c->set);
}

void mote_connect_take(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_run *r = t->run;
  struct mote_waitset *set = &t->multi->set;
  if(mote_conn_fd(c) != CURL_SOCKET_BAD) { /* kept: where it goes is known */
    if(!c->set)
      mote_watch_add(set, &c->tcp.watch, mote_conn_fd(c));
    r->primary = c->remote;
    r->local = c->local;
  }
  r->conn = c;
  r->conn_id = c->id;
  c->env.report = &t->report;
  c->tcp.watch.user = t;
  c->set = set;
  mote_connect_use_sessions(t, c);
}

CURLcode mote_connect_make(struct mote_transfer *t, const char *key, size_t key_len, mote_time now)
{
  struct mote_pool *pool = mote_transfer_pool(t);
  struct mote_conn *c;
  struct mote_conn_closer closer = {
    .fn = (curl_closesocket_callback)mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION),
    .data = mote_opt_ptr(&t->options, CURLOPT_CLOSESOCKETDATA),
  };
  struct mote_conn_plan plan = {
    .key = key, .key_len = key_len, .state_size = (t->run->scheme->protocol->conn_size + 7) & ~(size_t)7,
    .closer = closer.fn ? &closer : NULL,
  };
  CURLcode rc = mote_conn_new(&c, pool->account, &plan);
  if(rc)
    return rc;
  c->created = mote_conn_seconds(now);
  c->last_used = c->created;
  c->tcp.watch.ready = wake_user;
  c->connect_only = mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) != 0;
  mote_pool_add(pool, c);
  mote_connect_take(t, c);
  t->run->reused = false;
  return CURLE_OK;
}
