/* connect/dial_tunnel.c: the request for a tunnel to an HTTP proxy (connect/dial_phases.h;
 * CURLOPT_HTTPPROXYTUNNEL(3), CURLOPT_PROXYHEADER(3)). */
#include <string.h>

#include "base/base64.h"
#include "codec/percent.h"
#include "connect/dial_phases.h"
#include "connect/route.h"
#include "net/conn.h"
#include "stream/tunnel.h"
#include "transfer/debug.h"
#include "transfer/transfer.h"

/* With CURLHEADER_SEPARATE a proxy gets its own lines alone. */
static const struct curl_slist *lines_of(const struct mote_transfer *t)
{
  bool separate = (mote_opt_long(&t->options, CURLOPT_HEADEROPT) & CURLHEADER_SEPARATE) != 0;
  return separate ? mote_opt_ptr(&t->options, CURLOPT_PROXYHEADER)
                  : mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
}

static struct mote_slice name_of(const char *line)
{
  struct mote_slice name = {line, strcspn(line, ":;")};
  return mote_slice_trim(name);
}

static bool has_own(const struct mote_transfer *t, const char *name)
{
  const struct curl_slist *l;
  for(l = lines_of(t); l; l = l->next)
    if(mote_slice_is(name_of(l->data), name))
      return true;
  return false;
}

/* "Name: value", "Name;" (empty value), "Name:" (removal). CONNECT has no body to frame. */
static CURLcode put_line(struct mote_buf *b, const char *line)
{
  struct mote_slice name = name_of(line), value;
  char end = line[strcspn(line, ":;")];
  if(!end || !name.len || mote_slice_is(name, "content-length") || mote_slice_is(name, "transfer-encoding"))
    return CURLE_OK;
  value = mote_slice_trim(mote_slice_of(strchr(line, end) + 1));
  if(end == ':' ? !value.len : value.len)
    return CURLE_OK;
  return mote_buf_addf(b, "%.*s:%s%.*s\r\n", (int)name.len, name.ptr, value.len ? " " : "", (int)value.len,
                       value.ptr);
}

static CURLcode put_plain(struct mote_buf *b, struct mote_slice s, bool coded)
{
  size_t n;
  CURLcode rc;
  if(!coded || !s.len)
    return s.len ? mote_buf_add(b, s.ptr, s.len) : CURLE_OK;
  rc = mote_buf_reserve(b, s.len);
  if(!rc)
    rc = mote_percent_decode(s, 0, b->ptr + b->len, s.len, &n);
  if(!rc)
    b->len += n;
  return rc;
}

/* The route was refused for other schemes than Basic. */
static CURLcode put_login(struct mote_buf *b, const struct mote_route_login *login)
{
  struct mote_buf plain;
  CURLcode rc = mote_buf_add_str(b, "Proxy-Authorization: Basic ");
  mote_buf_init(&plain, b->account, b->part, MOTE_TUNNEL_HEAD_MAX);
  rc = rc ? rc : put_plain(&plain, login->user, login->coded);
  rc = rc ? rc : mote_buf_add(&plain, ":", 1);
  rc = rc ? rc : put_plain(&plain, login->password, login->coded);
  rc = rc ? rc : mote_buf_reserve(b, MOTE_BASE64_SIZE(plain.len));
  if(!rc)
    b->len += mote_base64_encode(b->ptr + b->len, plain.ptr, plain.len);
  mote_buf_close(&plain);
  return rc ? rc : mote_buf_add(b, "\r\n", 2);
}

/* The zone of an IPv6 address means nothing to another machine. */
static CURLcode put_authority(struct mote_buf *b, const struct mote_hop *hop)
{
  const char *zone = memchr(hop->host.ptr, '%', hop->host.len);
  size_t len = zone ? (size_t)(zone - hop->host.ptr) : hop->host.len;
  bool ip6 = memchr(hop->host.ptr, ':', len) != NULL;
  return mote_buf_addf(b, ip6 ? "[%.*s]:%u" : "%.*s:%u", (int)len, hop->host.ptr, (unsigned)hop->port);
}

/* login NULL: without credentials. */
static CURLcode put_head(struct mote_buf *b, struct mote_transfer *t, const struct mote_route *route,
                         const struct mote_hop *hop, const struct mote_route_login *login)
{
  bool old = mote_route_is_old_proxy(route, hop);
  const char *agent = mote_opt_str(&t->options, CURLOPT_USERAGENT);
  const struct curl_slist *l;
  CURLcode rc = mote_buf_add_str(b, "CONNECT ");
  rc = rc ? rc : put_authority(b, hop + 1);
  rc = rc ? rc : mote_buf_add_str(b, old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
  if(!rc && !has_own(t, "Host")) {
    rc = mote_buf_add_str(b, "Host: ");
    rc = rc ? rc : put_authority(b, hop + 1);
    rc = rc ? rc : mote_buf_add(b, "\r\n", 2);
  }
  if(!rc && login)
    rc = put_login(b, login);
  if(!rc && agent && *agent && !has_own(t, "User-Agent"))
    rc = mote_buf_addf(b, "User-Agent: %s\r\n", agent);
  if(!rc && !has_own(t, "Proxy-Connection"))
    rc = mote_buf_add_str(b, "Proxy-Connection: Keep-Alive\r\n");
  for(l = lines_of(t); !rc && l; l = l->next)
    rc = put_line(b, l->data);
  return rc ? rc : mote_buf_add(b, "\r\n", 2);
}

/* Basic alone is sent without being asked for; as one of several schemes, when the proxy has named it. */
CURLcode mote_dial_push_tunnel(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop)
{
  struct mote_conn *c = d->drive.conn;
  struct mote_transfer *t = d->owner;
  bool at_once = mote_opt_long(&t->options, CURLOPT_PROXYAUTH) == (long)CURLAUTH_BASIC;
  struct mote_route_login login;
  struct mote_stream *s;
  struct mote_buf head, second;
  bool has_login = !has_own(t, "Proxy-Authorization") && mote_route_login(t, route, hop, &login);
  CURLcode rc;
  mote_buf_init(&head, c->env.account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  mote_buf_init(&second, c->env.account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  rc = put_head(&head, t, route, hop, has_login && at_once ? &login : NULL);
  if(!rc && has_login && !at_once)
    rc = put_head(&second, t, route, hop, &login);
  if(rc) {
    mote_buf_close(&head);
    mote_buf_close(&second);
    return rc;
  }
  mote_debug(t, CURLINFO_HEADER_OUT, head.ptr, head.len);
  t->run->request.bytes += (uint32_t)head.len;
  rc = mote_tunnel_new(&s, c->top, &c->env, &head, &second);
  return rc ? rc : mote_conn_push(c, s);
}
