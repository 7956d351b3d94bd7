/* connect/route/route_proxy.c: finds out whether a proxy applies, and which (CURLOPT_PROXY(3),
 * CURLOPT_NOPROXY(3), CURLOPT_PRE_PROXY(3), libcurl-env(3)). A transfer to which one applies that is not
 * built in fails and never bypasses it. */
#include <string.h>

#include "base/report.h"
#include "base/text/error_text.h"
#include "connect/route/route.h"
#include "net/names/address.h"
#include "port/env.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static const char *first_set(const char *a, const char *b)
{
  const char *v = mote_port_getenv(a);
  return v && *v ? v : mote_port_getenv(b);
}

/* A protocol other than HTTP has variables named for its scheme. */
static const char *named_for(const char *scheme, size_t len)
{
  char lower[32], upper[32];
  size_t i;
  if(len > sizeof lower - sizeof "_proxy")
    return NULL;
  memcpy(lower, scheme, len);
  memcpy(lower + len, "_proxy", sizeof "_proxy");
  for(i = 0; i < len + sizeof "_proxy"; i++)
    upper[i] = mote_to_upper(lower[i]);
  return first_set(lower, upper);
}

/* The scheme of the URL counts, also for a request that goes by HTTP because a proxy was found for it. Only
 * the lower-case http_proxy does, since a request header may set HTTP_PROXY in a CGI program. */
