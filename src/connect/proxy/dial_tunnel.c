/* connect/proxy/dial_tunnel.c: the request for a tunnel to an HTTP proxy (connect/dial/dial_phases.h;
 * CURLOPT_HTTPPROXYTUNNEL(3), CURLOPT_PROXYHEADER(3)). */
#include <string.h>

#include "base/text/format.h"
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/mux/fields.h"
#include "stream/tunnel.h"
#include "transfer/login.h"
#include "transfer/report/debug.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

/* With CURLHEADER_SEPARATE a proxy gets its own lines alone. */
static bool is_separate(const struct mote_transfer *t)
{
  return (mote_opt_long(&t->options, CURLOPT_HEADEROPT) & CURLHEADER_SEPARATE) != 0;
}

static const struct curl_slist *dial_tunnel_lines_of(const struct mote_transfer *t)
{
  return is_separate(t) ? mote_opt_ptr(&t->options, CURLOPT_PROXYHEADER)
                        : mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
}

/* A line without ':' and ';' has no name. */
static struct mote_slice dial_tunnel_name_of(const char *line)
{
  struct mote_slice name = {line, strcspn(line, ":;")};
  if(!line[name.len])
    name.len = 0;
  return mote_slice_trim(name);
}

bool mote_dial_has_proxy_line(const struct mote_transfer *t, const char *name)
{
  const struct curl_slist *l;
  for(l = dial_tunnel_lines_of(t); l; l = l->next)
    if(mote_slice_is(dial_tunnel_name_of(l->data), name))
      return true;
  return false;
}

/* The lines so far. */
struct lines {
  struct mote_transfer *t;
  struct mote_buf *b;
  struct mote_buf *notes;     /* of fields, for a proxy that is spoken to by HTTP/2; or NULL */
  struct mote_mux_note field; /* of the current line */
};

static CURLcode dial_tunnel_put_name(struct lines *l, struct mote_slice name)
{
  l->field.name = (uint32_t)l->b->len;
  l->field.name_len = (uint32_t)name.len;
  l->field.value = (uint32_t)(l->b->len + name.len + 2);
  return mote_buf_addf(l->b, "%.*s: ", (int)name.len, name.ptr);
}

/* Where the authority is, Host is left out, and CONNECT has no content. */
static CURLcode dial_tunnel_note(struct lines *l)
{
  struct mote_slice name = {l->b->ptr + l->field.name, l->field.name_len};
  switch(mote_mux_judge(l->b->ptr, l->b->len, &l->field)) {
  case MOTE_MUX_SENT:
    if(mote_slice_is(name, "host") || mote_slice_is(name, "content-length"))
      return CURLE_OK;
    return mote_buf_add(l->notes, &l->field, sizeof l->field);
  case MOTE_MUX_HAS_LINE_END:
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &l->t->report,
                        "a field for the proxy has a line end in it");
  default:
    return CURLE_OK;
  }
}

static CURLcode dial_tunnel_end_line(struct lines *l)
{
  CURLcode rc = l->notes ? dial_tunnel_note(l) : CURLE_OK;
  return rc ? rc : mote_buf_add(l->b, "\r\n", 2);
}

/* "Name: value", "Name;" (empty value), "Name:" (removal). CONNECT has no body that a line for all requests
 * could frame. */
static CURLcode dial_tunnel_put_line(struct lines *l, const char *line, bool own)
{
  struct mote_slice name = dial_tunnel_name_of(line), value;
  CURLcode rc;
  char end = line[strcspn(line, ":;")];
  if(!name.len ||
     (!own && (mote_slice_is(name, "content-length") || mote_slice_is(name, "transfer-encoding"))))
    return CURLE_OK;
  value = mote_slice_trim(mote_slice_of(strchr(line, end) + 1));
  if(end == ':' ? !value.len : value.len)
    return CURLE_OK;
  rc = dial_tunnel_put_name(l, name);
  rc = rc ? rc : mote_buf_add(l->b, value.ptr, value.len);
  return rc ? rc : dial_tunnel_end_line(l);
}

/* The zone of an IPv6 address means nothing to another machine. */
static CURLcode dial_tunnel_put_authority(struct mote_buf *b, const struct mote_hop *hop)
{
  const char *zone = memchr(hop->host.ptr, '%', hop->host.len);
  size_t len = zone ? (size_t)(zone - hop->host.ptr) : hop->host.len;
  bool ip6 = memchr(hop->host.ptr, ':', len) != NULL;
  return mote_buf_addf(b, ip6 ? "[%.*s]:%u" : "%.*s:%u", (int)len, hop->host.ptr, (unsigned)hop->port);
}

/* The digest's target is the request's (RFC 9110 section 9.3.6). */
static CURLcode dial_tunnel_put_value(struct mote_buf *b, const struct mote_login *l,
                                      const struct mote_auth_scheme *scheme, const struct mote_hop *next)
{
  struct mote_auth_request r = {.method = mote_slice_of("CONNECT")};
  struct mote_buf target;
  CURLcode rc;
  mote_buf_init(&target, b->account, b->part, MOTE_TUNNEL_HEAD_MAX);
  rc = dial_tunnel_put_authority(&target, next);
  r.target.ptr = target.ptr;
  r.target.len = target.len;
  rc = rc ? rc : mote_login_put(l, scheme, &r, b);
  mote_buf_close(&target);
  return rc;
}

