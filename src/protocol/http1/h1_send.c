/* protocol/http1/h1_send.c: writes the head of a request as lines (RFC 9112), and sends head and body.
 * Bytes that the connection does not take at once wait in run->unsent and go first in the next step. */
#include <string.h>

#include "base/report.h"
#include "http/request.h"
#include "protocol/http1/h1.h"
#include "transfer/multi/schedule.h"
#include "transfer/pump/pump.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

/* ---- the head, as lines ---- */

static bool says_chunked(const char *value)
{
  return value && mote_list_has_token(mote_slice_of(value), "chunked");
}

/* When the application asks for chunked framing the size is not announced. A POST's size is unknown until
 * its callback reports the end (CURLOPT_POSTFIELDSIZE(3)). */
static void forget_size(struct mote_transfer *t)
{
  mote_request_announce(&t->run->request, -1);
  if(t->run->request.method == MOTE_METHOD_POST)
    mote_source_forget_size(t);
}

/* The body is chunked when its length is unknown or the application says so. HTTP/1.0 has no chunked
 * coding, but an application that asks for it there gets it. */
static void choose_framing(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  bool removed;
  const char *own = mote_http_custom_header(t, "Transfer-Encoding", &removed);
  h->upload_chunked = says_chunked(own);
  if(!t->run->body) /* a promised body is then empty: finish() ends it */
    return;
  h->upload_chunked = h->upload_chunked || (mote_source_size(t) < 0 && !own);
  if(h->upload_chunked && own)
    forget_size(t);
  if(h->upload_chunked && h->old && !own) {
    mote_fail(&t->report, "HTTP/1.0 has no chunked uploads: state the size of the body");
    w->rc = CURLE_UPLOAD_FAILED;
  }
}

/* The application's own field is written among its other fields. */
static void put_framing(struct mote_http_writer *w)
{
  const char *own;
  bool removed;
  if(!mote_http_of(w->t)->upload_chunked)
    return;
  own = mote_http_custom_header(w->t, "Transfer-Encoding", &removed);
  if(!own || removed)
    mote_http_put_field(w, "Transfer-Encoding", "chunked");
}

