/* connect/identity.c: builds the key of a connection (connect/identity.h). */
#include "connect/identity.h"

#include <string.h>

#include "base/memory.h"
#include "codec/url/url.h"
#include "connect/dial/dial.h"
#include "connect/route/route.h"
#include "transfer/login.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define NUMBER_MAX 24 /* bytes of the longest decimal number */

static char *identity_put(char *to, const char *from, size_t len)
{
  memcpy(to, from, len);
  return to + len;
}

static char *put_tagged(char *to, char tag, const char *text)
{
  if(!text)
    return to;
  *to++ = tag;
  to = identity_put(to, text, strlen(text));
  *to++ = 0;
  return to;
}

/* The zone id after the host is the name of an interface, where case matters. */
static char *put_lower(char *to, struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len && s.ptr[i] != '%'; i++)
    *to++ = mote_to_lower(s.ptr[i]);
  return identity_put(to, s.ptr + i, s.len - i);
}

/* Returns the bytes of a text, or 0 for those of a number. */
static size_t identity_text_len(const struct mote_option *e)
{
  return e->kind == MOTE_KIND_STR ? e->size - 1 : 0;
}

/* Without the origin's host, which is the first hop's too if there is but one. */
static size_t room_needed(const struct mote_transfer *t, size_t scheme_len, size_t first_host_len)
{
  size_t need = NUMBER_MAX + scheme_len + 1 + first_host_len + 2 + NUMBER_MAX + MOTE_IDENTITY_TLS_ROOM;
  struct mote_option e;
  unsigned i = 0;
  while(mote_options_identity(&t->options, MOTE_IDENTITY_ALWAYS, &i, &e))
    need += identity_text_len(&e) + 2 * NUMBER_MAX;
  return need;
}

size_t mote_identity_most(const struct mote_transfer *t, size_t host_len)
{
  struct mote_hop hop = {.host.len = host_len};
  (void)mote_route_unix(t, &hop);
  return host_len + room_needed(t, MOTE_URL_MAX_SCHEME, hop.host.len > host_len ? hop.host.len : host_len);
}

static char *put_options(char *at, const struct mote_options *o)
{
  struct mote_option e;
  unsigned i = 0;
  while(mote_options_identity(o, MOTE_IDENTITY_ALWAYS, &i, &e)) {
    at += mote_print_dec(at, e.id);
    *at++ = '=';
    if(e.kind == MOTE_KIND_STR)
      at = identity_put(at, e.v.str, identity_text_len(&e));
    else
      at += mote_print_dec(at, (uint64_t)e.v.num);
    *at++ = 0;
  }
  return at;
}

static char *identity_put_host(char *at, const struct mote_hop *hop)
{
  at = put_lower(at, hop->host);
  *at++ = ':';
  at += mote_print_dec(at, hop->port);
  *at++ = 0;
  return at;
}

/* Each kind of a hop before the origin has a tag of its own. */
static char *identity_put_hop(char *at, const struct mote_hop *hop)
{
  if(hop->kind == MOTE_HOP_UNIX)
    return put_tagged(at, hop->abstract ? 'a' : 'u', hop->host.ptr);
  *at++ = (char)(hop->kind == MOTE_HOP_DIRECT ? 'c' : 'A' + hop->kind);
  if(hop->path)
    return put_tagged(at, 'u', hop->host.ptr);
  return identity_put_host(at, hop);
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

static void identity_fill(struct mote_transfer *t, struct mote_identity *id, const struct mote_route *route)
{
  const struct mote_scheme *scheme = t->run->request.scheme;
  const struct mote_hop *last = route->forward ? &route->hop[route->proxies - 1] : mote_route_origin(route);
  char *at = identity_put_host(id->key, last);
  unsigned i;
  at = identity_put(at, scheme->name, strlen(scheme->name) + 1);
  for(i = 0; i + 1u < route->hops; i++)
    at = identity_put_hop(at, &route->hop[i]);
  if(route->proxies)
    at = mote_identity_put_proxy(t, route, at);
  at = put_options(at, &t->options);
  if(mote_identity_may_have_tls(t))
    at = mote_identity_put_tls(t, at);
  if(scheme->protocol->login)
    at = scheme->protocol->login(t, at);
  else if(identity_binds(t))
    at = mote_identity_put_login(t, at);
  id->len = (size_t)(at - id->key);
}

static bool has_proxy_tls(const struct mote_route *route)
{
  unsigned i;
  for(i = 0; i < route->proxies && !route->hop[i].tls; i++)
    ;
  return i < route->proxies;
}

CURLcode mote_identity_make(struct mote_transfer *t, struct mote_identity *id)
{
  struct mote_route route;
  size_t host_len, need, between = 0;
  unsigned i;
  CURLcode rc = mote_route_make(t, &route);
  if(rc)
    return rc;
  t->run->lease.forwarded = route.forward;
  t->run->lease.own_pool = t->run->lease.own_pool && !has_proxy_tls(&route);
  host_len = mote_route_origin(&route)->host.len;
  for(i = 1; i + 1u < route.hops; i++)
    between += route.hop[i].host.len + 2 + NUMBER_MAX;
  if(host_len > UINT16_MAX) {
    mote_fail(&t->report, "The host name is longer than %u bytes", (unsigned)UINT16_MAX);
    return CURLE_URL_MALFORMAT;
  }
  need = host_len + room_needed(t, strlen(t->run->request.scheme->name), mote_route_first(&route)->host.len);
  if(t->run->request.scheme->protocol->login || identity_binds(t))
    need += MOTE_IDENTITY_LOGIN_ROOM;
  if(route.proxies)
    need += between + MOTE_IDENTITY_PROXY_ROOM;
  if(need > UINT16_MAX) /* no connection has so long a key, and no name is that long */
    return mote_route_no_name(t, mote_route_first(&route));
  id->block = 0;
  id->key = id->room;
  if(need > sizeof id->room) {
    id->key = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, need);
    if(!id->key)
      return CURLE_OUT_OF_MEMORY;
    id->block = need;
  }
  identity_fill(t, id, &route);
  return CURLE_OK;
}

void mote_identity_close(struct mote_transfer *t, struct mote_identity *id)
{
  if(id->block)
    mote_mem_free(&t->account, MOTE_PART_TRANSFER, id->key, id->block);
}