static CURLcode dial_tunnel_put_login(struct lines *to, struct mote_dial *d, const struct mote_route *route,
                                      const struct mote_hop *hop)
{
  struct mote_login l;
  bool ready;
  const struct mote_auth_scheme *scheme;
  CURLcode rc;
  d->login = (struct mote_login_round){.sent = 0};
  if(mote_dial_has_proxy_line(d->owner, "Proxy-Authorization"))
    return CURLE_OK;
  mote_route_find_login(d->owner, route, hop, &l);
  scheme = mote_login_scheme(&l, &ready);
  mote_info_note_proxy_used(d->owner, scheme ? scheme->bit : 0);
  if(!ready)
    return CURLE_OK;
  /* also without a ticket, which a challenge would not change */
  d->login.sent = mote_login_number(scheme->bit) & 7u;
  if(!mote_login_open(&l, scheme, &rc))
    return rc;
  rc = dial_tunnel_put_name(to, mote_slice_of("Proxy-Authorization"));
  rc = rc ? rc : dial_tunnel_put_value(to->b, &l, scheme, hop + 1);
  return rc ? rc : dial_tunnel_end_line(to);
}

/* What is said of the client comes first, and then the application's lines. */
static CURLcode dial_tunnel_put_fields(struct lines *to)
{
  struct mote_transfer *t = to->t;
  const char *agent = mote_opt_str(&t->options, CURLOPT_USERAGENT);
  const struct curl_slist *l;
  CURLcode rc = CURLE_OK;
  if(agent && *agent && !mote_dial_has_proxy_line(t, "User-Agent")) {
    rc = dial_tunnel_put_name(to, mote_slice_of("User-Agent"));
    rc = rc ? rc : mote_buf_add_str(to->b, agent);
    rc = rc ? rc : dial_tunnel_end_line(to);
  }
  if(!rc && !mote_dial_has_proxy_line(t, "Proxy-Connection"))
    rc = dial_tunnel_put_line(to, "Proxy-Connection: Keep-Alive", true);
  for(l = dial_tunnel_lines_of(t); !rc && l; l = l->next)
    rc = dial_tunnel_put_line(to, l->data, is_separate(t));
  return rc;
}

/* Also as the pseudo-fields of a stream (RFC 9113 section 8.5). */
static CURLcode dial_tunnel_put_first_line(struct lines *l, const struct mote_hop *next, bool old)
{
  struct mote_mux_note pseudo[] = {{0, 0, 0, 7}, {0, 0, 8, 0}};
  CURLcode rc = mote_buf_add_str(l->b, "CONNECT ");
  rc = rc ? rc : dial_tunnel_put_authority(l->b, next);
  pseudo[1].value_len = (uint32_t)l->b->len - pseudo[1].value;
  if(!rc && l->notes)
    rc = mote_buf_add(l->notes, pseudo, sizeof pseudo);
  return rc ? rc : mote_buf_add_str(l->b, old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
}

CURLcode mote_dial_put_connect(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop, struct mote_tunnel_head *head)
{
  struct mote_transfer *t = d->owner;
  struct mote_buf *b = &head->text;
  struct lines to = {.t = t, .b = b, .notes = mote_dial_has_h2_tunnel(d->drive.conn) ? &head->notes : NULL};
  CURLcode rc = dial_tunnel_put_first_line(&to, hop + 1, mote_route_is_old_proxy(route, hop));
  if(!rc && !mote_dial_has_proxy_line(t, "Host")) {
    rc = dial_tunnel_put_name(&to, mote_slice_of("Host"));
    rc = rc ? rc : dial_tunnel_put_authority(b, hop + 1);
    rc = rc ? rc : dial_tunnel_end_line(&to);
  }
  rc = rc ? rc : dial_tunnel_put_login(&to, d, route, hop);
  rc = rc ? rc : dial_tunnel_put_fields(&to);
  rc = rc ? rc : mote_buf_add(b, "\r\n", 2);
  if(rc)
    return rc;
  mote_debug(t, CURLINFO_HEADER_OUT, b->ptr, b->len);
  t->run->request.bytes += (uint32_t)b->len;
  return CURLE_OK;
}

CURLcode mote_dial_push_tunnel(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop)
{
  struct mote_conn *c = d->drive.conn;
  struct mote_stream *s;
  struct mote_tunnel_head head;
  char room[MOTE_TUNNEL_STEP]; /* for nearly all heads, which are sent at once */
  CURLcode rc;
  mote_buf_borrow(&head.text, c->env.account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX, room, sizeof room);
  mote_buf_init(&head.notes, c->env.account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  rc = mote_dial_put_connect(d, route, hop, &head);
  if(rc) {
    mote_buf_close(&head.text);
    mote_buf_close(&head.notes);
    return rc;
  }
  rc = mote_tunnel_new(&s, c->top, &c->env, &head);
  return rc ? rc : mote_conn_push(c, s);
}
