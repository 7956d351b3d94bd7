/* connect/identity.c: builds the key of a connection (connect/identity.h). */
#include "connect/identity.h"

#include <string.h>

#include "base/out.h"
#include "codec/url/url.h"
#include "connect/route/route.h"
#include "transfer/login.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define NUMBER_MAX 24 /* bytes of the longest decimal number */

static void put_tagged(struct mote_out *out, char tag, const char *text)
{
  if(!text)
    return;
  mote_out_char(out, tag);
  mote_out_bytes(out, text, strlen(text) + 1);
}

/* The zone id after the host is the name of an interface, where case matters. */
static void put_lower(struct mote_out *out, struct mote_slice s)
{
  const char *zone = s.len ? memchr(s.ptr, '%', s.len) : NULL;
  size_t len = zone ? (size_t)(zone - s.ptr) : s.len;
  mote_out_lower(out, (struct mote_slice){s.ptr, len});
  if(zone)
    mote_out_bytes(out, zone, s.len - len);
}

/* Returns the most bytes that the options of a case take which are in the key as they are. */
static size_t identity_room_of(const struct mote_transfer *t, enum mote_identity_when when)
{
  struct mote_option e;
  size_t need = 0;
  unsigned i = 0;
  while(mote_options_identity(&t->options, when, &i, &e))
    need += mote_identity_text_len(&e) + 2 * NUMBER_MAX;
  return need;
}

/* Without the origin's host, which is the first hop's too if there is but one. */
static size_t room_needed(const struct mote_transfer *t, size_t scheme_len, size_t first_host_len)
{
  size_t need = NUMBER_MAX + scheme_len + 1 + first_host_len + 2 + NUMBER_MAX + MOTE_IDENTITY_TLS_ROOM;
  need += identity_room_of(t, MOTE_IDENTITY_ALWAYS) + identity_room_of(t, MOTE_IDENTITY_TLS);
  return need + identity_room_of(t, MOTE_IDENTITY_CLIENT);
}

size_t mote_identity_most(const struct mote_transfer *t, size_t host_len)
{
  struct mote_hop hop = {.host.len = host_len};
  (void)mote_route_unix(t, &hop);
  return host_len + room_needed(t, MOTE_URL_MAX_SCHEME, hop.host.len > host_len ? hop.host.len : host_len);
}

static void put_options(struct mote_out *out, const struct mote_options *o)
{
  struct mote_option e;
  unsigned i = 0;
  while(mote_options_identity(o, MOTE_IDENTITY_ALWAYS, &i, &e))
    mote_identity_put_option(out, &e);
}

static void identity_put_host(struct mote_out *out, const struct mote_hop *hop)
{
  put_lower(out, hop->host);
  mote_out_char(out, ':');
  mote_out_dec(out, hop->port);
  mote_out_char(out, 0);
}

/* Each kind of a hop before the origin has a tag of its own. */
static void identity_put_hop(struct mote_out *out, const struct mote_hop *hop)
{
  if(hop->kind == MOTE_HOP_UNIX) {
    put_tagged(out, hop->abstract ? 'a' : 'u', hop->host.ptr);
    return;
  }
  mote_out_char(out, (char)(hop->kind == MOTE_HOP_DIRECT ? 'c' : 'A' + hop->kind));
  if(hop->path)
    put_tagged(out, 'u', hop->host.ptr);
  else
    identity_put_host(out, hop);
}

/* A scheme that authenticates the connection will be used, as it is the only one or was chosen by a
 * challenge: others must never get that connection. */
static bool identity_binds(const struct mote_transfer *t)
{
  unsigned long schemes = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH);
  const struct mote_auth_memory *m;
  if(!MOTE_HAS_GSSAPI || !(schemes & CURLAUTH_NEGOTIATE))
    return false;
  m = mote_opt_find_ptr(&t->options, MOTE_OPT_AUTH);
  return mote_login_is_single(schemes) || (m && m->choice->binds);
}

/* CURLOPT_USE_SSL is part of the key itself. */
bool mote_identity_may_have_tls(const struct mote_transfer *t)
{
  bool asked = mote_opt_long(&t->options, CURLOPT_USE_SSL) != CURLUSESSL_NONE;
  return mote_route_is_tls(t) && (t->run->request.scheme->tls != MOTE_SECURE_ASKED || asked);
}

static void identity_fill(struct mote_transfer *t, struct mote_out *out, const struct mote_route *route)
{
  const struct mote_scheme *scheme = t->run->request.scheme;
  const struct mote_hop *last = route->forward ? &route->hop[route->proxies - 1] : mote_route_origin(route);
  unsigned i;
  identity_put_host(out, last);
  mote_out_bytes(out, scheme->name, strlen(scheme->name) + 1);
  for(i = 0; i + 1u < route->hops; i++)
    identity_put_hop(out, &route->hop[i]);
  if(route->proxies)
    mote_identity_put_proxy(t, route, out);
  put_options(out, &t->options);
  if(mote_identity_may_have_tls(t))
    mote_identity_put_tls(t, out);
  if(scheme->protocol->login)
    scheme->protocol->login(t, out);
  else if(identity_binds(t))
    mote_identity_put_login(t, out);
}

static bool has_proxy_tls(const struct mote_route *route)
{
  unsigned i;
  for(i = 0; i < route->proxies && !route->hop[i].tls; i++)
    ;
  return i < route->proxies;
}

/* Makes room for a key that does not fit. */
static CURLcode identity_find_room(struct mote_transfer *t, struct mote_identity *id,
                                   const struct mote_route *route)
{
  size_t host_len = mote_route_origin(route)->host.len, need;
  unsigned i;
  if(host_len > UINT16_MAX)
    return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "The host name is longer than %u bytes",
                        (unsigned)UINT16_MAX);
  need = host_len + room_needed(t, strlen(t->run->request.scheme->name), mote_route_first(route)->host.len) +
         MOTE_IDENTITY_LOGIN_ROOM + MOTE_IDENTITY_PROXY_ROOM;
  for(i = 1; i + 1u < route->hops; i++)
    need += route->hop[i].host.len + 2 + NUMBER_MAX;
  if(need > UINT16_MAX) /* no connection has so long a key, and no name is that long */
    return mote_route_no_name(t, mote_route_first(route));
  id->key = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, need);
  if(!id->key)
    return CURLE_OUT_OF_MEMORY;
  id->block = need;
  return CURLE_OK;
}

CURLcode mote_identity_make(struct mote_transfer *t, struct mote_identity *id)
{
  struct mote_out out = mote_out_in(id->room, sizeof id->room);
  struct mote_route route;
  CURLcode rc = mote_route_make(t, &route);
  if(rc)
    return rc;
  t->run->lease.forwarded = route.forward;
  t->run->lease.own_pool = t->run->lease.own_pool && !has_proxy_tls(&route);
  id->key = id->room;
  id->block = 0;
  identity_fill(t, &out, &route);
  if(out.cut) {
    rc = identity_find_room(t, id, &route);
    if(rc)
      return rc;
    out = mote_out_in(id->key, id->block);
    identity_fill(t, &out, &route);
  }
  id->len = out.len;
  if(!out.cut)
    return CURLE_OK;
  mote_identity_close(t, id); /* rather none than one that is the beginning of two */
  return CURLE_TOO_LARGE;
}

void mote_identity_close(struct mote_transfer *t, struct mote_identity *id)
{
  if(id->block)
    mote_mem_free(&t->account, MOTE_PART_TRANSFER, id->key, id->block);
}
