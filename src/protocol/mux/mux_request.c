/* protocol/mux/mux_request.c: the head of a request, as fields (protocol/mux/exchange.h). */
#include <string.h>

#include "http/fields.h"
#include "http/request.h"
#include "protocol/mux/exchange.h"
#include "transfer/report/debug.h"
#include "transfer/upload/source.h"

/* ---- the head ---- */

static void mux_request_begin_head(struct mote_http_writer *w)
{
  char end[] = " HTTP/0\r\n";
  memcpy(end + 1, mote_mux_row_of(w->t)->name, 6);
  mote_http_fields_begin(w, (struct mote_slice){end, sizeof end - 1});
}

static const struct mote_http_wire fields = {
  .hop_by_hop = false,
  .begin = mux_request_begin_head,
  .field = mote_http_fields_name,
  .end = mote_http_fields_end,
  .framing = mote_http_fields_framing,
  .finish = mote_http_fields_finish,
};

/* ---- the request ---- */

/* The fields lie after the head, in the multi's buffer or in a block. */
static CURLcode mux_request_open_stream(struct mote_transfer *t, struct mote_http_writer *w)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  struct mote_slice room = {w->ptr + w->len, w->cap - w->len};
  struct mote_mux_fields f;
  size_t count = mote_http_fields_count(w);
  CURLcode rc = mote_mux_fields_open(&f, t, count, room);
  if(rc)
    return rc;
  while(f.count < count) {
    f.fields[f.count] = mote_http_fields_at(w, f.count);
    f.count++;
  }
  rc = mote_mux_row_of(t)->submit(s, f.fields, count, s->http.sending != MOTE_HTTP_SEND_DONE);
  mote_kept_free(t, f.block);
  if(!rc)
    mote_drive_soon(&mote_mux_link_of(t)->drive);
  return rc;
}

static CURLcode mux_request_write_head(struct mote_http_writer *w, struct mote_transfer *t)
{
  CURLcode rc = mote_http_open_writer(w, t, &fields);
  if(rc)
    return rc;
  if(t->run->body)
    mote_source_strip(t);
  mote_http_write(w);
  return mote_http_judge_head(w);
}

static CURLcode mux_request_send_head(struct mote_transfer *t, struct mote_http_writer *w, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  t->run->request.bytes += (uint32_t)w->len;
  t->run->request.stage = MOTE_REQUEST_ASKED;
  mote_debug(t, CURLINFO_HEADER_OUT, w->ptr, w->len);
  if(h->sending == MOTE_HTTP_SEND_WAIT)
    mote_timer_set(t, MOTE_TIMER_STATE,
                   now + mote_opt_long(&t->options, CURLOPT_EXPECT_100_TIMEOUT_MS) * MOTE_MS);
  if(h->sending == MOTE_HTTP_SEND_DONE)
    mote_mux_upload_sent(t);
  return mux_request_open_stream(t, w);
}

CURLcode mote_mux_request(struct mote_transfer *t, mote_time now)
{
  struct mote_http_writer w;
  CURLcode rc = mux_request_write_head(&w, t);
  if(!rc)
    rc = mux_request_send_head(t, &w, now);
  mote_kept_free(t, w.block);
  return rc;
}

bool mote_mux_is_repeatable(const struct mote_transfer *t)
{
  const char *name = mote_http_method(t);
  bool has_body = t->run->request.method != MOTE_METHOD_GET && t->run->request.method != MOTE_METHOD_HEAD;
  return !has_body && (!strcmp(name, "GET") || !strcmp(name, "HEAD"));
}
