/* connect/version.c: which version of HTTP a connection speaks (connect/version.h). */
#include "connect/version.h"

#include "base/text.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "net/pool.h"
#include "tls/tls.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"

/* How a transfer may come by another version than HTTP/1.1. */
enum way {
  WAY_NONE, /* not at all */
  WAY_ALPN, /* as the server chooses */
  WAY_PROXY, /* as the proxy chooses that passes the request on */
  WAY_UPGRADE, /* as it answers a request of HTTP/1.1 */
  WAY_PRIOR, /* in any case */
  WAY_EITHER, /* as ALPN, or by QUIC: whichever is ready first */
  WAY_QUIC /* by another kind of connection than TCP */
};

static bool speaks_http(const struct mote_scheme *s)
{
  return (s->curlproto & (CURLPROTO_HTTP | CURLPROTO_HTTPS)) != 0;
}

static enum way way_by_alpn(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_SSL_ENABLE_ALPN) ? WAY_ALPN : WAY_NONE;
}

/* The application's raw bytes (CONNECT_ONLY) are not for a connection in frames. */
static enum way way_with(const struct mote_transfer *t, bool tls)
{
  long version = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION);
  if(mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY))
    return WAY_NONE;
  if(!tls && version == CURL_HTTP_VERSION_2_0)
    return WAY_UPGRADE;
  if(MOTE_HAS_H3 && tls && version == CURL_HTTP_VERSION_3ONLY)
    return WAY_QUIC;
  if(MOTE_HAS_H3 && tls && version == CURL_HTTP_VERSION_3 && way_by_alpn(t) == WAY_ALPN)
    return WAY_EITHER;
  if(!tls && version != CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    return WAY_NONE;
  switch(version) {
  case CURL_HTTP_VERSION_1_0:
  case CURL_HTTP_VERSION_1_1:
    return WAY_NONE;
  case CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE:
    return WAY_PRIOR;
  default:
    return way_by_alpn(t);
  }
}

static bool has_https2(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_PROXYTYPE) == CURLPROXY_HTTPS2;
}

/* A proxy that passes requests on speaks what it has agreed on, whatever is known of the server and wanted of
 * it by CURLOPT_HTTP_VERSION (as seen with libcurl 8.22). */
static enum way way_with_proxy(struct mote_transfer *t, enum way way)
{
  struct mote_route route;
  if(mote_route_make(t, &route) || !route.forward)
    return way;
  if(!route.hop[route.proxies - 1].h2 || mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY))
    return WAY_NONE;
  return way_by_alpn(t) == WAY_ALPN ? WAY_PROXY : WAY_NONE;
}

static enum way connect_version_way_of(struct mote_transfer *t)
{
  const struct mote_request *r = &t->run->request;
  enum way way;
  if(!speaks_http(r->scheme) || r->only_http1)
    return WAY_NONE;
  way = way_with(t, r->scheme->tls == MOTE_SECURE_FIRST);
  if(MOTE_HAS_H3 && way == WAY_ALPN && mote_version_has_found_quic(t))
    way = WAY_EITHER;
  if(MOTE_HAS_H3 && t->run->lease.proxied && way == WAY_EITHER)
    way = WAY_ALPN;
  if(t->run->lease.proxied && (way == WAY_PRIOR || way == WAY_UPGRADE || has_https2(t)))
    way = way_with_proxy(t, way);
  return way;
}

/* The first row is what ALPN prefers, and the only one of TCP that can be known beforehand. */
static const struct mote_version *row_of_way(enum way way)
{
  const struct mote_version *v = mote_versions;
  while(MOTE_HAS_H3 && way == WAY_QUIC && !v->quic)
    v++;
  return v;
}

static const struct mote_protocol *connect_version_protocol_of(struct mote_transfer *t)
{
  const struct mote_protocol *own = t->run->request.scheme->protocol;
  enum way way = connect_version_way_of(t);
  return way != WAY_NONE ? row_of_way(way)->tls.protocol : own;
}

static const struct mote_version *row_with(const struct mote_driver *driver)
{
  const struct mote_version *v;
  for(v = mote_versions; v->alpn; v++)
    if(driver == v->tls.protocol->driver)
      return v;
  return NULL;
}

bool mote_version_is_open(const struct mote_transfer *t, bool tls)
{
  return way_with(t, tls) != WAY_NONE || has_https2(t);
}

const char *mote_version_offer(struct mote_transfer *t)
{
  long version = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION);
  switch(t->run ? connect_version_way_of(t) : WAY_NONE) {
  case WAY_QUIC:
    return row_of_way(WAY_QUIC)->offer;
  case WAY_ALPN:
  case WAY_PROXY:
  case WAY_EITHER:
    return mote_versions[0].offer;
  case WAY_PRIOR:
    return mote_versions[0].alpn;
  default:
    return version == CURL_HTTP_VERSION_1_0 ? "http/1.0,http/1.1" : "http/1.1";
  }
}

void mote_version_restore(struct mote_transfer *t)
{
  struct mote_request *r = &t->run->request;
  const struct mote_version *v;
  for(v = mote_versions; v->alpn; v++)
    if(r->scheme == &v->plain || r->scheme == &v->upgrade || r->scheme == &v->tls)
      r->scheme = mote_scheme_find(r->url.text, r->url.scheme_len);
}

const struct mote_driver *mote_version_driver(struct mote_transfer *t)
{
  return connect_version_protocol_of(t)->driver;
}

