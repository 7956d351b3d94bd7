/* protocol/http2/h2_push.c: requests that the server makes in our place (RFC 9113 section 8.4). The
 * application takes each of them as a transfer of its own, or refuses it (CURLMOPT_PUSHFUNCTION(3)). */
#include <string.h>

#include "base/buf.h"
#include "codec/url/url.h"
#include "connect/dial/dial.h"
#include "engine/multi.h"
#include "engine/start.h"
#include "http/request.h"
#include "net/mux/mux.h"
#include "port/port.h"
#include "protocol/http2/h2.h"
#include "transfer/callback.h"
#include "transfer/multi/push.h"
#include "transfer/report/progress.h"

/* ---- the fields of a promise ---- */

/* The fields of a request that the server promises; session.promise. */
struct promise {
  struct mote_buf lines; /* "name:value" and a NUL each */
  uint32_t count;        /* of them */
  bool lost;             /* a line had no room, and the promise is refused */
};

void mote_h2_push_begin(struct mote_h2_session *s)
{
  struct promise *p = mote_h2_memory_take(s, sizeof *p);
  s->promise = p;
  if(p)
    mote_buf_init(&p->lines, s->memory.account, MOTE_PART_CONN, MOTE_MUX_HEAD_MAX);
}

static void h2_push_free(struct mote_h2_session *s, struct promise *p)
{
  if(p)
    mote_buf_close(&p->lines);
  mote_h2_memory_put(s, p);
}

void mote_h2_push_drop(struct mote_h2_session *s)
{
  h2_push_free(s, s->promise);
}

void mote_h2_push_field(struct mote_h2_session *s, struct mote_slice name, struct mote_slice value)
{
  struct promise *p = s->promise;
  if(!p || p->lost)
    return;
  p->lost = mote_buf_add(&p->lines, name.ptr, name.len) || mote_buf_add(&p->lines, ":", 1) ||
            mote_buf_add(&p->lines, value.ptr, value.len) || mote_buf_add(&p->lines, "", 1);
  p->count++;
}

/* ---- the request that is promised ---- */

/* A promise, and the stream that it came on. */
struct offer {
  struct mote_h2 *h;
  struct mote_mux_exchange *parent;
  int32_t id; /* of the promised stream */
  struct curl_pushheaders fields;
};

static bool list_lines(struct offer *o, const struct promise *p)
{
  const char *at = p->lines.ptr;
  o->fields.lines = mote_h2_memory_take(&o->h->session, p->count * sizeof *o->fields.lines);
  if(!o->fields.lines)
    return false;
  while(o->fields.count < p->count) {
    o->fields.lines[o->fields.count++] = (char *)(uintptr_t)at;
    at += strlen(at) + 1;
  }
  return true;
}

char *mote_push_field(const struct curl_pushheaders *h, const char *name)
{
  size_t i, len = strlen(name);
  for(i = 0; i < h->count; i++) {
    char *line = h->lines[i], *colon = strchr(line + 1, ':');
    if((size_t)(colon - line) == len && !memcmp(line, name, len))
      return colon + 1;
  }
  return NULL;
}

static struct mote_slice h2_push_field(const struct offer *o, const char *name)
{
  return mote_slice_of(mote_push_field(&o->fields, name));
}

/* nghttp2 lets no promise pass that lacks one of the three. */
static char *h2_push_print_url(const struct offer *o)
{
  struct mote_slice scheme = h2_push_field(o, ":scheme"), path = h2_push_field(o, ":path");
  struct mote_slice authority = h2_push_field(o, ":authority");
  char *url = mote_h2_memory_take(&o->h->session, scheme.len + authority.len + path.len + 4), *at = url;
  if(!url)
    return NULL;
  memcpy(at, scheme.ptr, scheme.len);
  at += scheme.len;
  memcpy(at, "://", 3);
  memcpy(at + 3, authority.ptr, authority.len);
  at += 3 + authority.len;
  memcpy(at, path.ptr, path.len);
  return url;
}

static bool is_origin_of(const struct mote_transfer *t, const struct mote_url *url)
{
  struct mote_url own;
  mote_url_unpack(&t->run->request.url, &own);
  return mote_url_same_origin(&own, url);
}

