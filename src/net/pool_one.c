/* net/pool_one.c: one connection at a time (without part pool). */
#include "net/pool.h"

#include <string.h>

#include "net/conn.h"

void mote_pool_init(struct mote_pool *p, struct mote_account *account)
{
  memset(p, 0, sizeof *p);
  p->account = account;
}

void mote_pool_ceiling(const struct mote_pool *p, uint32_t more, struct mote_ceiling *c)
{
  (void)p;
  (void)more;
  (void)c;
}

void mote_pool_discard(struct mote_pool *p, struct mote_conn *c, bool polite)
{
  if(c == p->idle)
    p->idle = NULL;
  else
    p->busy = NULL;
  p->count--;
  mote_conn_close(c, polite);
}

void mote_pool_close(struct mote_pool *p)
{
  if(p->idle)
    mote_pool_discard(p, p->idle, true);
  if(p->busy)
    mote_pool_discard(p, p->busy, true);
}

/* A new connection is wanted: the kept one was of no use, and two would be too many. */
void mote_pool_add(struct mote_pool *p, struct mote_conn *c)
{
  if(p->idle)
    mote_pool_discard(p, p->idle, true);
  c->id = p->next_id++;
  p->busy = c;
  p->count++;
}
