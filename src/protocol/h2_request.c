/* protocol/h2_request.c: the head of a request over HTTP/2 (protocol/h2.h). */
#include <string.h>

#include "base/report.h"
#include "http/request.h"
#include "port/port.h"
#include "protocol/h2.h"
#include "transfer/debug.h"
#include "transfer/multi.h"
#include "transfer/source.h"

/* ---- the head, as lines ---- */

/* It is written as HTTP/1 has it, which is what the application sees, and then cut into fields. */
static void begin_head(struct mote_http_writer *w)
{
  mote_http_put_text(w, mote_http_method(w->t));
  mote_http_put(w, " ", 1);
  if(mote_http_is_forwarded(w->t))
    mote_http_put_proxied(w);
  else
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

/* A request that a proxy passes on is shown with the whole URL, whose other pieces have their own fields. */
static struct mote_slice path_of(struct mote_slice target)
{
  static const char mark[] = "://";
  size_t i = 0;
  while(i + 3 < target.len && memcmp(target.ptr + i, mark, 3))
    i++;
  if(i + 3 >= target.len)
    return target;
  for(i += 3; i < target.len && target.ptr[i] != '/'; i++)
    ;
  return (struct mote_slice){target.ptr + i, target.len - i};
}

/* The first line has method and target; Host, where there is one, comes next. */
static void cut_head(struct mote_h2_fields *c, const struct mote_transfer *t, char *p, size_t len)
{
  static const char version[] = " HTTP/2";
  char *end = memchr(p, '\n', len);
  size_t first = (size_t)(end - p) - 1, method = (size_t)((char *)memchr(p, ' ', len) - p);
  bool tls = t->run->request.scheme->tls != MOTE_SECURE_NEVER;
  struct mote_slice target = {p + method + 1, first - method - 1 - (sizeof version - 1)};
  char *at = end + 1, *last = p + len;
  if(mote_http_is_forwarded(t))
    target = path_of(target);
  mote_h2_add_field(c, ":method", 7, p, method, NGHTTP2_NV_FLAG_NO_COPY_NAME);
  mote_h2_add_field(c, ":scheme", 7, tls ? "https" : "http", tls ? 5 : 4,
                    NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE);
  if(last - at > 5 && mote_equal_nocase_n(at, "host:", 5)) {
    end = memchr(at, '\n', (size_t)(last - at));
    mote_h2_cut_line(c, at, (size_t)(end - at) - 1);
    c->fields[2].name = (uint8_t *)(uintptr_t)":authority";
    c->fields[2].namelen = 10;
    c->fields[2].flags = NGHTTP2_NV_FLAG_NO_COPY_NAME;
    at = end + 1;
  }
  mote_h2_add_field(c, ":path", 5, target.ptr, target.len, NGHTTP2_NV_FLAG_NO_COPY_NAME);
  while(at < last) {
    end = memchr(at, '\n', (size_t)(last - at));
    mote_h2_cut_line(c, at, (size_t)(end - at) - 1);
    at = end + 1;
  }
}

/* ---- the request ---- */

static CURLcode submit(struct mote_transfer *t, const struct mote_h2_fields *c)
{
  struct mote_h2_stream *s = mote_h2_stream_of(t);
  struct mote_h2 *h = mote_h2_of(t);
  nghttp2_data_provider body = {.read_callback = mote_h2_upload};
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
  size_t need = (mote_h2_count_lines(head, len) + 4) * sizeof(nghttp2_nv);
  struct mote_kept *block = NULL;
  struct mote_h2_fields c = {(nghttp2_nv *)(void *)(head + at), 0};
  CURLcode rc;
  if(at > cap || cap - at < need) {
    block = mote_kept_new(t, need + sizeof(void *));
    if(!block)
      return CURLE_OUT_OF_MEMORY;
    c.fields = mote_h2_fields_place(block->bytes);
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
    mote_h2_upload_sent(t);
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
