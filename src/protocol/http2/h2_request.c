/* protocol/http2/h2_request.c: the head of a request over HTTP/2 (protocol/http2/h2.h). */
#include <string.h>

#include "base/report.h"
#include "http/fields.h"
#include "port/port.h"
#include "protocol/http2/h2.h"
#include "transfer/multi.h"
#include "transfer/report/debug.h"
#include "transfer/upload/source.h"

/* ---- the head ---- */

static void h2_request_begin_head(struct mote_http_writer *w)
{
  mote_http_fields_begin(w, (struct mote_slice){" HTTP/2\r\n", 9});
}

static const struct mote_http_wire fields = {
  .hop_by_hop = false,
  .begin = h2_request_begin_head,
  .field = mote_http_fields_name,
  .end = mote_http_fields_end,
  .framing = mote_http_fields_framing,
  .replaces = mote_http_fields_replaces,
  .finish = mote_http_fields_finish,
};

/* ---- the request ---- */

static CURLcode h2_request_submit(struct mote_transfer *t, const struct mote_h2_fields *c)
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

/* nghttp2's fields lie after the head, in the multi's buffer or in a block. */
static CURLcode h2_request_open_stream(struct mote_transfer *t, struct mote_http_writer *w)
{
  size_t count = mote_http_fields_count(w), i;
  size_t need = count * sizeof(nghttp2_nv) + sizeof(void *);
  struct mote_kept *block = NULL;
  struct mote_h2_fields c = {mote_h2_fields_place(w->ptr + w->len), 0};
  CURLcode rc;
  if(w->cap - w->len < need) {
    block = mote_kept_new(t, need);
    if(!block)
      return CURLE_OUT_OF_MEMORY;
    c.fields = mote_h2_fields_place(block->bytes);
  }
  for(i = 0; i < count; i++) {
    struct mote_mux_field p = mote_http_fields_at(w, i);
    mote_h2_add_field(&c, p.name, p.value, p.is_pseudo ? NGHTTP2_NV_FLAG_NO_COPY_NAME : NGHTTP2_NV_FLAG_NONE);
  }
  rc = h2_request_submit(t, &c);
  mote_kept_free(t, block);
  return rc;
}

static CURLcode h2_request_write_head(struct mote_http_writer *w, struct mote_transfer *t)
{
  memset(w, 0, sizeof *w);
  w->t = t;
  w->wire = &fields;
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

static CURLcode h2_request_send_head(struct mote_transfer *t, struct mote_http_writer *w, mote_time now)
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
  return h2_request_open_stream(t, w);
}

CURLcode mote_h2_request(struct mote_transfer *t, mote_time now)
{
  struct mote_http_writer w;
  CURLcode rc = h2_request_write_head(&w, t);
  if(!rc)
    rc = h2_request_send_head(t, &w, now);
  mote_kept_free(t, w.block);
  return rc;
}