/* A server speaks for its own origin alone (RFC 9113 section 10.1), and never says whose it is. */
static bool is_authoritative(const struct offer *o, const char *text)
{
  struct mote_transfer *t = o->parent->t;
  struct mote_url_how how = {.account = &t->account};
  struct mote_url url;
  bool same;
  how.flags = MOTE_URL_IDN | CURLU_PATH_AS_IS | CURLU_DISALLOW_USER;
  same = !mote_url_parse(&url, text, strlen(text), &how) && is_origin_of(t, &url);
  mote_url_close(&url);
  return same;
}

static bool has_same_scheme(const struct offer *o)
{
  const struct mote_url_packed *url = &o->parent->t->run->request.url;
  return mote_slice_same(h2_push_field(o, ":scheme"), (struct mote_slice){url->text, url->scheme_len});
}

static bool h2_push_has_any(const struct mote_options *o, const CURLoption *options, size_t count)
{
  size_t i;
  for(i = 0; i < count && !mote_opt_is_set(o, options[i]); i++)
    ;
  return i < count;
}

/* The new handle has the options of its parent, and the URL of the promise as the application's own. What the
 * parent keeps from the origin that it was redirected to would be for that origin then: credentials, unless
 * they are for all (CURLOPT_UNRESTRICTED_AUTH(3)), and the client's certificate. */
static bool h2_push_discloses(const struct offer *o)
{
  static const CURLoption credentials[] = {CURLOPT_USERNAME, CURLOPT_PASSWORD, CURLOPT_XOAUTH2_BEARER,
                                           CURLOPT_HTTPSIG_KEY, CURLOPT_COOKIE};
  static const CURLoption client[] = {CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, CURLOPT_TLSAUTH_USERNAME};
  const struct mote_transfer *t = o->parent->t;
  if(!t->run->request.other_origin)
    return false;
  if(h2_push_has_any(&t->options, client, sizeof client / sizeof *client))
    return true;
  return !mote_transfer_may_log_in(t) &&
         (mote_http_own_line(t, "Authorization") || mote_http_own_line(t, "Cookie") ||
          h2_push_has_any(&t->options, credentials, sizeof credentials / sizeof *credentials));
}

/* ---- what becomes of it ---- */

/* The request that the promise came with ends, and is not made again. */
static void fail_parent(const struct offer *o, CURLcode rc, const char *why)
{
  struct mote_event e = {.kind = MOTE_EVENT_FAILED, .rc = rc};
  struct mote_transfer *t = o->parent->t;
  mote_lease_judge(&t->run->lease, MOTE_RETRY_NEVER);
  mote_fail(&t->report, "%s", why);
  mote_channel_deliver(t, &e);
}

/* The application may set options of the new handle, and neither end nor start it. */
static int h2_push_ask(struct offer *o, struct mote_transfer *t)
{
  struct mote_transfer *parent = o->parent->t;
  const struct mote_push *push = parent->multi->push;
  struct mote_callback_guard before = mote_callback_enter(parent);
  int answer;
  t->in_callback = true;
  answer = push->fn(parent->msg.easy_handle, t->msg.easy_handle, o->fields.count, &o->fields, push->data);
  t->in_callback = false;
  mote_callback_leave(parent, before);
  return answer;
}

/* The application may have given the handle another URL, which no server has promised. */
static bool still_fits(const struct offer *o, const struct mote_transfer *t)
{
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  return is_origin_of(o->parent->t, &url) && !mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY);
}

/* Begins the exchange on the connection, as engine/states.c does where one was chosen. CURLE_AGAIN:
 * likewise. Other errors end the transfer. */
static CURLcode h2_push_begin(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc = mote_connect_join(t, c);
  if(!rc)
    rc = mote_dial_prereq(t);
  if(rc)
    return rc;
  mote_transfer_set_active(t, true);
  t->state = MOTE_STATE_EXCHANGE;
  mote_mark_set(&r->stats, MOTE_MARK_PRETRANSFER, now);
  mote_lease_enter(&r->lease, MOTE_PHASE_EXCHANGE);
  rc = r->request.scheme->protocol->begin(t);
  return rc ? rc : mote_speed_check(t, now, false);
}

