/* codec/url/proxy.c: parses a proxy string (codec/url/proxy.h). */
#include "codec/url/proxy.h"

#include <string.h>

#include "codec/url/idn.h"
#include "codec/url/percent.h"
#include "codec/url/url_part.h"

static const struct type {
  const char *name;
  uint8_t type;  /* CURLPROXY_* */
  uint16_t port; /* default; the later rows are for types that no text names */
} types[] = {
  {"http", CURLPROXY_HTTP, 80},
  {"https", CURLPROXY_HTTPS, 443},
  {"socks", CURLPROXY_SOCKS4, 1080},
  {"socks4", CURLPROXY_SOCKS4, 1080},
  {"socks4a", CURLPROXY_SOCKS4A, 1080},
  {"socks5", CURLPROXY_SOCKS5, 1080},
  {"socks5h", CURLPROXY_SOCKS5_HOSTNAME, 1080},
  {"", CURLPROXY_HTTP_1_0, 80},
  {"", CURLPROXY_HTTPS2, 443},
};

#define TYPES (sizeof types / sizeof *types)

static const struct type *url_proxy_named(struct mote_slice name)
{
  size_t i;
  for(i = 0; i < TYPES; i++)
    if(name.len && mote_slice_is(name, types[i].name))
      return &types[i];
  return NULL;
}

/* The names of HTTP proxies do not say the version of HTTP. */
static bool url_proxy_leaves_open(uint8_t named, uint8_t type)
{
  return (named == CURLPROXY_HTTP && type == CURLPROXY_HTTP_1_0) ||
         (named == CURLPROXY_HTTPS && type == CURLPROXY_HTTPS2);
}

static uint16_t url_proxy_default_port(uint8_t type)
{
  size_t i;
  for(i = 0; i < TYPES; i++)
    if(types[i].type == type)
      return types[i].port;
  return 1080;
}

/* Decodes into the room, with a NUL. */
static CURLUcode url_proxy_decode(struct mote_proxy *p, struct mote_slice text, unsigned flags, CURLUcode bad)
{
  size_t len;
  CURLcode rc = mote_percent_decode(text, flags, p->room, sizeof p->room - 1, &len);
  if(rc)
    return rc == CURLE_TOO_LARGE ? CURLUE_TOO_LARGE : bad;
  p->room[len] = 0;
  p->host.ptr = p->room;
  p->host.len = len;
  return CURLUE_OK;
}

static CURLUcode url_proxy_take_name(struct mote_proxy *p, struct mote_slice name)
{
  char ace[MOTE_IDN_MAX_ASCII];
  size_t len;
  CURLUcode rc = CURLUE_OK;
  p->host = name;
  if(memchr(name.ptr, '%', name.len))
    rc = url_proxy_decode(p, name, 0, CURLUE_BAD_HOSTNAME);
  if(rc || !mote_idn_needed(p->host))
    return rc;
  rc = mote_idn_to_ascii(p->host, ace, &len);
  if(rc)
    return CURLUE_BAD_HOSTNAME;
  memcpy(p->room, ace, len);
  p->room[len] = 0;
  p->host.ptr = p->room;
  p->host.len = len;
  return CURLUE_OK;
}

/* An IPv4 address may be written in other ways than the normal one. How an IPv6 address is written does not
 * matter, and its zone id follows it. */
static CURLUcode url_proxy_take_host(struct mote_proxy *p, const struct mote_host *host)
{
  if(host->kind == MOTE_HOST_NAME)
    return url_proxy_take_name(p, host->raw);
  p->host = host->raw;
  if(host->kind == MOTE_HOST_IPV4) {
    memcpy(p->room, host->literal, host->literal_len);
    p->room[host->literal_len] = 0;
    p->host.ptr = p->room;
    p->host.len = host->literal_len;
  }
  else if(host->zone.ptr)
    p->host.len = (size_t)(host->zone.ptr + host->zone.len - host->raw.ptr);
  return CURLUE_OK;
}

static CURLUcode url_proxy_take_path(struct mote_proxy *p, struct mote_slice path)
{
  if(!mote_proxy_is_socks(p) || path.len < 2 || !mote_slice_is(p->host, "localhost"))
    return CURLUE_OK;
  p->path = true;
  p->port = 0;
  return url_proxy_decode(p, path, MOTE_PERCENT_REJECT_NUL, CURLUE_BAD_PATH);
}

/* "host:" is no text of a proxy, as it has neither scheme nor port (as seen with libcurl 8.23). */
static bool lacks_port(const struct mote_url_raw *raw)
{
  struct mote_slice last = raw->host.zone.ptr ? raw->host.zone : raw->host.raw;
  const char *end = last.ptr + last.len;
  return !mote_url_raw_has(raw, MOTE_URL_PORT) && *(end + (*end == ']')) == ':';
}

CURLUcode mote_proxy_parse(struct mote_proxy *p, const char *text, uint8_t type)
{
  struct mote_url_how how = {
    .flags = CURLU_DEFAULT_SCHEME | CURLU_NON_SUPPORT_SCHEME, .default_scheme = {"none", 4},
  };
  struct mote_url_raw raw;
  size_t len = strlen(text);
  CURLUcode rc = mote_url_split(&raw, text, len, &how);
  if(rc)
    return rc;
  memset(p, 0, sizeof *p);
  p->type = type;
  if(mote_url_scheme_len(text, len, true)) {
    const struct type *found = url_proxy_named(raw.part[MOTE_URL_SCHEME]);
    if(!found)
      return CURLUE_UNSUPPORTED_SCHEME;
    if(!url_proxy_leaves_open(found->type, type))
      p->type = found->type;
  }
  else if(lacks_port(&raw))
    return CURLUE_BAD_PORT_NUMBER;
  p->stated_port = mote_url_raw_has(&raw, MOTE_URL_PORT);
  p->port = p->stated_port ? raw.port : url_proxy_default_port(p->type);
  if(mote_url_raw_has(&raw, MOTE_URL_USER))
    p->user = raw.part[MOTE_URL_USER];
  if(mote_url_raw_has(&raw, MOTE_URL_PASSWORD))
    p->password = raw.part[MOTE_URL_PASSWORD];
  rc = url_proxy_take_host(p, &raw.host);
  return rc ? rc : url_proxy_take_path(p, raw.part[MOTE_URL_PATH]);
}
