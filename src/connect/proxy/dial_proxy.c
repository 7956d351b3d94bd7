/* connect/proxy/dial_proxy.c: puts the layers of proxies on a connection (connect/dial/dial_phases.h). */
#include "connect/dial/dial_phases.h"
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
