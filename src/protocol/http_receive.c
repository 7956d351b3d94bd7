/* protocol/http_receive.c: heads and body on their way in. */
#include <string.h>

#include "base/report.h"
#include "net/conn.h"
#include "net/conn_io.h"
#include "protocol/http.h"
#include "tls/tls.h"
#include "transfer/buffer.h"
#include "transfer/callback.h"
#include "transfer/progress.h"
#include "transfer/sink.h"

#define READS_PER_STEP 64 /* then others have their turn */

/* One piece of lent bytes. *used: how many are taken care of. CURLE_AGAIN: paused. */
typedef CURLcode (*eat_fn)(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now);

static CURLcode malformed(struct mote_transfer *t, CURLcode rc, enum mote_http1_why why)
{
  if(why)
    mote_fail(&t->report, "%s", mote_http1_why_text(why));
  return rc;
}

/* ---- the head ---- */

static CURLcode take_event(struct mote_transfer *t, struct mote_http *h, struct mote_http1_event *ev, mote_time now)
{
  struct mote_run *r = t->run;
  switch(ev->kind) {
  case MOTE_HTTP1_STATUS:
    mote_http1_response_begin(&h->response, ev);
    r->response_code = ev->code;
    return mote_http_status(t, ev, now);
  case MOTE_HTTP1_HEADER:
    return mote_http_field(t, ev);
  default:
    return mote_http_head_done(t, ev);
  }
}

static CURLcode not_http(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(!mote_opt_long(&t->options, CURLOPT_HTTP09_ALLOWED)) {
    mote_fail(&t->report, "Received HTTP/0.9 when not allowed");
    return CURLE_UNSUPPORTED_PROTOCOL;
  }
  h->not_http = true;
  h->framing.body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
  h->receiving = MOTE_HTTP_RECEIVE_BODY;
  h->sending = MOTE_HTTP_SEND_DONE;
  return CURLE_OK;
}

static CURLcode eat_head(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  *used = 0;
  while(*used < len && h->receiving == MOTE_HTTP_RECEIVE_HEAD) {
    struct mote_http1_event ev;
    CURLcode rc = mote_http1_feed(&h->in.head, bytes + *used, len - *used, &ev);
    if(rc)
      return malformed(t, rc, ev.why);
    if(ev.kind == MOTE_HTTP1_NEED_MORE)
      return CURLE_OK;
    if(ev.kind == MOTE_HTTP1_NOT_HTTP)
      return not_http(t);
    rc = take_event(t, h, &ev, now);
    /* A paused header line is kept by the sink: it counts as used. */
    *used += ev.used;
    if(rc)
      return rc;
  }
  return CURLE_OK;
}

/* ---- the body ---- */

static void body_complete(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  h->bare_lf = h->framing.body == MOTE_HTTP1_BODY_CHUNKED && h->in.chunked.bare_lf;
  h->receiving = MOTE_HTTP_RECEIVE_FINISH;
}

static CURLcode eat_length(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc;
  if(len > h->left)
    len = (size_t)h->left;
  rc = mote_sink_body(t, bytes, len, used);
  h->left -= *used;
  if(!h->left)
    body_complete(t);
  return rc;
}

static CURLcode take_chunk_event(struct mote_transfer *t, struct mote_chunked_event *ev, size_t *given_back)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc;
  size_t n;
  *given_back = 0;
  switch(ev->kind) {
  case MOTE_CHUNKED_DATA:
    rc = mote_sink_body(t, (char *)(uintptr_t)ev->data.ptr, ev->data.len, &n);
    *given_back = ev->data.len - n;
    if(*given_back)
      mote_chunked_unread(&h->in.chunked, *given_back);
    return rc;
  case MOTE_CHUNKED_TRAILER:
    rc = mote_headers_add(&t->run->headers, &t->account, CURLH_TRAILER, ev->line.name, ev->line.value);
    if(!rc)
      rc = mote_sink_header(t, (char *)(uintptr_t)ev->line.whole.ptr, ev->line.whole.len);
    t->run->header_size -= (uint32_t)ev->line.whole.len; /* heads only (CURLINFO_HEADER_SIZE(3)) */
    return rc;
  case MOTE_CHUNKED_DONE:
    body_complete(t);
    return CURLE_OK;
  default:
    return CURLE_OK;
  }
}

static CURLcode eat_chunked(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_http *h = mote_http_of(t);
  *used = 0;
  while(h->receiving == MOTE_HTTP_RECEIVE_BODY) {
    struct mote_chunked_event ev;
    size_t back;
    CURLcode rc = mote_chunked_feed(&h->in.chunked, bytes + *used, len - *used, &ev);
    if(rc)
      return malformed(t, rc, ev.why);
    rc = take_chunk_event(t, &ev, &back);
    *used += ev.used - back;
    if(rc || ev.kind == MOTE_CHUNKED_NEED_MORE)
      return rc;
  }
  return CURLE_OK;
}

