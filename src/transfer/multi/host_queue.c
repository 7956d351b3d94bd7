/* transfer/multi/host_queue.c: transfers that wait for their host (transfer/multi/host_queue.h). */
#include "transfer/multi/host_queue.h"

#include <string.h>

#include "base/memory.h"
#include "net/conn.h"
#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

struct host_queue {
  struct mote_hash_node node; /* in by_host */
  struct mote_list link;      /* in all */
  struct mote_list waiting;   /* transfers, the one that has waited longest first */
  uint32_t size;              /* bytes of the host with its NUL */
  char host[];
};

/* Made when the first transfer waits for its host. */
struct mote_host_queues {
  struct mote_hash by_host;
  struct mote_list all;
};

static struct host_queue *host_queue_of_link(const struct mote_list *link)
{
  return mote_container_of(link, struct host_queue, link);
}

static struct host_queue *host_queue_find(const struct mote_host_queues *all, const char *host)
{
  size_t size = strlen(host) + 1;
  uint32_t hash = mote_hash_bytes(host, size, 0);
  struct mote_hash_node *n;
  for(n = mote_hash_chain(&all->by_host, hash); n; n = n->next) {
    struct host_queue *q = mote_container_of(n, struct host_queue, node);
    if(n->hash == hash && q->size == size && !memcmp(q->host, host, size))
      return q;
  }
  return NULL;
}

/* NULL: out of memory. */
static struct host_queue *host_queue_make(struct mote_multi *m, const char *host)
{
  size_t size = strlen(host) + 1;
  struct host_queue *q = mote_mem_alloc(&m->account, MOTE_PART_MULTI, sizeof *q + size);
  if(!q)
    return NULL;
  mote_list_init(&q->waiting);
  mote_list_init(&q->link);
  mote_list_append(&m->hosts->all, &q->link);
  q->size = (uint32_t)size;
  memcpy(q->host, host, size);
  mote_hash_insert(&m->hosts->by_host, &q->node, mote_hash_bytes(host, size, 0));
  return q;
}

static void host_queue_drop(struct mote_multi *m, struct host_queue *q)
{
  mote_hash_remove(&m->hosts->by_host, &q->node);
  mote_list_remove(&q->link);
  mote_mem_free(&m->account, MOTE_PART_MULTI, q, sizeof *q + q->size);
}

static bool host_queue_open(struct mote_multi *m)
{
  if(m->hosts)
    return true;
  m->hosts = mote_mem_alloc(&m->account, MOTE_PART_MULTI, sizeof *m->hosts);
  if(!m->hosts)
    return false;
  mote_hash_init(&m->hosts->by_host, &m->account);
  mote_list_init(&m->hosts->all);
  return true;
}

CURLcode mote_schedule_wait_for_host(struct mote_transfer *t, const char *host)
{
  struct mote_multi *m = t->multi;
  struct host_queue *q;
  if(!host_queue_open(m))
    return CURLE_OUT_OF_MEMORY;
  q = host_queue_find(m->hosts, host);
  if(!q)
    q = host_queue_make(m, host);
  if(!q)
    return CURLE_OUT_OF_MEMORY;
  t->host_turn = false;
  mote_schedule_move(m, t, MOTE_LIST_QUEUED);
  mote_list_move(&q->waiting, &t->link);
  return CURLE_OK;
}

static void host_queue_wake_first(struct mote_multi *m, const struct host_queue *q)
{
  struct mote_transfer *t = mote_container_of(q->waiting.next, struct mote_transfer, link);
  t->host_turn = true;
  mote_schedule_move(m, t, MOTE_LIST_READY);
}

void mote_schedule_wake_host(struct mote_multi *m, const char *host)
{
  struct host_queue *q = m->hosts ? host_queue_find(m->hosts, host) : NULL;
  if(q && !mote_list_empty(&q->waiting))
    host_queue_wake_first(m, q);
  if(q && mote_list_empty(&q->waiting))
    host_queue_drop(m, q);
}

void mote_schedule_offer(struct mote_multi *m, const struct mote_conn *c)
{
  mote_schedule_wake_host(m, mote_conn_key(c));
  mote_schedule_wake_queued(m);
}

void mote_host_queue_wake_all(struct mote_multi *m)
{
  while(m->hosts && !mote_list_empty(&m->hosts->all)) {
    struct host_queue *q = host_queue_of_link(m->hosts->all.next);
    while(!mote_list_empty(&q->waiting))
      host_queue_wake_first(m, q);
    host_queue_drop(m, q);
  }
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
  if(!m->hosts)
    return NULL;
  next = list ? mote_container_of(list, const struct host_queue, waiting)->link.next : m->hosts->all.next;
  return next == &m->hosts->all ? NULL : &host_queue_of_link(next)->waiting;
}

void mote_host_queue_close(struct mote_multi *m)
{
  mote_host_queue_wake_all(m);
  if(!m->hosts)
    return;
  mote_hash_close(&m->hosts->by_host);
  mote_mem_free(&m->account, MOTE_PART_MULTI, m->hosts, sizeof *m->hosts);
  m->hosts = NULL;
}
