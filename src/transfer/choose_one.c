/* transfer/choose_one.c: one connection at a time: the kept one, or a new one in its place (without part
 * pool). */
#include <string.h>

#include "net/conn.h"
#include "net/pool.h"
#include "transfer/connect.h"
#include "transfer/engine.h"
#include "transfer/identity.h"
#include "transfer/transfer.h"

#define OLDEST 118 /* seconds: what CURLOPT_MAXAGE_CONN is where there is one */

static bool fits(struct mote_conn *c, const struct mote_identity *id, mote_time now)
{
  return c->key_len == id->len && !memcmp(mote_conn_key(c), id->key, id->len) &&
         (int32_t)(mote_conn_seconds(now) - c->last_used) <= OLDEST && mote_conn_alive(c);
}

CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now)
{
  struct mote_pool *pool = mote_multi_pool(t->multi);
  struct mote_conn *c = pool->idle;
  struct mote_run *r = t->run;
  struct mote_identity id;
  CURLcode rc = mote_identity_make(t, &id);
  if(rc)
    return rc;
  r->reused = c && !r->fresh && fits(c, &id, now);
  if(!r->reused) {
    mote_pool_close(pool);
    rc = mote_connect_make(t, id.key, id.len, now);
    if(rc)
      return rc;
  }
  else
    mote_watch_add(c->set, &c->tcp.watch, mote_conn_fd(c));
  c = pool->idle;
  r->conn = c;
  r->conn_id = c->id;
  c->env.report = &t->report;
  c->tcp.watch.user = t;
  mote_connect_use_sessions(t, c);
  return CURLE_OK;
}