/* CURLOPT_HTTP_TRANSFER_DECODING off: the coded bytes are the body; the decoder only finds its end. */
static CURLcode eat_raw_chunked(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_http *h = mote_http_of(t);
  size_t at = 0, delivered;
  CURLcode rc = CURLE_OK;
  bool done = false;
  while(!done && at < len) {
    struct mote_chunked_event ev;
    rc = mote_chunked_feed(&h->in.chunked, bytes + at, len - at, &ev);
    if(rc)
      return malformed(t, rc, ev.why);
    at += ev.used;
    done = ev.kind == MOTE_CHUNKED_DONE || ev.kind == MOTE_CHUNKED_NEED_MORE;
    if(ev.kind == MOTE_CHUNKED_DONE)
      body_complete(t);
  }
  *used = at;
  if(at)
    rc = mote_sink_body(t, bytes, at, &delivered);
  return rc;
}

static CURLcode eat_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  (void)now;
  switch(h->framing.body) {
  case MOTE_HTTP1_BODY_LENGTH:
    return eat_length(t, bytes, len, used);
  case MOTE_HTTP1_BODY_CHUNKED:
    return h->raw_chunked ? eat_raw_chunked(t, bytes, len, used) : eat_chunked(t, bytes, len, used);
  default:
    return mote_sink_body(t, bytes, len, used);
  }
}

static CURLcode finish_body(struct mote_transfer *t)
{
  CURLcode rc = mote_sink_finish(t);
  if(!rc)
    mote_http_of(t)->receiving = MOTE_HTTP_RECEIVE_DONE;
  return rc;
}

/* Everything that is lent, until it is used up, more is needed, or a callback pauses. */
static CURLcode eat(struct mote_transfer *t, char *bytes, size_t len, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->conn;
  while(h->receiving < MOTE_HTTP_RECEIVE_FINISH && len) {
    bool in_head = h->receiving == MOTE_HTTP_RECEIVE_HEAD;
    size_t used = 0;
    CURLcode rc = in_head ? eat_head(t, bytes, len, &used, now) : eat_body(t, bytes, len, &used, now);
    mote_conn_take(c, used);
    bytes += used;
    len -= used;
    if(rc)
      return rc;
    if(!used && (in_head == (h->receiving == MOTE_HTTP_RECEIVE_HEAD)))
      break; /* a line that is cut: more bytes are needed */
  }
  if(h->receiving == MOTE_HTTP_RECEIVE_FINISH) {
    h->surplus = len > 0;
    return finish_body(t);
  }
  return CURLE_OK;
}

/* ---- the end of the connection ---- */

static CURLcode ended_in_head(struct mote_transfer *t)
{
  enum mote_http1_why why;
  CURLcode rc = mote_http1_closed(&mote_http_of(t)->in.head, &why);
  return malformed(t, rc, why);
}

static CURLcode ended_in_body(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  switch(h->framing.body) {
  case MOTE_HTTP1_BODY_LENGTH:
    mote_fail(&t->report, "transfer closed with %" CURL_FORMAT_CURL_OFF_T " bytes remaining to read",
              (curl_off_t)h->left);
    return CURLE_PARTIAL_FILE;
  case MOTE_HTTP1_BODY_CHUNKED:
    mote_fail(&t->report, "transfer closed with outstanding read data remaining");
    return CURLE_PARTIAL_FILE;
  default:
    body_complete(t);
    return finish_body(t);
  }
}

static CURLcode ended(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(h->receiving == MOTE_HTTP_RECEIVE_HEAD)
    return ended_in_head(t);
  return h->receiving == MOTE_HTTP_RECEIVE_BODY ? ended_in_body(t) : CURLE_OK;
}

/* The connection ended without a TLS close: a body that only its end delimits may have been cut short by anybody
 * (RFC 9112 section 9.8). */
static CURLcode truncated(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  if(h->receiving == MOTE_HTTP_RECEIVE_BODY && h->framing.body != MOTE_HTTP1_BODY_UNTIL_CLOSE)
    return ended_in_body(t);
  mote_fail(&t->report, "TLS connection ended without close_notify: the response may be incomplete");
  return CURLE_RECV_ERROR;
}

/* ---- reading ---- */

/* After bytes were lent: what was not used is kept; a pause means that it was not even looked at.
 * A cut header line most often fits where the headers that follow it will be stored. */
static CURLcode settle(struct mote_transfer *t, CURLcode rc)
{
  size_t size;
  char *room = mote_headers_spare(&t->run->headers, &size);
  CURLcode held = mote_conn_hold(t->run->conn, MOTE_HELD_LIMIT, room, size);
  if(rc == CURLE_AGAIN)
    mote_http_of(t)->unread = true;
  return rc ? rc : held;
}

