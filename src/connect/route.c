/* connect/route.c: finds the host to connect to (connect/route.h). */
#include "connect/route.h"

#include <string.h>

#include "base/report.h"
#include "transfer/transfer.h"

/* Takes a field up to the next colon. An IPv6 literal in brackets is one field. */
static bool take_field(const char **at, struct mote_slice *out)
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
  bool ok = take_field(&text, &r->from_host) && take_field(&text, &r->from_port) &&
            take_field(&text, &r->to_host);
  r->to_port = mote_slice_of(text);
  return ok;
}

static bool same_name(struct mote_slice a, struct mote_slice b)
{
  return a.len == b.len && mote_equal_nocase_n(a.ptr, b.ptr, a.len);
}

static bool applies(const struct rule *r, struct mote_slice host, uint16_t port)
{
  uint64_t wanted;
  if(r->from_host.len && !same_name(r->from_host, host))
    return false;
  return !r->from_port.len || (mote_parse_dec(r->from_port, 65535, &wanted) && wanted == port);
}

CURLcode mote_target_host(struct mote_transfer *t, struct mote_target_host *out)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_CONNECT_TO);
  struct mote_slice host = mote_url_packed_host(&t->run->request.url);
  uint16_t port = t->run->request.url.port;
  out->host = mote_url_packed_zoned(&t->run->request.url);
  out->port = port;
  out->redirected = false;
  for(; l; l = l->next) {
    struct rule r;
    uint64_t n = 0;
    if(!parse_rule(l->data, &r) || !applies(&r, host, port)) /* a malformed line applies to no host */
      continue;
    if(r.to_port.len && !mote_parse_dec(r.to_port, 65535, &n)) {
      mote_fail(&t->report, "No valid port number in the CONNECT_TO entry '%s'", l->data);
      return CURLE_SETOPT_OPTION_SYNTAX;
    }
    if(r.to_host.len)
      out->host = r.to_host;
    if(r.to_port.len)
      out->port = (uint16_t)n;
    out->redirected = out->port != port || !same_name(out->host, mote_url_packed_zoned(&t->run->request.url));
    break;
  }
  return CURLE_OK;
}

uint8_t mote_target_family(const struct mote_transfer *t)
{
  long v = mote_opt_long(&t->options, CURLOPT_IPRESOLVE);
  return v == CURL_IPRESOLVE_V4 ? 4 : v == CURL_IPRESOLVE_V6 ? 6 : 0;
}

struct mote_name_query mote_target_query(const struct mote_transfer *t, const struct mote_target_host *target,
                                       mote_time now)
{
  long timeout = mote_opt_long(&t->options, CURLOPT_DNS_CACHE_TIMEOUT);
  return (struct mote_name_query){
    .name = target->host.ptr, .name_len = target->host.len, .port = target->port,
    .family = mote_target_family(t), .max_age_us = timeout < 0 ? -1 : timeout * MOTE_SECOND,
    .shuffle = mote_opt_long(&t->options, CURLOPT_DNS_SHUFFLE_ADDRESSES) != 0, .now = now,
  };
}

/* ---- a Unix socket instead of a host ---- */

const char *mote_target_unix(const struct mote_transfer *t)
{
  const char *path = mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH);
  return path ? path : mote_opt_str(&t->options, CURLOPT_ABSTRACT_UNIX_SOCKET);
}

bool mote_target_unix_abstract(const struct mote_transfer *t)
{
  return !mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH);
}
