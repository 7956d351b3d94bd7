/* connect/route/route.c: reads the route from the URL and the options (connect/route/route.h). */
#include "connect/route/route.h"

#include <string.h>

#include "base/report.h"
#include "net/names/lookup.h"
#include "transfer/elsewhere.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

/* Takes a field up to the next colon. An IPv6 literal in brackets is one field. */
static bool route_take_field(const char **at, struct mote_slice *out)
{
  const char *p = *at;
  if(*p == '[') {
    const char *close = strchr(p, ']');
    if(!close)
      return false;
    out->ptr = p + 1;
    out->len = (size_t)(close - p - 1);
    p = close + 1;
  }
  else {
    out->ptr = p;
    out->len = strcspn(p, ":");
    p += out->len;
  }
  if(*p && *p != ':')
    return false;
  *at = *p ? p + 1 : p;
  return true;
}

/* "HOST1:PORT1:HOST2:PORT2", of which each may be empty (CURLOPT_CONNECT_TO(3)). All text after HOST2 is
 * its port. */
struct rule {
  struct mote_slice from_host;
  struct mote_slice from_port;
  struct mote_slice to_host;
  struct mote_slice to_port;
};

static bool parse_rule(const char *text, struct rule *r)
{
  bool ok = route_take_field(&text, &r->from_host) && route_take_field(&text, &r->from_port) &&
            route_take_field(&text, &r->to_host);
  r->to_port = mote_slice_of(text);
  return ok;
}

static bool route_applies(const struct rule *r, struct mote_slice host, uint16_t port)
{
  uint64_t wanted;
  if(r->from_host.len && !mote_slice_same_nocase(r->from_host, host))
    return false;
  return !r->from_port.len || (mote_parse_dec(r->from_port, 65535, &wanted) && wanted == port);
}

/* Lets the first line that applies change `hop`. *found: it goes elsewhere than the URL now. */
static CURLcode route_connect_to(struct mote_transfer *t, struct mote_hop *hop, bool *found)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_CONNECT_TO);
  struct mote_slice host = mote_url_packed_host(&t->run->request.url);
  uint16_t port = t->run->request.url.port;
  for(; l; l = l->next) {
    struct rule r;
    uint64_t n = 0;
    if(!parse_rule(l->data, &r) || !route_applies(&r, host, port)) /* a malformed line applies to no host */
      continue;
    if(r.to_port.len && !mote_parse_dec(r.to_port, 65535, &n))
      return mote_fail_as(CURLE_SETOPT_OPTION_SYNTAX, &t->report,
                          "No valid port number in the CONNECT_TO entry '%s'", l->data);
    if(r.to_host.len)
      hop->host = r.to_host;
    if(r.to_port.len)
      hop->port = (uint16_t)n;
    break;
  }
  *found = hop->port != port ||
           !mote_slice_same_nocase(hop->host, mote_url_packed_zoned(&t->run->request.url));
  return CURLE_OK;
}

/* An alternative service takes the origin's place. One by HTTP/3 does so for QUIC alone
 * (transfer/elsewhere.h). */
static bool go_elsewhere(struct mote_transfer *t, struct mote_hop *hop)
{
  struct mote_elsewhere *to = t->run->request.elsewhere ? mote_elsewhere_of(t) : NULL;
  if(!to)
    return false;
  if(mote_elsewhere_is_quic(to)) {
    to->taken = true;
    return false;
  }
  hop->host.ptr = to->host;
  hop->host.len = to->host_len;
  hop->port = to->port;
  to->taken = true;
  return true;
}

bool mote_route_unix(const struct mote_transfer *t, struct mote_hop *hop)
{
  const char *path = mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH);
  bool abstract = !path;
  if(!path)
    path = mote_opt_str(&t->options, CURLOPT_ABSTRACT_UNIX_SOCKET);
  if(!path)
    return false;
  *hop = (struct mote_hop){
    .host = mote_slice_of(path), .kind = MOTE_HOP_UNIX, .path = true, .abstract = abstract,
  };
  return true;
}

bool (mote_route_has_datagrams)(const struct mote_transfer *t)
{
  return t->run->request.scheme->protocol->datagrams;
}

uint8_t mote_route_family(const struct mote_transfer *t)
{
  long v = mote_opt_long(&t->options, CURLOPT_IPRESOLVE);
  return v == CURL_IPRESOLVE_V4 ? 4 : v == CURL_IPRESOLVE_V6 ? 6 : 0;
}

CURLcode mote_route_make(struct mote_transfer *t, struct mote_route *r)
{
  struct mote_hop origin = {
    .host = mote_url_packed_zoned(&t->run->request.url),
    .port = t->run->request.url.port,
    .tls = mote_route_is_tls(t),
  };
  struct mote_hop *hop = r->hop;
  CURLcode rc = CURLE_OK;
  bool found = false;
  r->family = mote_route_family(t);
  r->proxies = 0;
  r->forward = false;
  if(t->run->lease.proxied)
    rc = mote_route_put_proxies(t, r);
  if(rc)
    return rc;
  hop += r->proxies;
  *hop = origin;
  hop->kind = MOTE_HOP_DIRECT;
  hop->tls = false;
  rc = route_connect_to(t, hop, &found);
  if(!r->proxies && (mote_route_unix(t, hop) || (!found && go_elsewhere(t, hop))))
    found = true;
  r->hops = (uint8_t)(r->proxies + (found ? 2 : 1));
  r->hop[r->hops - 1] = origin;
  if(!rc && r->proxies)
    rc = mote_route_judge_tunnel(t, r, found);
  return rc;
}

/* Returns the way that an option asks for, or NULL. */
static const struct mote_lookup_way *route_way_of(const struct mote_transfer *t)
{
  const struct mote_lookup_way *const *w = mote_lookup_ways;
  while(*w && !mote_option_has(&t->options, (*w)->option))
    w++;
  return *w;
}

struct mote_name_query mote_route_query(const struct mote_transfer *t, const struct mote_route *r,
                                        const struct mote_hop *hop, mote_time now)
{
  long timeout = mote_opt_long(&t->options, CURLOPT_DNS_CACHE_TIMEOUT);
  return (struct mote_name_query){
    .name = hop->host.ptr, .name_len = hop->host.len, .port = hop->port,
    .family = r->family, .max_age_us = timeout < 0 ? -1 : timeout * MOTE_SECOND,
    .shuffle = mote_opt_long(&t->options, CURLOPT_DNS_SHUFFLE_ADDRESSES) != 0, .now = now,
    .way = route_way_of(t), .asker = (void *)(uintptr_t)t,
  };
}

CURLcode mote_route_no_name(struct mote_transfer *t, const struct mote_hop *hop)
{
  bool proxy = hop->kind >= MOTE_HOP_SOCKS4;
  mote_fail(&t->report, "Could not resolve %s: %.*s", proxy ? "proxy" : "host", (int)hop->host.len,
            hop->host.ptr);
  return proxy ? CURLE_COULDNT_RESOLVE_PROXY : CURLE_COULDNT_RESOLVE_HOST;
}