/* Its request is as good as sent. A transfer that does not get so far is in the multi all the same, where it
 * ends with its error or makes a request of its own. */
static bool h2_push_join(struct offer *o, struct mote_transfer *t)
{
  mote_time now = mote_port_now();
  struct mote_mux_exchange *s;
  CURLcode rc;
  mote_multi_add(mote_mux_multi(&o->h->link), t);
  rc = mote_start_request(t, now);
  if(!rc && !still_fits(o, t))
    return false;
  if(!rc)
    rc = h2_push_begin(t, o->h->link.drive.conn, now);
  if(rc && rc != CURLE_AGAIN) {
    mote_transfer_finish(t, rc);
    return false;
  }
  s = mote_mux_exchange_of(t);
  mote_h2_adopt(&o->h->session, &s->stream, o->id);
  t->run->request.stage = MOTE_REQUEST_ASKED;
  /* a promise that is not kept is no request to be made again */
  mote_lease_judge(&t->run->lease, MOTE_RETRY_NEVER);
  mote_http_expect_response(t);
  mote_mux_upload_sent(t);
  return true;
}

/* Returns CURL_PUSH_*. */
static int h2_push_decide(struct offer *o, const char *url, bool head)
{
  const struct mote_push *push = mote_mux_multi(&o->h->link)->push;
  struct mote_transfer *t = push->make(o->parent->t, url, head);
  int answer;
  if(!t)
    return CURL_PUSH_DENY;
  answer = h2_push_ask(o, t);
  if(answer != CURL_PUSH_OK) {
    push->drop(t);
    return answer;
  }
  return h2_push_join(o, t) ? CURL_PUSH_OK : CURL_PUSH_DENY;
}

/* Returns the code with which the stream is refused. Methods other than these are not for pushes
 * (RFC 9113 section 8.4). */
static uint32_t h2_push_judge(struct offer *o, const char *url)
{
  struct mote_slice method = h2_push_field(o, ":method");
  bool head = mote_slice_is(method, "HEAD");
  if(!head && !mote_slice_is(method, "GET"))
    return NGHTTP2_PROTOCOL_ERROR;
  if(!has_same_scheme(o))
    return NGHTTP2_CANCEL;
  if(!is_authoritative(o, url)) {
    fail_parent(o, CURLE_RECV_ERROR, "The server has pushed a response for another host");
    return NGHTTP2_PROTOCOL_ERROR;
  }
  if(h2_push_discloses(o))
    return NGHTTP2_CANCEL;
  switch(h2_push_decide(o, url, head)) {
  case CURL_PUSH_OK:
    return NGHTTP2_NO_ERROR;
  case CURL_PUSH_ERROROUT:
    fail_parent(o, CURLE_HTTP2_STREAM, "The application has refused a push and the request it came with");
    return NGHTTP2_CANCEL;
  default:
    return NGHTTP2_CANCEL;
  }
}

/* A promise that memory is too short for is refused, and nothing else ends. */
static uint32_t h2_push_consider(struct offer *o, const struct promise *p)
{
  uint32_t code = NGHTTP2_CANCEL;
  char *url;
  if(!list_lines(o, p))
    return code;
  url = h2_push_print_url(o);
  if(url)
    code = h2_push_judge(o, url);
  mote_h2_memory_put(&o->h->session, url);
  mote_h2_memory_put(&o->h->session, o->fields.lines);
  return code;
}

static bool is_for_application(const struct mote_h2 *h, const struct mote_mux_exchange *parent)
{
  return parent && mote_push_is_wanted(mote_mux_multi(&h->link)) && !mote_transfer_is_internal(parent->t);
}

uint32_t mote_h2_push_end(struct mote_h2_session *session, void *promise, struct mote_mux_stream *parent,
                          int32_t id)
{
  struct mote_h2 *h = mote_h2_of_session(session);
  struct promise *p = promise;
  struct offer o = {.h = h, .parent = parent ? mote_mux_exchange_with(parent) : NULL, .id = id};
  uint32_t code = NGHTTP2_CANCEL;
  if(p && !p->lost && is_for_application(h, o.parent))
    code = h2_push_consider(&o, p);
  h2_push_free(session, p);
  return code;
}
