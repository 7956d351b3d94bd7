/* transfer/multi/host_queue.c: transfers that wait for their host (transfer/multi/host_queue.h). */
#include "transfer/multi/host_queue.h"

#include "net/conn.h"
#include "net/pool_hosts.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"
#include "transfer/transfer.h"

CURLcode mote_schedule_wait_for_host(struct mote_transfer *t, const char *host)
{
  struct mote_multi *m = t->multi;
  struct mote_pool_host *h = mote_pool_hosts_open(&m->pool) ? mote_pool_hosts_get(&m->pool, host) : NULL;
  if(!h)
    return CURLE_OUT_OF_MEMORY;
  t->host_turn = false;
  h->mixed = mote_schedule_mixes(&h->waiting, t, h->mixed);
  mote_schedule_move(m, t, MOTE_LIST_QUEUED);
  mote_list_move(&h->waiting, &t->link);
  if(m->max_total) /* the turn of one that came from the queue, which may suit the next */
    mote_schedule_pass_on(m, mote_share_waits(t));
  return CURLE_OK;
}

static struct mote_transfer *host_queue_first(const struct mote_pool_host *h)
{
  return mote_container_of(h->waiting.next, struct mote_transfer, link);
}

/* The first one, which leaves the queue now. */
static struct mote_transfer *host_queue_give_turn(const struct mote_pool_host *h)
{
  struct mote_transfer *t = host_queue_first(h);
  t->host_turn = true;
  return t;
}

static void host_queue_wake_first(struct mote_multi *m, const struct mote_pool_host *h)
{
  mote_schedule_wake_next(m, host_queue_give_turn(h));
}

static void host_queue_wake(struct mote_multi *m, struct mote_pool_host *h)
{
  if(mote_list_empty(&h->waiting))
    return;
  if(MOTE_HAS_SHARE && h->mixed)
    mote_schedule_wake_firsts(m, &h->waiting, true);
  else
    host_queue_wake_first(m, h);
}

static void host_queue_wake_shared(struct mote_multi *m, struct mote_pool_host *h)
{
  if(!mote_list_empty(&h->waiting) && (h->mixed || mote_share_waits(host_queue_first(h))))
    host_queue_wake(m, h);
}

static void host_queue_wake_each(struct mote_multi *m, struct mote_pool_host *h)
{
  while(!mote_list_empty(&h->waiting))
    mote_schedule_move(m, host_queue_give_turn(h), MOTE_LIST_READY);
}

void mote_schedule_wake_host(struct mote_multi *m, const char *host)
{
  struct mote_pool_host *h = m->pool.hosts ? mote_pool_hosts_find(&m->pool, host) : NULL;
  if(!h)
    return;
  host_queue_wake(m, h);
  mote_pool_hosts_tidy(&m->pool, h);
}

void mote_schedule_offer(struct mote_multi *m, const struct mote_conn *c)
{
  mote_schedule_wake_host(m, mote_conn_key(c));
  mote_schedule_offer_queued(m);
}

static struct mote_pool_host *host_queue_of_link(const struct mote_list *link)
{
  return mote_container_of(link, struct mote_pool_host, link);
}

static void host_queue_at_each_host(struct mote_multi *m,
                                    void (*wake)(struct mote_multi *m, struct mote_pool_host *h))
{
  const struct mote_list *all = m->pool.hosts ? &m->pool.hosts->all : NULL;
  const struct mote_list *l = all ? all->next : NULL, *next;
  for(; l != all; l = next) {
    struct mote_pool_host *h = host_queue_of_link(l);
    next = l->next;
    wake(m, h);
    mote_pool_hosts_tidy(&m->pool, h);
  }
}

void mote_host_queue_wake_all(struct mote_multi *m)
{
  host_queue_at_each_host(m, host_queue_wake_each);
}

void mote_schedule_wake_shared_hosts(struct mote_multi *m)
{
  host_queue_at_each_host(m, host_queue_wake_shared);
}

void mote_schedule_leave_host(struct mote_transfer *t)
{
  if(!t->host_turn)
    return;
  t->host_turn = false;
  mote_host_queue_wake_all(t->multi);
}

const struct mote_list *mote_host_queue_next(const struct mote_multi *m, const struct mote_list *list)
{
  const struct mote_list *next;
  if(!m->pool.hosts)
    return NULL;
  next = list ? mote_container_of(list, const struct mote_pool_host, waiting)->link.next
              : m->pool.hosts->all.next;
  return next == &m->pool.hosts->all ? NULL : &host_queue_of_link(next)->waiting;
}
