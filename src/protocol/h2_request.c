/* protocol/h2_request.c: the head of a request over HTTP/2, and its body (protocol/h2.h). */
#include <string.h>

#include "base/report.h"
#include "http/request.h"
#include "port/port.h"
#include "protocol/h2.h"
#include "transfer/debug.h"
#include "transfer/multi.h"
#include "transfer/progress.h"
#include "transfer/source.h"

/* ---- the head, as lines ---- */

/* It is written as HTTP/1 has it, which is what the application sees, and then cut into fields. */
static void begin_head(struct mote_http_writer *w)
{
  mote_http_put_text(w, mote_http_method(w->t));
  mote_http_put(w, " ", 1);
  mote_http_put_target(w);
  mote_http_put_text(w, " HTTP/2\r\n");
}

static void begin_line(struct mote_http_writer *w, const char *name, size_t len)
{
  mote_http_put(w, name, len);
  mote_http_put(w, ":", 1);
}

static void end_line(struct mote_http_writer *w)
{
  mote_http_put(w, "\r\n", 2);
}

static void put_nothing(struct mote_http_writer *w)
{
  (void)w;
}

static bool replaces_nothing(const struct mote_http_writer *w, struct mote_slice name, const char *rest)
{
  (void)w;
  (void)name;
  (void)rest;
  return false;
}

static const struct mote_http_wire lines = {
  .hop_by_hop = false,
  .begin = begin_head,
  .field = begin_line,
  .end = end_line,
  .framing = put_nothing,
  .replaces = replaces_nothing,
  .finish = end_line,
};

/* ---- the head, as fields ---- */

struct cut {
  nghttp2_nv *fields;
  size_t count;
};

/* nghttp2 copies names and values, except for those that live longer. */
static void add(struct cut *c, const char *name, size_t name_len, const char *value, size_t value_len,
                uint8_t flags)
{
  nghttp2_nv *nv = &c->fields[c->count++];
  nv->name = (uint8_t *)(uintptr_t)name;
  nv->namelen = name_len;
  nv->value = (uint8_t *)(uintptr_t)value;
  nv->valuelen = value_len;
  nv->flags = flags;
}

/* Fields of the connection, which HTTP/2 does not have (RFC 9113 section 8.2.2). */
static bool is_left_out(struct mote_slice name, struct mote_slice value)
{
  static const char *const names[] = {"connection", "upgrade", "keep-alive", "proxy-connection",
                                      "transfer-encoding"};
  size_t i;
  if(mote_slice_is(name, "te"))
    return !mote_slice_is(value, "trailers");
  for(i = 0; i < sizeof names / sizeof *names; i++)
    if(mote_slice_is(name, names[i]))
      return true;
  return false;
}

static void lower(char *p, size_t len)
{
  size_t i;
  for(i = 0; i < len; i++)
    if(p[i] >= 'A' && p[i] <= 'Z')
      p[i] = (char)(p[i] | 0x20);
}

/* Cuts a line, whose length is without its end. */
static void cut_line(struct cut *c, char *line, size_t len)
{
  const char *colon = memchr(line, ':', len);
  struct mote_slice name = {line, colon ? (size_t)(colon - line) : len}, value;
  if(!colon)
    return;
  value.ptr = colon + 1;
  value.len = len - name.len - 1;
  if(value.len && *value.ptr == ' ') {
    value.ptr++;
    value.len--;
  }
  if(is_left_out(name, value))
    return;
  lower(line, name.len);
  add(c, name.ptr, name.len, value.ptr, value.len, NGHTTP2_NV_FLAG_NONE);
}

