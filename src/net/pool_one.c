/* net/pool_one.c: one connection at a time (without part pool). */
#include "net/pool.h"

#include "net/conn.h"

void mote_pool_init(struct mote_pool *p, struct mote_account *account)
{
  p->idle = NULL;
  p->account = account;
  p->next_id = 0;
}

void mote_pool_close(struct mote_pool *p)
{
  if(p->idle)
    mote_conn_close(p->idle, true);
  p->idle = NULL;
}
