/* connect/proxy/dial_challenge.c: what answers a proxy's challenge to CONNECT (connect/dial/dial_phases.h;
 * RFC 9110 section 11.7). */
#include "base/containers/list.h"
#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "stream/tunnel.h"
#include "transfer/login.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

struct answerer {
  struct mote_tunnel_client client;
  struct mote_dial *d;
};

static struct answerer *dial_challenge_of(struct mote_tunnel_client *c)
{
  return mote_container_of(c, struct answerer, client);
}

/* A callback that got lines of the response may have set other proxies meanwhile, whose login is not for this
 * one. */
static CURLcode dial_challenge_route(struct mote_dial *d, struct mote_route *route)
{
  CURLcode rc = mote_connect_compare(d->owner);
  return rc ? rc : mote_dial_route(d, route);
}

static CURLcode dial_read_challenge(struct mote_tunnel_client *c, struct mote_slice value)
{
  struct mote_dial *d = dial_challenge_of(c)->d;
  uint8_t offered = mote_info_proxy_offered(d->owner);
  struct mote_route route;
  struct mote_login l;
  CURLcode rc = dial_challenge_route(d, &route);
  if(rc)
    return rc;
  mote_route_find_login(d->owner, &route, &route.hop[d->layers], &l);
  rc = mote_login_read(&l, value, &d->login, &offered);
  mote_info_note_proxy_offered(d->owner, offered);
  return rc;
}

static bool is_answered(struct mote_tunnel_client *c)
{
  const struct mote_dial *d = dial_challenge_of(c)->d;
  return d->login.again && !mote_dial_has_proxy_line(d->owner, "Proxy-Authorization");
}

static CURLcode dial_challenge_ask_again(struct mote_tunnel_client *c, struct mote_tunnel_head *head)
{
  struct mote_dial *d = dial_challenge_of(c)->d;
  struct mote_route route;
  CURLcode rc = dial_challenge_route(d, &route);
  return rc ? rc : mote_dial_put_connect(d, &route, &route.hop[d->layers], head);
}

CURLcode mote_dial_shake_tunnel(struct mote_dial *d)
{
  struct answerer a = {
    .client = {.challenge = dial_read_challenge, .again = is_answered, .ask = dial_challenge_ask_again},
    .d = d,
  };
  struct mote_conn *c = d->drive.conn;
  CURLcode rc;
  mote_tunnel_serve(c->top, &a.client);
  rc = mote_conn_handshake(c);
  mote_tunnel_serve(c->top, NULL);
  d->renew = rc == CURLE_COULDNT_CONNECT && mote_tunnel_is_lost(c->top) && mote_info_count_tunnel(d->owner);
  if(rc == CURLE_COULDNT_CONNECT && !d->renew && mote_tunnel_status(c->top) >= 400 &&
     mote_opt_long(&d->owner->options, CURLOPT_FAILONERROR))
    rc = CURLE_HTTP_RETURNED_ERROR;
  return rc;
}