/* The first line has method and target; Host, where there is one, comes next. */
static void cut_head(struct cut *c, const struct mote_transfer *t, char *p, size_t len)
{
  static const char version[] = " HTTP/2";
  char *end = memchr(p, '\n', len);
  size_t first = (size_t)(end - p) - 1, method = (size_t)((char *)memchr(p, ' ', len) - p);
  bool tls = t->run->request.scheme->tls != MOTE_SECURE_NEVER;
  char *at = end + 1, *last = p + len;
  add(c, ":method", 7, p, method, NGHTTP2_NV_FLAG_NO_COPY_NAME);
  add(c, ":scheme", 7, tls ? "https" : "http", tls ? 5 : 4,
      NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE);
  if(last - at > 5 && mote_equal_nocase_n(at, "host:", 5)) {
    end = memchr(at, '\n', (size_t)(last - at));
    cut_line(c, at, (size_t)(end - at) - 1);
    c->fields[2].name = (uint8_t *)(uintptr_t)":authority";
    c->fields[2].namelen = 10;
    c->fields[2].flags = NGHTTP2_NV_FLAG_NO_COPY_NAME;
    at = end + 1;
  }
  add(c, ":path", 5, p + method + 1, first - method - 1 - (sizeof version - 1), NGHTTP2_NV_FLAG_NO_COPY_NAME);
  while(at < last) {
    end = memchr(at, '\n', (size_t)(last - at));
    cut_line(c, at, (size_t)(end - at) - 1);
    at = end + 1;
  }
}

static size_t count_lines(const char *p, size_t len)
{
  const char *end = p + len;
  size_t count = 0;
  while((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
    p++;
    count++;
  }
  return count;
}

/* ---- the body ---- */

/* The step's time may precede PRETRANSFER, which must not be later. */
static void mark_sent(struct mote_transfer *t)
{
  struct mote_stats *st = &t->run->stats;
  mote_http_of(t)->sending = MOTE_HTTP_SEND_DONE;
  if(t->run->response.got_bytes)
    return;
  mote_mark_set(st, MOTE_MARK_POSTTRANSFER, mote_port_now());
  if(st->mark[MOTE_MARK_POSTTRANSFER] < st->mark[MOTE_MARK_PRETRANSFER])
    st->mark[MOTE_MARK_POSTTRANSFER] = st->mark[MOTE_MARK_PRETRANSFER];
}

static ssize_t defer(struct mote_h2_stream *s)
{
  s->deferred = true;
  return NGHTTP2_ERR_DEFERRED;
}

/* The transfer ends in its next step. */
static ssize_t fail_source(struct mote_h2_stream *s, CURLcode rc)
{
  s->source = rc;
  mote_transfer_wake(s->t);
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static ssize_t read_piece(struct mote_h2_stream *s, uint8_t *to, size_t most, uint32_t *flags)
{
  struct mote_transfer *t = s->t;
  struct mote_piece p = {.room = (char *)to, .most = most};
  CURLcode rc = mote_source_read(t, &p);
  if(rc)
    return rc == CURLE_AGAIN ? defer(s) : fail_source(s, rc);
  if(p.len && p.bytes != p.room)
    memcpy(to, p.bytes, p.len);
  if(p.len) {
    mote_debug(t, CURLINFO_DATA_OUT, (char *)to, p.len);
    mote_speed_passed_up(t, p.len);
    t->run->stats.bytes_up += (curl_off_t)p.len;
  }
  if(p.end) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    mark_sent(t);
  }
  else if(!p.len) {
    mote_transfer_wake(t);
    return defer(s);
  }
  return (ssize_t)p.len;
}

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t most, uint32_t *flags,
                         nghttp2_data_source *source, void *user)
{
  struct mote_h2_stream *s = nghttp2_session_get_stream_user_data(session, id);
  long wish;
  (void)source;
  (void)user;
  if(!s || s->source)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  if(s->http.sending == MOTE_HTTP_SEND_DONE || s->http.sending == MOTE_HTTP_SEND_WAIT ||
     s->t->run->flow.send.paused)
    return defer(s);
  wish = mote_opt_long(&s->t->options, CURLOPT_UPLOAD_BUFFERSIZE);
  if(wish > 0 && wish < (long)most)
    most = (size_t)wish;
  if(s->t->run->speed)
    most = mote_speed_allow_up(s->t, mote_port_now(), most);
  return most ? read_piece(s, to, most, flags) : defer(s);
}

static void check_expect(struct mote_transfer *t, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  if(h->sending != MOTE_HTTP_SEND_WAIT || !mote_timer_due(t, MOTE_TIMER_STATE, now))
    return;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_info(&t->report, "Done waiting for 100-continue");
  h->sending = MOTE_HTTP_SEND_BODY;
}

