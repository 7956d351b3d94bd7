/* small/pool.c: one connection at a time, the kept one where it leads to the same place or a new one that
 * replaces it.
 *
 * Connections differ by host, port, scheme and TLS. */
#include "net/pool.h"

#include <string.h>

#include "base/text.h"
#include "connect/dial/dial.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "port/port.h"
#include "small/trust.h"
#include "transfer/multi/multi.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define HOST_MAX 255u /* bytes of a host name (RFC 1035 section 2.3.4) */
#define OLDEST 118    /* seconds that a connection may be kept: the default of CURLOPT_MAXAGE_CONN(3) */

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

/* ---- how connections differ ---- */

struct small_key {
  size_t len;
  char bytes[HOST_MAX + 4 + MOTE_SMALL_TRUST]; /* host in lower case, ":", port, scheme's number, trust */
};

static CURLcode small_pool_key_of(struct mote_transfer *t, struct small_key *k)
{
  const struct mote_run *r = t->run;
  struct mote_slice host = mote_url_packed_host(&r->request.url);
  char *at = k->bytes;
  size_t i;
  if(host.len > HOST_MAX)
    return CURLE_URL_MALFORMAT;
  for(i = 0; i < host.len; i++)
    *at++ = mote_to_lower(host.ptr[i]);
  *at++ = ':';
  *at++ = (char)(r->request.url.port >> 8);
  *at++ = (char)r->request.url.port;
  *at++ = (char)(r->request.scheme - mote_schemes);
  if(r->request.scheme->tls)
    at = mote_small_put_trust(t, at);
  k->len = (size_t)(at - k->bytes);
  return CURLE_OK;
}

/* ---- a kept connection or a new one ---- */

static void wake_user(struct mote_watch *w, unsigned events)
{
  struct mote_conn *c = mote_container_of(w, struct mote_conn, tcp.watch);
  c->events |= (uint8_t)events;
  if(w->user)
    mote_transfer_wake(w->user);
}

static CURLcode small_pool_make(struct mote_transfer *t, const struct small_key *k)
{
  struct mote_pool *pool = &t->multi->pool;
  struct mote_conn_plan plan = {
    .key = k->bytes, .key_len = k->len,
    .state_size = (t->run->request.scheme->protocol->conn_size + 7) & ~(size_t)7,
  };
  CURLcode rc = mote_conn_new(&pool->idle, pool->account, &plan);
  if(rc)
    return rc;
  pool->idle->tcp.watch.ready = wake_user;
  pool->idle->set = &t->multi->set;
  pool->idle->id = pool->next_id++;
  return CURLE_OK;
}

static bool small_pool_fits(struct mote_conn *c, const struct small_key *k, mote_time now)
{
  return c->key_len == k->len && !memcmp(mote_conn_key(c), k->bytes, k->len) &&
         (int32_t)(mote_conn_seconds(now) - c->last_used) <= OLDEST && mote_conn_alive(c);
}

CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now)
{
  struct mote_pool *pool = &t->multi->pool;
  struct mote_conn *c = pool->idle;
  struct mote_run *r = t->run;
  struct small_key k;
  CURLcode rc = small_pool_key_of(t, &k);
  if(rc)
    return rc;
  if(r->lease.kind != MOTE_LEASE_ONLY_NEW)
    mote_lease_choose(&r->lease, c && small_pool_fits(c, &k, now) ? MOTE_LEASE_KEPT : MOTE_LEASE_NEW);
  if(r->lease.kind != MOTE_LEASE_KEPT) {
    mote_pool_close(pool);
    rc = small_pool_make(t, &k);
    if(rc)
      return rc;
  }
  else
    mote_watch_add(c->set, &c->tcp.watch, mote_conn_fd(c));
  c = pool->idle;
  r->channel.conn = c;
  r->stats.conn_id = c->id;
  c->env.report = &t->report;
  c->tcp.watch.user = t;
  mote_connect_use_sessions(t, c);
  return CURLE_OK;
}

/* ---- the transfer leaves it ---- */

void mote_connect_release(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = t->run->channel.conn;
  curl_socket_t fd;
  mote_dial_leave(t);
  if(!c)
    return;
  t->run->channel.conn = NULL;
  if(c->env.os_errno)
    t->run->stats.os_errno = (uint16_t)c->env.os_errno;
  if(rc || !c->reusable) {
    mote_pool_close(&t->multi->pool);
    return;
  }
  fd = mote_conn_fd(c);
  mote_watch_remove(c->set, &c->tcp.watch);
  c->tcp.watch.fd = fd;
  c->tcp.watch.user = NULL;
  c->env.report = NULL;
  c->last_used = mote_conn_seconds(mote_port_now());
  mote_conn_idle(c);
}