enum mote_transport mote_version_transport(struct mote_transfer *t)
{
  enum way way = connect_version_way_of(t);
  return way == WAY_QUIC     ? MOTE_TRANSPORT_QUIC
         : way == WAY_EITHER ? MOTE_TRANSPORT_EITHER
                             : MOTE_TRANSPORT_TCP;
}

const struct mote_version *mote_version_of_quic(void)
{
  return row_of_way(WAY_QUIC);
}

/* It may become either. */
size_t mote_version_conn_size(struct mote_transfer *t)
{
  size_t own = t->run->request.scheme->protocol->conn_size, other = connect_version_protocol_of(t)->conn_size;
  return own > other ? own : other;
}

/* Whether HTTP/1.1 it must be. */
static bool is_for_http1(const struct mote_transfer *t, enum way way)
{
  long version = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION);
  return way != WAY_PROXY && (version == CURL_HTTP_VERSION_1_0 || version == CURL_HTTP_VERSION_1_1 ||
                              t->run->request.only_http1);
}

void mote_version_filter(struct mote_transfer *t, struct mote_pool_query *q)
{
  const struct mote_scheme *own = t->run->request.scheme;
  enum way way = connect_version_way_of(t);
  q->alone = t->multi->one_by_one;
  mote_pool_query_exclude(
    q, way == WAY_QUIC || way == WAY_EITHER || mote_version_may_discover(t)
         ? NULL : row_of_way(WAY_QUIC)->tls.protocol->driver,
    mote_version_place(t));
  q->only_driver = speaks_http(own) && is_for_http1(t, way);
  q->driver = own->protocol->driver;
  if(!q->only_driver && way != WAY_NONE) {
    q->driver = row_of_way(way == WAY_EITHER ? WAY_QUIC : way)->tls.protocol->driver;
    q->only_driver = way == WAY_PRIOR || way == WAY_QUIC;
    q->prefers_driver = !q->only_driver;
  }
}

static bool connect_version_agreed(struct mote_transfer *t, const struct mote_conn *c,
                                   const struct mote_version *v)
{
  enum way way = connect_version_way_of(t);
  const struct mote_stream *tls = mote_conn_layer(c, way == WAY_PROXY ? MOTE_ROLE_PROXY_TLS : MOTE_ROLE_TLS);
  struct mote_slice name = {NULL, 0};
  if(way == WAY_PRIOR)
    return true;
  if(tls)
    name.ptr = mote_tls_alpn(tls, &name.len);
  return name.ptr && mote_slice_same(name, mote_slice_of(v->alpn));
}

/* A connection that has not become what it may have become is offered no longer. Where connections are shared
 * it becomes one of those, since its account is the same. */
static void connect_version_leave_multi(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_share *share = mote_share_of(t);
  if(!share || !share->pool || connect_version_way_of(t) == WAY_UPGRADE) {
    mote_pool_withdraw(&t->multi->pool, c);
    return;
  }
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  mote_pool_hand_over(&t->multi->pool, c, share->pool);
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
}

void mote_version_settle(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_version *v = row_with(c->driver);
  if(!v)
    return;
  if(!connect_version_agreed(t, c, v)) {
    c->driver = t->run->request.scheme->protocol->driver;
    connect_version_leave_multi(t, c);
  }
  mote_version_use(t, c);
}

void mote_version_use(struct mote_transfer *t, const struct mote_conn *c)
{
  struct mote_request *r = &t->run->request;
  const struct mote_version *v = c->driver ? row_with(c->driver) : NULL;
  if(v)
    r->scheme = r->scheme->tls == MOTE_SECURE_FIRST ? &v->tls : &v->plain;
  else if(c->of_multi &&
          connect_version_way_of(t) == WAY_UPGRADE) /* what others may use later is the multi's own */
    r->scheme = &mote_versions[0].upgrade;
}

/* As after a dial (connect/dial/dial.c). There is no TLS. */
CURLcode mote_version_upgrade(struct mote_transfer *t)
{
  const struct mote_version *v = &mote_versions[0];
  struct mote_conn *c = t->run->channel.conn;
  CURLcode rc;
  t->run->request.scheme = &v->plain;
  rc = mote_drive_start(c, v->plain.protocol->driver);
  if(rc) {
    t->run->request.scheme = &v->upgrade;
    return rc;
  }
  c->driver = v->plain.protocol->driver;
  c->drive->channels = 1;
  c->env.report = NULL;
  mote_pool_offer(&t->multi->pool, c);
  mote_schedule_offer(t->multi, c);
  return CURLE_OK;
}

void mote_version_fall_back(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  r->request.only_http1 = true;
  mote_lease_judge(&r->lease, MOTE_RETRY_HTTP1);
}

bool mote_version_same(struct mote_transfer *a, struct mote_transfer *b)
{
  if(MOTE_HAS_H3 && mote_version_place(a) != mote_version_place(b))
    return false;
  return connect_version_way_of(a) == connect_version_way_of(b);
}

void mote_version_upkeep(const struct mote_transfer *t, const struct mote_pool *p, mote_time now)
{
  long interval = mote_opt_long(&t->options, CURLOPT_UPKEEP_INTERVAL_MS);
  const struct mote_list *l;
  for(l = p->idle.next; l != &p->idle; l = l->next) {
    struct mote_drive *d = mote_container_of(l, struct mote_conn, link)->drive;
    if(d && d->driver->upkeep)
      d->driver->upkeep(d, now, interval);
  }
}