static const char *from_environment(const struct mote_transfer *t)
{
  const struct mote_url_packed *url = &t->run->request.url;
  bool http = url->scheme_len == 4 && !memcmp(url->text, "http", 4);
  const char *v;
  if(!mote_port_env_proxies(url->text, url->scheme_len))
    return NULL;
  v = http ? mote_port_getenv("http_proxy") : named_for(url->text, url->scheme_len);
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

/* A length of 0 bits counts as none (as seen with libcurl 8.23), which keeps "0.0.0.0/0" from naming all. */
static bool covers_address(const struct mote_addr *host, struct mote_slice entry)
{
  const char *slash = entry.len ? memchr(entry.ptr, '/', entry.len) : NULL;
  struct mote_slice address = entry;
  struct mote_addr net;
  uint64_t bits, most;
  unsigned i;
  if(slash)
    address.len = (size_t)(slash - entry.ptr);
  if(address.len && memchr(address.ptr, '%', address.len)) /* no zone: a host's is not compared */
    return false;
  if(!mote_addr_parse(address, &net) || net.family != host->family)
    return false;
  most = host->family == MOTE_FAMILY_IP4 ? 32 : 128;
  bits = most;
  if(slash) {
    struct mote_slice number = {slash + 1, entry.len - address.len - 1};
    if(!mote_parse_dec(number, most, &bits))
      return false;
    if(!bits)
      bits = most;
  }
  for(i = 0; i < bits; i++)
    if((net.ip[i / 8] ^ host->ip[i / 8]) & (0x80 >> (i % 8)))
      return false;
  return true;
}

/* Takes the next entry, after blanks and commas. What follows blanks without a comma ends the list. */
static struct mote_slice route_proxy_take_entry(const char **list)
{
  struct mote_slice entry;
  const char *at = *list + strspn(*list, ", \t");
  entry.ptr = at;
  entry.len = strcspn(at, ", \t");
  at += entry.len;
  at += strspn(at, " \t");
  *list = *at == ',' ? at : "";
  return entry;
}

static bool excepted(const struct mote_transfer *t)
{
  const char *list = mote_opt_str(&t->options, CURLOPT_NOPROXY);
  struct mote_slice host = mote_url_packed_host(&t->run->request.url);
  struct mote_addr address;
  bool literal;
  if(!list && mote_port_env_no_proxy())
    list = first_set("no_proxy", "NO_PROXY");
  if(!list)
    return false;
  if(!strcmp(list, "*"))
    return true;
  literal = mote_addr_parse(host, &address);
  while(*list) {
    struct mote_slice entry = route_proxy_take_entry(&list);
    if(entry.len && (literal ? covers_address(&address, entry) : covers_name(host, entry)))
      return true;
  }
  return false;
}

/* ---- which proxies ---- */

/* Both texts, or NULL where there is none. An option, even if it is "", keeps the environment out. */
struct choice {
  const char *pre;
  const char *proxy;
};

static bool route_proxy_choose(const struct mote_transfer *t, struct choice *c)
{
  c->proxy = mote_opt_str(&t->options, CURLOPT_PROXY);
  c->pre = mote_opt_str(&t->options, CURLOPT_PRE_PROXY);
  if(!c->proxy && !c->pre)
    c->proxy = from_environment(t);
  if(c->proxy && !*c->proxy)
    c->proxy = NULL;
  if(c->pre && !*c->pre)
    c->pre = NULL;
  return c->proxy || c->pre;
}

static bool has_option(const struct mote_transfer *t)
{
  return mote_opt_str(&t->options, CURLOPT_PROXY) || mote_opt_str(&t->options, CURLOPT_PRE_PROXY);
}

/* A variable may have changed unnoticed since the last transfer, which went by a proxy if `before`. */
static void note_same_way(struct mote_transfer *t, bool before)
{
  struct mote_lease *l = &t->run->lease;
  l->own_pool = l->own_pool && before && l->proxied && has_option(t);
  l->forwarded = l->forwarded && l->own_pool;
}

/* A Unix socket in the origin's place needs no proxy, and none could reach it
 * (CURLOPT_UNIX_SOCKET_PATH(3)). */
void mote_route_note_proxy(struct mote_transfer *t)
{
  struct choice c;
  bool unix_socket = mote_opt_str(&t->options, CURLOPT_UNIX_SOCKET_PATH) ||
                     mote_opt_str(&t->options, CURLOPT_ABSTRACT_UNIX_SOCKET);
  struct mote_lease *l = &t->run->lease;
  bool before = l->proxied;
  l->proxied = route_proxy_choose(t, &c) && !unix_socket && !excepted(t);
  if(before || l->proxied)
    note_same_way(t, before);
}

bool mote_route_may_be_proxied(const struct mote_transfer *t)
{
  static const char *const names[] = {
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"
  };
  const char *proxy = mote_opt_str(&t->options, CURLOPT_PROXY);
  const char *pre = mote_opt_str(&t->options, CURLOPT_PRE_PROXY);
  const char *none = mote_opt_str(&t->options, CURLOPT_NOPROXY);
  size_t i;
  if(none && !strcmp(none, "*"))
    return false;
  if(proxy || pre)
    return (proxy && *proxy) || (pre && *pre);
  if(!mote_port_env_proxies("http", 4) && !mote_port_env_proxies("https", 5))
    return false;
  for(i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = mote_port_getenv(names[i]);
    if(value && *value)
      return true;
  }
  return false;
}

/* ---- their hops ---- */

static CURLcode refuse_text(struct mote_transfer *t, const char *what, const char *text)
{
  (void)what;
  (void)text;
  return mote_fail_as(CURLE_COULDNT_RESOLVE_PROXY, &t->report, "%s: '%s'", what, text);
}

static CURLcode route_proxy_parse(struct mote_transfer *t, const char *text, uint8_t type,
                                  struct mote_proxy *p)
{
  long port = mote_opt_long(&t->options, CURLOPT_PROXYPORT);
  CURLUcode rc = mote_proxy_parse(p, text, type);
  if(rc == CURLUE_UNSUPPORTED_SCHEME)
    return mote_fail_as(CURLE_COULDNT_CONNECT, &t->report, "Unsupported proxy scheme for '%s'", text);
  if(rc)
    return mote_fail_as(CURLE_COULDNT_RESOLVE_PROXY, &t->report, "Unsupported proxy syntax in '%s': %s", text,
                        mote_error_url_text(rc));
  if(port > 0 && !p->stated_port && !p->path)
    p->port = (uint16_t)port;
  return CURLE_OK;
}

static uint8_t route_proxy_kind_of(const struct mote_proxy *p)
{
  switch(p->type) {
  case CURLPROXY_SOCKS4:
    return MOTE_HOP_SOCKS4;
  case CURLPROXY_SOCKS4A:
    return MOTE_HOP_SOCKS4A;
  case CURLPROXY_SOCKS5:
    return MOTE_HOP_SOCKS5;
  case CURLPROXY_SOCKS5_HOSTNAME:
    return MOTE_HOP_SOCKS5H;
  default:
    return MOTE_HOP_HTTP;
  }
}

static CURLcode refuse_kind(struct mote_transfer *t, const char *kind)
{
  (void)kind;
  mote_fail(&t->report, "A proxy is set by %s, but %s proxies are not built in",
            mote_opt_str(&t->options, CURLOPT_PROXY) || mote_opt_str(&t->options, CURLOPT_PRE_PROXY)
              ? "option" : "environment variable", kind);
  return CURLE_NOT_BUILT_IN;
}

static CURLcode route_proxy_put_hop(struct mote_transfer *t, struct mote_route *r, const struct mote_proxy *p)
{
  struct mote_hop *hop = &r->hop[r->proxies++];
  *hop = (struct mote_hop){
    .host = p->host, .port = p->port, .kind = route_proxy_kind_of(p), .path = p->path,
    .tls = p->type == CURLPROXY_HTTPS || p->type == CURLPROXY_HTTPS2,
    .h2 = p->type == CURLPROXY_HTTPS2,
  };
  if(hop->kind == MOTE_HOP_HTTP)
    return MOTE_HAS_PROXY ? CURLE_OK : refuse_kind(t, "HTTP");
  return MOTE_HAS_SOCKS ? CURLE_OK : refuse_kind(t, "SOCKS");
}

CURLcode mote_route_put_proxies(struct mote_transfer *t, struct mote_route *r)
{
  struct mote_proxy *pre = NULL, *p = NULL;
  struct choice c;
  CURLcode rc = CURLE_OK;
  (void)route_proxy_choose(t, &c);
  if(c.pre) {
    pre = &r->proxy[0];
    rc = route_proxy_parse(t, c.pre, CURLPROXY_SOCKS4, pre);
    if(!rc && !mote_proxy_is_socks(pre))
      rc = refuse_text(t, "A pre-proxy must be a SOCKS proxy", c.pre);
  }
  if(!rc && c.proxy) {
    p = &r->proxy[pre ? 1 : 0];
    rc = route_proxy_parse(t, c.proxy, (uint8_t)mote_opt_long(&t->options, CURLOPT_PROXYTYPE), p);
    if(!rc && pre && mote_proxy_is_socks(p))
      rc = refuse_text(t, "A SOCKS proxy cannot follow a pre-proxy", c.proxy);
  }
  if(!rc && pre)
    rc = route_proxy_put_hop(t, r, pre);
  if(!rc && p)
    rc = route_proxy_put_hop(t, r, p);
  return rc;
}

/* ---- user and password ---- */

bool mote_route_may_login(const struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  struct choice c;
  (void)route_proxy_choose(t, &c);
  return mote_opt_str(o, CURLOPT_PROXYUSERNAME) || mote_opt_str(o, CURLOPT_PROXYPASSWORD) ||
         mote_opt_is_set(o, CURLOPT_PROXYAUTH) || (c.proxy && strchr(c.proxy, '@'));
}

bool mote_route_login(const struct mote_transfer *t, const struct mote_route *r, const struct mote_hop *hop,
                      struct mote_route_login *out)
{
  const struct mote_proxy *p = &r->proxy[hop - r->hop];
  const char *user = mote_opt_str(&t->options, CURLOPT_PROXYUSERNAME);
  const char *password = mote_opt_str(&t->options, CURLOPT_PROXYPASSWORD);
  struct choice c;
  bool pre;
  (void)route_proxy_choose(t, &c);
  pre = hop == r->hop && c.pre;
  memset(out, 0, sizeof *out);
  out->coded = p->user.ptr || p->password.ptr;
  if(out->coded) {
    out->user = p->user;
    out->password = p->password;
  }
  else if(!pre) {
    if(user)
      out->user = mote_slice_of(user);
    if(password)
      out->password = mote_slice_of(password);
  }
  return out->user.len || out->password.len;
}

/* ---- how an HTTP proxy is used ---- */

/* Without this check the password would silently not be sent. */
static CURLcode judge_login(struct mote_transfer *t, const struct mote_route *r)
{
  struct mote_route_login login;
  if(!mote_option_has(&t->options, MOTE_OPT_NO_PROXY_AUTH) ||
     !mote_route_login(t, r, &r->hop[r->proxies - 1], &login))
    return CURLE_OK;
  return mote_fail_as(CURLE_NOT_BUILT_IN, &t->report,
                      "CURLOPT_PROXYAUTH asks for a login that is not built in");
}

/* An HTTP proxy cannot pass a request on to another place than its URL's (CURLOPT_CONNECT_TO(3)). */
CURLcode mote_route_judge_tunnel(struct mote_transfer *t, struct mote_route *r, bool elsewhere)
{
  if(r->hop[r->proxies - 1].kind != MOTE_HOP_HTTP)
    return CURLE_OK;
  r->forward = !elsewhere && (t->run->request.scheme->curlproto & (CURLPROTO_HTTP | CURLPROTO_FTP)) &&
               !mote_opt_long(&t->options, CURLOPT_HTTPPROXYTUNNEL);
  return judge_login(t, r);
}