static void h1_send_begin_head(struct mote_http_writer *w)
{
  mote_http_put_text(w, mote_http_method(w->t));
  mote_http_put(w, " ", 1);
  if(mote_http_is_forwarded(w->t))
    mote_http_put_origin(w);
  mote_http_put_target(w);
  if(mote_http_is_forwarded(w->t))
    mote_http_put_transfer_type(w);
  mote_http_put_text(w, mote_http_of(w->t)->old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
}

static void h1_send_begin_line(struct mote_http_writer *w, const char *name, size_t len)
{
  char *to = mote_http_room(w, len + 1);
  if(!to)
    return;
  memcpy(to, name, len);
  to[len] = ':';
  w->len += len + 1;
}

static void h1_send_end_line(struct mote_http_writer *w)
{
  mote_http_put(w, "\r\n", 2);
}

/* A second Transfer-Encoding is dropped. */
static bool h1_send_replaces_line(const struct mote_http_writer *w, struct mote_slice name, const char *rest)
{
  if(mote_slice_is(name, "content-length"))
    return mote_http_of(w->t)->upload_chunked;
  if(mote_slice_is(name, "transfer-encoding"))
    return rest != mote_http_own_line(w->t, "Transfer-Encoding");
  return mote_slice_is(name, "connection");
}

/* Writes the fields of ours that Connection must name. */
static void put_named(struct mote_http_writer *w)
{
  if(w->te)
    mote_http_put_text(w, w->upgrade ? "TE, " : "TE");
  if(w->upgrade)
    mote_http_put_text(w, w->upgrade);
}

/* Writes the application's Connection lines. The first one also names our fields, even if the application
 * removed Connection. */
static void h1_send_put_connection(struct mote_http_writer *w)
{
  const struct curl_slist *l = mote_opt_ptr(&w->t->options, CURLOPT_HTTPHEADER);
  bool first = true, named = mote_http_names_fields(w);
  for(; l; l = l->next) {
    struct mote_slice value, name = {l->data, mote_http_name_length(l->data)};
    if(l->data[name.len] != ':' || !mote_slice_is(name, "connection"))
      continue;
    value = mote_slice_trim(mote_slice_of(l->data + name.len + 1));
    if(!value.len)
      continue;
    if(first) {
      mote_http_begin_field(w, "Connection", "");
      mote_http_put(w, value.ptr, value.len);
    }
    else
      mote_http_put_text(w, l->data);
    if(named) {
      mote_http_put(w, ", ", 2);
      put_named(w);
    }
    mote_http_end_field(w);
    named = false;
    first = false;
  }
  if(!named)
    return;
  mote_http_begin_field(w, "Connection", "");
  put_named(w);
  mote_http_end_field(w);
}

/* The application's Transfer-Encoding promises a body where there is none, so send an empty one. */
static void put_no_body(struct mote_http_writer *w)
{
  static const char last[] = "0\r\n\r\n";
  const uint32_t len = sizeof last - 1;
  mote_http_put(w, last, len);
  if(w->rc || w->len > MOTE_HTTP_HEAD_MAX)
    return;
  w->t->run->stats.bytes_up += len;
  w->t->run->request.bytes -= len; /* the caller adds it again, with the head */
}

static void finish_head(struct mote_http_writer *w)
{
  h1_send_put_connection(w);
  mote_http_put(w, "\r\n", 2);
  if(mote_http_of(w->t)->upload_chunked && (!w->t->run->body || mote_http_of(w->t)->probe))
    put_no_body(w);
}

static const struct mote_http_wire lines = {
  .hop_by_hop = true,
  .begin = h1_send_begin_head,
  .field = h1_send_begin_line,
  .end = h1_send_end_line,
  .framing = put_framing,
  .replaces = h1_send_replaces_line,
  .finish = finish_head,
};

/* Writes the head, which announces the body as it is without framing, since that is made for each request
 * again. */
static void h1_send_write_head(struct mote_http_writer *w)
{
  bool removed;
  const char *connection = mote_http_custom_header(w->t, "Connection", &removed);
  mote_h1_of(w->t)->close_asked = connection && mote_list_has_token(mote_slice_of(connection), "close");
  if(w->t->run->body)
    mote_source_strip(w->t);
  choose_framing(w);
  mote_http_write(w);
}

/* The head is in the multi's buffer, or in w->block when it is longer. The caller frees that block, even
 * after an error. */
static CURLcode h1_send_build_head(struct mote_http_writer *w, struct mote_transfer *t)
{
  CURLcode rc = mote_http_open_writer(w, t, &lines);
  if(rc)
    return rc;
  h1_send_write_head(w);
  rc = mote_http_judge_head(w);
  if(!rc && t->run->body && mote_http_of(t)->upload_chunked && !mote_http_of(t)->probe &&
     !mote_source_push(t, &mote_h1_chunks))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}

/* ---- sending ---- */

/* The step's time may precede PRETRANSFER, which must not be later. Bytes sent after the response began do
 * not count. */
static void mark_all_sent(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  if(r->response.got_bytes)
    return;
  mote_mark_set(&r->stats, MOTE_MARK_POSTTRANSFER, now);
  if(r->stats.mark[MOTE_MARK_POSTTRANSFER] < r->stats.mark[MOTE_MARK_PRETRANSFER])
    r->stats.mark[MOTE_MARK_POSTTRANSFER] = r->stats.mark[MOTE_MARK_PRETRANSFER];
}

/* A small body in memory is sent together with the head, in one packet and one system call. */
static bool goes_with_head(const struct mote_transfer *t, size_t room)
{
  const struct mote_run *r = t->run;
  const struct mote_http *h = mote_http_of(t);
  curl_off_t size;
  if(h->sending != MOTE_HTTP_SEND_BODY || !mote_source_at_hand(t) || (r->speed && r->speed->max_up))
    return false;
  size = mote_source_size(t);
  return size >= 0 && size <= (curl_off_t)room;
}

static CURLcode add_body(struct mote_transfer *t, char *head, size_t *len)
{
  struct mote_piece p;
  CURLcode rc;
  p.room = head + *len;
  p.most = mote_schedule_buffer_size(t->multi) - *len;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  mote_debug(t, CURLINFO_DATA_OUT, p.bytes, p.len);
  if(p.bytes != p.room)
    memcpy(p.room, p.bytes, p.len);
  t->run->stats.bytes_up += (curl_off_t)p.len;
  *len += p.len;
  if(p.end)
    mote_http_of(t)->sending = MOTE_HTTP_SEND_DONE;
  return CURLE_OK;
}

static CURLcode h1_send_head(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_http *h = mote_http_of(t);
  struct mote_http_writer w;
  size_t len;
  char *head;
  CURLcode rc = h1_send_build_head(&w, t);
  if(rc) {
    mote_kept_free(t, w.block);
    return rc;
  }
  head = w.ptr;
  len = w.len;
  r->request.bytes += (uint32_t)len;
  r->request.stage = MOTE_REQUEST_ASKED;
  mote_debug(t, CURLINFO_HEADER_OUT, head, len);
  if(!w.block && goes_with_head(t, mote_schedule_buffer_size(t->multi) - len)) {
    rc = add_body(t, head, &len);
    if(rc)
      return rc;
  }
  if(h->sending == MOTE_HTTP_SEND_WAIT)
    mote_timer_set(t, MOTE_TIMER_STATE,
                   now + mote_opt_long(&t->options, CURLOPT_EXPECT_100_TIMEOUT_MS) * MOTE_MS);
  if(h->sending == MOTE_HTTP_SEND_DONE)
    mark_all_sent(t, now);
  if(!w.block)
    return mote_pump_put(t, r->channel.conn, head, len);
  w.block->len = (uint32_t)len;
  r->unsent = w.block;
  return mote_pump_flush(t, r->channel.conn);
}

/* ---- the body ---- */

static void mark_ended(struct mote_transfer *t, mote_time now)
{
  mote_http_of(t)->sending = MOTE_HTTP_SEND_DONE;
  mark_all_sent(t, now);
}

/* The framing of chunks is in the pieces. */
static CURLcode h1_send_body(struct mote_transfer *t, mote_time now)
{
  bool end;
  CURLcode rc = mote_pump_send(t, t->run->channel.conn, now,
                               mote_http_of(t)->upload_chunked ? MOTE_H1_FRAMING : 0, &end);
  if(end)
    mark_ended(t, now);
  return rc;
}

CURLcode mote_h1_send_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_http *h = mote_http_of(t);
  CURLcode rc = CURLE_OK;
  mote_http_check_expect(t, now);
  if(r->unsent)
    rc = mote_pump_flush(t, r->channel.conn);
  if(!rc && h->sending == MOTE_HTTP_SEND_HEAD)
    rc = h1_send_head(t, now);
  if(!rc && h->sending == MOTE_HTTP_SEND_BODY)
    rc = h1_send_body(t, now);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}
