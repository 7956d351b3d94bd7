/* connect/proxy/dial_socks.c: what a SOCKS proxy is asked for (connect/dial/dial_phases.h). */
#include <string.h>

#include "codec/url/percent.h"
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "stream/socks.h"
#include "stream/socks_gss.h"
#include "transfer/download/headers.h"
#include "transfer/transfer.h"

/* Room for a user or password, with one byte more than SOCKS takes. */
#define LOGIN_ROOM (MOTE_SOCKS_MAX_TEXT + 1u)

/* The codec refuses what is too long. A NUL would end the user of SOCKS4.
 * CURLE_URL_MALFORMAT: there is one. */
static CURLcode dial_socks_decode(struct mote_slice *s, bool coded, char room[LOGIN_ROOM])
{
  size_t len;
  CURLcode rc;
  if(!coded || !s->len)
    return CURLE_OK;
  rc = mote_percent_decode(*s, MOTE_PERCENT_REJECT_NUL, room, LOGIN_ROOM, &len);
  s->ptr = room;
  s->len = rc == CURLE_TOO_LARGE ? LOGIN_ROOM : len;
  return rc == CURLE_TOO_LARGE ? CURLE_OK : rc;
}

/* SOCKS4 and SOCKS5 get an address, their other versions a name. An address needs no lookup, but SOCKS4a has
 * only those of IPv4 in its messages, and gets each as a name. */
static CURLcode find_destination(struct mote_dial *d, const struct mote_route *route,
                                 const struct mote_hop *hop, mote_time now, struct mote_socks_request *q)
{
  const struct mote_hop *next = hop + 1;
  struct mote_route limited;
  q->host = next->host;
  q->port = next->port;
  if(hop->kind == MOTE_HOP_SOCKS4A || mote_addr_parse(next->host, &q->address) ||
     hop->kind == MOTE_HOP_SOCKS5H)
    return CURLE_OK;
  limited.hops = 0; /* it has no more than a family */
  limited.family = hop->kind == MOTE_HOP_SOCKS4 ? 4 : route->family;
  return mote_dial_resolve_hop(d, &limited, next, now, &q->address);
}

/* "rcmd" is the service of RFC 1961's proxies (CURLOPT_PROXY_SERVICE_NAME(3)). */
static struct mote_socks_gss_plan gss_plan(const struct mote_transfer *t, const struct mote_hop *hop)
{
  const struct mote_options *o = &t->options;
  const char *service = mote_opt_str(o, CURLOPT_PROXY_SERVICE_NAME);
  struct mote_socks_gss_plan plan = {
    .peer = {.service = mote_slice_of(service ? service : "rcmd"), .host = hop->host,
             .whole = service && strchr(service, '/'), .mechanism = MOTE_GSS_KERBEROS,
             .delegation = (uint8_t)mote_opt_long(o, CURLOPT_GSSAPI_DELEGATION)},
    .nec = mote_opt_long(o, CURLOPT_SOCKS5_GSSAPI_NEC) != 0,
  };
  return plan;
}

/* The codec refuses it, so that no lookup is worth its time or may fail first. */
static bool is_too_long(const struct mote_socks_request *q)
{
  return q->user.len > MOTE_SOCKS_MAX_TEXT || (q->version == 5 && q->password.len > MOTE_SOCKS_MAX_TEXT);
}

/* Response headers of the owner come after the handshake, and have room until then. A second connection of
 * the transfer has none: its first one may receive meanwhile. */
static struct mote_socks_room spare_room(struct mote_dial *d)
{
  struct mote_socks_room room = {NULL, 0, false};
  if(!d->relayed)
    room.ptr = mote_headers_spare(&d->owner->run->response.headers, &room.size);
  return room;
}

CURLcode mote_dial_push_socks(struct mote_dial *d, const struct mote_route *route, const struct mote_hop *hop,
                              mote_time now)
{
  unsigned long methods = (unsigned long)mote_opt_long(&d->owner->options, CURLOPT_SOCKS5_AUTH);
  struct mote_conn *c = d->drive.conn;
  struct mote_socks_gss_plan plan = gss_plan(d->owner, hop);
  struct mote_route_login login;
  struct mote_socks_request q = {
    .version = hop->kind == MOTE_HOP_SOCKS4 || hop->kind == MOTE_HOP_SOCKS4A ? 4 : 5
  };
  struct mote_socks_room room = spare_room(d);
  char user[LOGIN_ROOM], password[LOGIN_ROOM];
  struct mote_stream *s;
  CURLcode rc;
  if(mote_route_login(d->owner, route, hop, &login)) {
    q.user = login.user;
    q.password = login.password;
    q.login = (methods & CURLAUTH_BASIC) != 0;
  }
  q.gss = MOTE_HAS_GSSAPI && q.version == 5 && (methods & CURLAUTH_GSSAPI) != 0;
  q.must_login = (methods & CURLAUTH_ONLY) != 0;
  rc = dial_socks_decode(&q.user, login.coded, user);
  if(!rc)
    rc = dial_socks_decode(&q.password, login.coded, password);
  if(!rc && !is_too_long(&q))
    rc = find_destination(d, route, hop, now, &q);
  if(!rc)
    rc = mote_socks_new(&s, c->top, &c->env, &q, &plan, &room);
  d->bound = d->bound || room.used;
  return rc ? rc : mote_conn_push(c, s);
}
