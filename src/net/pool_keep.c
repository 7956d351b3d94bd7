/* net/pool_keep.c: the one connection that is kept for the next request (part reuse without part pool). */
#include <string.h>

#include "net/conn.h"
#include "net/pool.h"

static bool fits(const struct mote_conn *c, const struct mote_pool_query *q)
{
  int32_t idle = (int32_t)(mote_conn_seconds(q->now) - c->last_used); /* below 0: stamped ahead of now */
  return c->key_len == q->key_len && !memcmp(mote_conn_key(c), q->key, q->key_len) &&
         !(q->max_idle && idle > (int32_t)q->max_idle);
}

struct mote_conn *mote_pool_take(struct mote_pool *p, const struct mote_pool_query *q)
{
  struct mote_conn *c = p->idle;
  if(!c || !fits(c, q) || !mote_conn_alive(c))
    return NULL; /* mote_pool_add() closes it */
  p->idle = NULL;
  p->busy = c;
  return c;
}

void mote_pool_release(struct mote_pool *p, struct mote_conn *c, uint32_t max_kept, mote_time now)
{
  if(!c->reusable || !max_kept) {
    mote_pool_discard(p, c, c->reusable);
    return;
  }
  c->last_used = mote_conn_seconds(now);
  p->busy = NULL;
  p->idle = c;
  if(c->top->ops->idle)
    c->top->ops->idle(c->top);
}
