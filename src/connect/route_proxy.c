/* connect/route_proxy.c: finds out whether a proxy applies. Proxies are not part of this build. A transfer to
 * which one applies fails and never bypasses it (CURLOPT_PROXY(3), CURLOPT_NOPROXY(3), libcurl-env(3)). */
#include <string.h>

#include "base/report.h"
#include "connect/route.h"
#include "net/address.h"
#include "port/env.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static const char *first_set(const char *a, const char *b)
{
  const char *v = mote_port_getenv(a);
  return v && *v ? v : mote_port_getenv(b);
}

/* Only the lower-case http_proxy counts, since a request header may set HTTP_PROXY in a CGI program. */
static const char *from_environment(const struct mote_transfer *t)
{
  const char *v;
  if(!mote_port_env_proxies())
    return NULL;
  v = mote_route_is_tls(t) ? first_set("https_proxy", "HTTPS_PROXY") : mote_port_getenv("http_proxy");
  if(!v || !*v)
    v = first_set("all_proxy", "ALL_PROXY");
  return v && *v ? v : NULL;
}

/* Matches a suffix of whole labels. Both "example.com" and ".example.com" cover www.example.com. */
static bool covers_name(struct mote_slice host, struct mote_slice entry)
{
  if(entry.len && entry.ptr[0] == '.') {
    entry.ptr++;
    entry.len--;
  }
  if(entry.len && entry.ptr[entry.len - 1] == '.')
    entry.len--;
  if(host.len && host.ptr[host.len - 1] == '.')
    host.len--;
  if(!entry.len || host.len < entry.len ||
     !mote_equal_nocase_n(host.ptr + host.len - entry.len, entry.ptr, entry.len))
    return false;
  return host.len == entry.len || host.ptr[host.len - entry.len - 1] == '.';
}

static bool covers_address(const struct mote_addr *host, struct mote_slice entry)
{
  const char *slash = entry.len ? memchr(entry.ptr, '/', entry.len) : NULL;
  struct mote_slice address = entry;
  struct mote_addr net;
  uint64_t bits, most;
  unsigned i;
  if(slash)
    address.len = (size_t)(slash - entry.ptr);
  if(address.len > 1 && address.ptr[0] == '[' && address.ptr[address.len - 1] == ']') {
    address.ptr++;
    address.len -= 2;
  }
  if(!mote_addr_parse(address, &net) || net.family != host->family)
    return false;
  most = host->family == MOTE_FAMILY_IP4 ? 32 : 128;
  bits = most;
  if(slash) {
    struct mote_slice number = {slash + 1, entry.len - address.len - 1};
    if(!mote_parse_dec(number, most, &bits))
      return false;
  }
  for(i = 0; i < bits; i++)
    if((net.ip[i / 8] ^ host->ip[i / 8]) & (0x80 >> (i % 8)))
      return false;
  return true;
}

static bool excepted(const struct mote_transfer *t)
{
  const char *list = mote_opt_str(&t->options, CURLOPT_NOPROXY);
  struct mote_slice host = mote_url_packed_host(&t->run->request.url);
  struct mote_addr address;
  bool literal = mote_addr_parse(host, &address);
  if(!list)
    list = first_set("no_proxy", "NO_PROXY");
  if(!list)
    return false;
  if(!strcmp(list, "*"))
    return true;
  while(*list) {
    struct mote_slice entry = {list, strcspn(list, ", ")};
    if(entry.len && (literal ? covers_address(&address, entry) : covers_name(host, entry)))
      return true;
    list += entry.len;
    list += strspn(list, ", ");
  }
  return false;
}

CURLcode mote_route_refuse_proxy(struct mote_transfer *t)
{
  const char *proxy = mote_opt_str(&t->options, CURLOPT_PROXY);
  const char *before = mote_opt_str(&t->options, CURLOPT_PRE_PROXY);
  bool by_option = proxy != NULL;
  if(!proxy)
    proxy = from_environment(t);
  if(((!proxy || !*proxy) && (!before || !*before)) || excepted(t))
    return CURLE_OK;
  mote_fail(&t->report, "A proxy is set by %s, but proxies are not built in",
            by_option || before ? "option" : "environment variable");
  return CURLE_NOT_BUILT_IN;
}