/* Held-over bytes that were not looked at since a pause come before anything that is still on the way. */
static CURLcode eat_held(struct mote_transfer *t, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->conn;
  char *bytes, *buffer;
  size_t len;
  if(!h->unread)
    return CURLE_OK;
  buffer = mote_multi_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  h->unread = false;
  len = mote_conn_lend_held(c, buffer, &bytes);
  return settle(t, eat(t, bytes, len, now));
}

/* One read and what it brought. *more: the next read may bring more at once. */
static CURLcode read_once(struct mote_transfer *t, mote_time now, bool *more)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->conn;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = mote_speed_allow_down(t, now, size), len, before = c->held_len;
  char *bytes, *buffer;
  bool end;
  CURLcode rc;
  *more = false;
  r->recv_limited = !most;
  if(!most)
    return CURLE_AGAIN;
  buffer = mote_multi_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_conn_read(c, buffer, size, most, &bytes, &len, &end);
  if(rc == CURLE_RECV_ERROR && c->tls && mote_tls_truncated(c->tls))
    return truncated(t);
  if(rc)
    return rc;
  if(end)
    return ended(t);
  r->got_bytes = true;
  mote_speed_passed_down(t, len - before);
  *more = c->tls || len - before == most;
  return settle(t, eat(t, bytes, len, now));
}

static bool may_receive(const struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of((struct mote_transfer *)(uintptr_t)t);
  return !t->run->recv_paused && h->receiving < MOTE_HTTP_RECEIVE_FINISH;
}

/* May the body go from the socket to the write callback without a look at it? No framing or coding in it, nothing
 * held over, nobody who looks on, no speed to keep to, no option set meanwhile. */
static bool is_straight(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  const struct mote_run *r = t->run;
  return h->receiving == MOTE_HTTP_RECEIVE_BODY && h->framing.body != MOTE_HTTP1_BODY_CHUNKED && !r->decode &&
         !r->body_ignored && !r->speed && !r->conn->held_len && !t->report.verbose && !t->options.changed;
}

/* What was read last, and how much of it is used; len 0: nothing came. */
struct piece {
  char *bytes;
  size_t len;
  size_t used;
};

/* Read and deliver until a read brings less than `enough`, the body is complete, or something is in the way. */
static CURLcode deliver_reads(struct mote_transfer *t, size_t size, struct piece *p, int *reads, bool *more)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->conn;
  size_t enough = c->tls ? 1 : size; /* a read that brings less has emptied the socket */
  struct mote_sink_target to;
  CURLcode rc;
  mote_sink_target(t, &to);
  do {
    size_t n, used;
    ++*reads;
    rc = mote_conn_receive(c, p->bytes, size, &n);
    *more = !rc && n >= enough;
    p->len = rc ? 0 : n;
    if(!p->len)
      return rc;
    rc = mote_sink_write(t, &to, p->bytes, n < h->left ? n : (size_t)h->left, &used);
    t->run->bytes_down += (curl_off_t)used;
    h->left -= used;
    p->used = used;
  } while(!rc && h->left && *more && *reads < READS_PER_STEP && !t->options.changed);
  return rc;
}

/* As read_once(), again and again: what is the same for all reads is looked up once. */
static CURLcode read_straight(struct mote_transfer *t, mote_time now, int *reads, bool *more)
{
  struct mote_http *h = mote_http_of(t);
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  struct piece p = {mote_multi_buffer(t->multi, size), 0, 0};
  struct mote_callback_guard g;
  CURLcode rc;
  if(!p.bytes)
    return CURLE_OUT_OF_MEMORY;
  if(h->framing.body != MOTE_HTTP1_BODY_LENGTH)
    h->left = UINT64_MAX;
  g = mote_callback_enter(t);
  rc = deliver_reads(t, size, &p, reads, more);
  mote_callback_leave(t, g);
  if(!p.len)
    return rc ? rc : ended(t);
  if(!h->left)
    body_complete(t);
  mote_conn_unread(t->run->conn, p.bytes + p.used, p.len - p.used);
  return settle(t, rc ? rc : eat(t, p.bytes + p.used, p.len - p.used, now));
}

CURLcode mote_http_receive_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_http *h = mote_http_of(t);
  CURLcode rc = CURLE_OK;
  bool more = r->conn->events != 0;
  int reads = 0;
  if(r->recv_paused)
    return CURLE_OK;
  rc = mote_sink_resume(t);
  if(!rc)
    rc = eat_held(t, now);
  if(!rc && h->receiving == MOTE_HTTP_RECEIVE_FINISH)
    rc = finish_body(t);
  r->conn->events = 0;
  while(!rc && more && may_receive(t)) {
    if(reads >= READS_PER_STEP) { /* there may be more that no event will tell of */
      r->conn->events = MOTE_WANT_IN;
      mote_transfer_wake(t);
      break;
    }
    if(is_straight(t))
      rc = read_straight(t, now, &reads, &more);
    else {
      rc = read_once(t, now, &more);
      reads++;
    }
  }
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}
