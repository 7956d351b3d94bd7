/* connect/proxy/dial_proxy.c: puts the layers of proxies on a connection (connect/dial/dial_phases.h), and
 * what distinguishes them into its key (connect/identity.h). */
#include "base/digest/sha256.h"
#include "codec/url/percent.h"
#include "connect/dial/dial_phases.h"
#include "connect/identity.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

/* A tunnel that has received bytes of its destination stays to give them. */
static void take_away(struct mote_conn *c)
{
  struct mote_stream *s = c->top;
  if(s->ops->pending && s->ops->pending(s))
    return;
  c->top = s->below;
  s->ops->close(s);
}

/* Once the tunnel is asked for it is driven alone, with what hears the proxy's answer; its handshake would
 * also go on in that of TLS, which is complete. */
static CURLcode dial_proxy_set_up(struct mote_dial *d, const struct mote_route *route,
                                  const struct mote_hop *hop,
                                  mote_time now)
{
  struct mote_conn *c = d->drive.conn;
  bool http = hop->kind == MOTE_HOP_HTTP, asked = c->top->role == MOTE_ROLE_TUNNEL;
  CURLcode rc = hop->tls && !asked ? mote_dial_proxy_tls(d, hop) : CURLE_OK;
  if(rc || (http && route->forward)) /* the request is for it */
    return rc;
  if(!asked)
    rc = http ? mote_dial_push_tunnel(d, route, hop) : mote_dial_push_socks(d, route, hop, now);
  if(rc == CURLE_AGAIN) { /* a lookup: the connection itself has nothing to wait for */
    CURLcode failed = mote_conn_want(c, 0);
    return failed ? failed : rc;
  }
  if(!rc)
    rc = http ? mote_dial_open_tunnel(d) : mote_conn_handshake(c);
  if(!rc)
    take_away(c);
  return rc;
}

CURLcode mote_dial_proxies(struct mote_dial *d, mote_time now, bool *more)
{
  struct mote_route route;
  CURLcode rc = mote_dial_route(d, &route);
  if(!rc && d->layers < route.proxies) {
    rc = dial_proxy_set_up(d, &route, &route.hop[d->layers], now);
    if(!rc)
      d->layers++;
  }
  *more = !rc && d->layers < route.proxies;
  if(rc == CURLE_PROXY)
    mote_info_note_proxy_error(d->owner, d->drive.conn->env.proxy_error);
  return rc;
}

/* ---- what distinguishes connections ---- */

/* Feeds a text as it is sent. A mark before each byte separates two texts, which may have any byte. */
static void feed_plain(struct mote_sha256 *h, struct mote_slice text, bool coded)
{
  size_t i = 0;
  while(i < text.len) {
    int escape = coded ? mote_percent_byte(text.ptr + i, text.ptr + text.len) : -1;
    unsigned char marked[2] = {1, (unsigned char)(escape < 0 ? text.ptr[i] : escape)};
    mote_sha256_add(h, marked, sizeof marked);
    i += escape < 0 ? 1 : 3;
  }
  mote_sha256_add(h, "", 1);
}

/* Two texts of a proxy may have the same host and port, yet one asks for TLS, HTTP/1.0 or another login. */
static void feed_proxy(struct mote_sha256 *h, const struct mote_transfer *t, const struct mote_route *r,
                       unsigned i)
{
  struct mote_route_login login;
  unsigned char kind[2] = {r->proxy[i].type, 0};
  (void)mote_route_login(t, r, &r->hop[i], &login);
  kind[1] = login.user.ptr || login.password.ptr;
  mote_sha256_add(h, kind, sizeof kind);
  feed_plain(h, login.user, login.coded);
  feed_plain(h, login.password, login.coded);
}

/* The context of an HTTPS proxy is what this function has made of it. */
static void feed_context(struct mote_sha256 *h, const struct mote_options *o)
{
  mote_fn fn = mote_opt_fn(o, CURLOPT_SSL_CTX_FUNCTION);
  void *data = mote_opt_ptr(o, CURLOPT_SSL_CTX_DATA);
  if(!fn)
    return;
  mote_sha256_add(h, &fn, sizeof fn);
  mote_sha256_add(h, &data, sizeof data);
}

void mote_identity_put_proxy(struct mote_transfer *t, const struct mote_route *r, struct mote_out *out)
{
  struct mote_sha256 h;
  unsigned i;
  mote_sha256_init(&h);
  mote_identity_feed(&h, t, MOTE_IDENTITY_PROXY);
  feed_context(&h, &t->options);
  for(i = 0; i < r->proxies; i++)
    feed_proxy(&h, t, r, i);
  mote_sha256_add(&h, &r->forward, sizeof r->forward); /* a tunnel may lead to the proxy itself */
  mote_identity_put_digest(out, 'p', &h);
}