void mote_h2_request_go_on(struct mote_transfer *t, mote_time now)
{
  struct mote_h2_stream *s = mote_h2_stream_of(t);
  struct mote_h2 *h = mote_h2_of(t);
  check_expect(t, now);
  if(!s->deferred || s->http.sending != MOTE_HTTP_SEND_BODY || t->run->flow.send.paused || h->broken ||
     s->closed)
    return;
  s->deferred = false;
  (void)nghttp2_session_resume_data(h->session, s->id);
  mote_drive_soon(&h->drive);
}

/* ---- the request ---- */

static CURLcode submit(struct mote_transfer *t, const struct cut *c)
{
  struct mote_h2_stream *s = mote_h2_stream_of(t);
  struct mote_h2 *h = mote_h2_of(t);
  nghttp2_data_provider body = {.read_callback = read_body};
  bool has_body = s->http.sending != MOTE_HTTP_SEND_DONE;
  int32_t id = nghttp2_submit_request(h->session, NULL, c->fields, c->count, has_body ? &body : NULL, s);
  if(id == NGHTTP2_ERR_NOMEM)
    return CURLE_OUT_OF_MEMORY;
  if(id < 0)
    return CURLE_HTTP2;
  s->id = id;
  mote_drive_soon(&h->drive);
  return CURLE_OK;
}

/* The fields lie after the head, in the multi's buffer or in a block. */
static CURLcode open_stream(struct mote_transfer *t, char *head, size_t len, size_t cap)
{
  size_t at = (len + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
  size_t need = (count_lines(head, len) + 4) * sizeof(nghttp2_nv);
  const uintptr_t odd = sizeof(void *) - 1;
  struct mote_kept *block = NULL;
  struct cut c = {(nghttp2_nv *)(void *)(head + at), 0};
  CURLcode rc;
  if(at > cap || cap - at < need) {
    block = mote_kept_new(t, need + sizeof(void *));
    if(!block)
      return CURLE_OUT_OF_MEMORY;
    c.fields = (nghttp2_nv *)(((uintptr_t)block->bytes + odd) & ~odd);
  }
  cut_head(&c, t, head, len);
  rc = submit(t, &c);
  mote_kept_free(t, block);
  return rc;
}

static CURLcode write_head(struct mote_http_writer *w, struct mote_transfer *t)
{
  memset(w, 0, sizeof *w);
  w->t = t;
  w->wire = &lines;
  w->ptr = mote_schedule_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  if(!w->ptr)
    return CURLE_OUT_OF_MEMORY;
  w->cap = mote_schedule_buffer_size(t->multi);
  if(t->run->body)
    mote_source_strip(t);
  mote_http_write(w);
  if(!w->rc && w->len > MOTE_HTTP_HEAD_MAX)
    w->rc = CURLE_TOO_LARGE;
  if(w->rc == CURLE_TOO_LARGE)
    mote_fail(&t->report, "the request head is larger than %u bytes", MOTE_HTTP_HEAD_MAX);
  return w->rc;
}

static CURLcode send_head(struct mote_transfer *t, const struct mote_http_writer *w, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  t->run->request.bytes += (uint32_t)w->len;
  t->run->request.stage = MOTE_REQUEST_ASKED;
  mote_debug(t, CURLINFO_HEADER_OUT, w->ptr, w->len);
  if(h->sending == MOTE_HTTP_SEND_WAIT)
    mote_timer_set(t, MOTE_TIMER_STATE,
                   now + mote_opt_long(&t->options, CURLOPT_EXPECT_100_TIMEOUT_MS) * MOTE_MS);
  if(h->sending == MOTE_HTTP_SEND_DONE)
    mark_sent(t);
  return open_stream(t, w->ptr, w->len, w->cap);
}

CURLcode mote_h2_request(struct mote_transfer *t, mote_time now)
{
  struct mote_http_writer w;
  CURLcode rc = write_head(&w, t);
  if(!rc)
    rc = send_head(t, &w, now);
  mote_kept_free(t, w.block);
  return rc;
}
