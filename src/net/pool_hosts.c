/* net/pool_hosts.c: hosts of a pool (net/pool_hosts.h). */
#include "net/pool_hosts.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/pool.h"

#define PORT_MOST 7u /* bytes of ":65535" and NUL, which follow a host's name */

static struct mote_account *pool_hosts_account(const struct mote_pool *p)
{
  return p->by_key.account;
}

static size_t pool_hosts_size(size_t text)
{
  return sizeof(struct mote_pool_host) + text;
}

struct mote_pool_host *mote_pool_hosts_find(const struct mote_pool *p, const char *host)
{
  size_t size = strlen(host) + 1;
  uint32_t hash = mote_hash_bytes(host, size, 0);
  struct mote_hash_node *n;
  for(n = mote_hash_chain(&p->hosts->by_host, hash); n; n = n->next) {
    struct mote_pool_host *h = mote_container_of(n, struct mote_pool_host, node);
    if(n->hash == hash && h->size == size && !memcmp(h->host, host, size))
      return h;
  }
  return NULL;
}

struct mote_pool_host *mote_pool_hosts_get(struct mote_pool *p, const char *host)
{
  size_t size = strlen(host) + 1;
  struct mote_pool_host *h = mote_pool_hosts_find(p, host);
  if(h)
    return h;
  h = mote_mem_zalloc(pool_hosts_account(p), MOTE_PART_CONN, pool_hosts_size(size));
  if(!h)
    return NULL;
  mote_list_init(&h->waiting);
  mote_list_init(&h->link);
  mote_list_append(&p->hosts->all, &h->link);
  h->size = (uint32_t)size & INT32_MAX;
  memcpy(h->host, host, size);
  mote_hash_insert(&p->hosts->by_host, &h->node, mote_hash_bytes(host, size, 0));
  return h;
}

static void pool_hosts_drop(struct mote_pool *p, struct mote_pool_host *h)
{
  mote_hash_remove(&p->hosts->by_host, &h->node);
  mote_list_remove(&h->link);
  mote_mem_free(pool_hosts_account(p), MOTE_PART_CONN, h, pool_hosts_size(h->size));
}

void mote_pool_hosts_tidy(struct mote_pool *p, struct mote_pool_host *h)
{
  if((!h->count || p->hosts->uncounted) && mote_list_empty(&h->waiting))
    pool_hosts_drop(p, h);
}

/* ---- counting ---- */

void mote_pool_hosts_count(struct mote_pool *p, const struct mote_conn *c, int by)
{
  struct mote_pool_host *h;
  if(!p->hosts || p->hosts->uncounted)
    return;
  h = mote_pool_hosts_get(p, mote_conn_key(c));
  if(!h) {
    p->hosts->uncounted = true;
    return;
  }
  h->count += (uint32_t)by;
  mote_pool_hosts_tidy(p, h);
}

void mote_pool_hosts_count_idle(struct mote_pool *p, const struct mote_conn *c, int by)
{
  if(p->hosts && !p->hosts->uncounted)
    mote_pool_hosts_find(p, mote_conn_key(c))->idle += (uint32_t)by;
}

static void pool_hosts_count_all(struct mote_pool *p, const struct mote_list *list)
{
  const struct mote_list *l;
  for(l = list->next; l != list; l = l->next) {
    const struct mote_conn *c = mote_container_of(l, const struct mote_conn, link);
    if(c->leaving)
      continue;
    mote_pool_hosts_count(p, c, 1);
    if(c->pooled_idle)
      mote_pool_hosts_count_idle(p, c, 1);
  }
}

/* ---- the table ---- */

bool mote_pool_hosts_open(struct mote_pool *p)
{
  if(p->hosts)
    return true;
  p->hosts = mote_mem_zalloc(pool_hosts_account(p), MOTE_PART_CONN, sizeof *p->hosts);
  if(!p->hosts)
    return false;
  mote_hash_init(&p->hosts->by_host, pool_hosts_account(p));
  mote_list_init(&p->hosts->all);
  pool_hosts_count_all(p, &p->idle);
  pool_hosts_count_all(p, &p->busy);
  return true;
}

const struct mote_pool_host *mote_pool_hosts_counts(struct mote_pool *p, const char *host)
{
  static const struct mote_pool_host none;
  const struct mote_pool_host *h;
  if(!mote_pool_hosts_open(p) || p->hosts->uncounted)
    return NULL;
  h = mote_pool_hosts_find(p, host);
  return h ? h : &none;
}

void mote_pool_hosts_close(struct mote_pool *p)
{
  if(!p->hosts)
    return;
  while(!mote_list_empty(&p->hosts->all))
    pool_hosts_drop(p, mote_container_of(p->hosts->all.next, struct mote_pool_host, link));
  mote_hash_close(&p->hosts->by_host);
  mote_mem_free(pool_hosts_account(p), MOTE_PART_CONN, p->hosts, sizeof *p->hosts);
  p->hosts = NULL;
}

void mote_pool_hosts_ceiling(const struct mote_pool *p, uint32_t more, size_t host_len,
                             struct mote_ceiling *c)
{
  mote_ceiling_add(c, more, mote_ceiling_sum(pool_hosts_size(PORT_MOST), host_len));
  mote_ceiling_add(c, 1, sizeof *p->hosts);
  mote_hash_ceiling(p->hosts ? &p->hosts->by_host : NULL, more, c);
}
