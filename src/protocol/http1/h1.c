/* protocol/http1/h1.c: one exchange of HTTP/1.1, from its start over the steps in both directions to its end.
 *
 * It reads from the connection and hands the bytes to h1_parse.c, or straight to the sink where no byte
 * of the body needs parsing. Sending is in h1_send.c. */
#include <string.h>

#include "http/redirect.h"
#include "protocol/http1/h1.h"
#include "tls/tls.h"
#include "transfer/callback.h"
#include "transfer/download/sink.h"
#include "transfer/protocol.h"
#include "transfer/report/progress.h"
#include "transfer/schedule.h"

/* Holds the bytes that the parser left, because the multi's buffer serves the next transfer after this step.
 * A partial header line usually fits into the room where the headers after it will be stored, and then needs
 * no allocation. */
static CURLcode h1_settle(struct mote_transfer *t, CURLcode rc)
{
  size_t size;
  char *room = mote_headers_spare(&t->run->response.headers, &size);
  CURLcode held = mote_conn_hold(t->run->channel.conn, MOTE_HELD_LIMIT, room, size);
  if(rc == CURLE_AGAIN)
    mote_h1_of(t)->unread = true;
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc; /* paused, but out of memory for its bytes */
}

static bool tls_truncated(const struct mote_transfer *t)
{
  return mote_tls_truncated(t->run->channel.conn->top);
}

/* ---- a body that goes from the socket to the write callback without parsing ---- */

/* The bytes of the last read and how many of them are used. len is 0 when nothing arrived. */
struct piece {
  char *bytes;
  size_t len;
  size_t used;
};

/* Reads and delivers until a read returns less than `enough`, the body is complete, or something
 * intervenes. *more: the next read may return more at once. */
static CURLcode deliver_reads(struct mote_transfer *t, size_t size, struct piece *p, int *reads, bool *more)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct mote_conn *c = t->run->channel.conn;
  size_t enough = mote_conn_is_plain(c) ? size : 1; /* a shorter read has emptied the socket */
  int each = size > MOTE_H1_READ_UNIT ? (int)(size / MOTE_H1_READ_UNIT) : 1;
  CURLcode rc;
  if(!h->has_target) {
    h->in.to.whole = false;
    mote_sink_target(t, &h->in.to);
    h->has_target = true;
  }
  do {
    size_t n, body, used;
    *reads += each;
    rc = mote_conn_receive(c, p->bytes, size, &n);
    p->len = rc ? 0 : n;
    if(!p->len)
      return rc;
    *more = n >= enough;
    body = n < h->left ? n : (size_t)h->left;
    rc = mote_sink_write(t, &h->in.to, p->bytes, body, &used);
    t->run->stats.bytes_down += (curl_off_t)used;
    h->left -= used;
    p->used = used;
  } while(!rc && h->left && *more && *reads < MOTE_H1_READS_PER_STEP && !t->options.changed);
  return rc;
}

/* The loop of h1_read_once() for a plain body. What is the same for all reads is looked up only once.
 * CURLE_AGAIN: the socket is empty, or the application has paused. */
static CURLcode read_straight_into(struct mote_transfer *t, mote_time now, char *buffer, size_t size,
                                   int *reads)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct piece p = {buffer, 0, 0};
  struct mote_callback_guard g;
  bool more = false;
  CURLcode rc;
  g = mote_callback_enter(t);
  rc = deliver_reads(t, size, &p, reads, &more);
  mote_callback_leave(t, g);
  if(!p.len && rc == CURLE_RECV_ERROR && tls_truncated(t))
    return mote_h1_truncated(t);
  if(!p.len)
    return rc ? rc : mote_h1_ended(t);
  if(!rc && h->left && p.used == p.len) /* the body goes on, the frequent case */
    return more ? CURLE_OK : CURLE_AGAIN;
  if(!h->left)
    mote_h1_body_complete(t);
  mote_conn_unread(t->run->channel.conn, p.bytes + p.used, p.len - p.used);
  return h1_settle(t, rc ? rc : mote_h1_consume(t, p.bytes + p.used, p.len - p.used, now));
}

/* ---- reading ---- */

/* Bytes held since a pause come before anything that is still on its way. */
static CURLcode consume_held(struct mote_transfer *t, mote_time now)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct mote_conn *c = t->run->channel.conn;
  char *bytes, *buffer;
  size_t len;
  if(!h->unread)
    return CURLE_OK;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  h->unread = false;
  len = mote_conn_lend_held(c, buffer, &bytes);
  return h1_settle(t, mote_h1_consume(t, bytes, len, now));
}

/* Bytes that must be parsed are not read in larger pieces than this, whatever CURLOPT_BUFFERSIZE says. */
#define READ_MOST 65536u

/* Reads once and processes the result. *more says whether the next read may return more at once. */
static CURLcode h1_read_once(struct mote_transfer *t, mote_time now, bool *more)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->channel.conn;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = mote_speed_allow_down(t, now, size < READ_MOST ? size : READ_MOST), len;
  size_t before = mote_conn_held(c);
  char *bytes, *buffer;
  bool end;
  CURLcode rc;
  *more = false;
  if(!most)
    return CURLE_AGAIN;
  buffer = mote_schedule_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_conn_read(c, buffer, size, most, &bytes, &len, &end);
  if(rc == CURLE_RECV_ERROR && tls_truncated(t))
    return mote_h1_truncated(t);
  if((rc && rc != CURLE_AGAIN) || end)
    mote_h1_judge_answer(t);
  if(rc)
    return rc;
  if(end)
    return mote_h1_ended(t);
  r->response.got_bytes = true;
  mote_speed_passed_down(t, len - before);
  *more = !mote_conn_is_plain(c) || len - before == most;
  return h1_settle(t, mote_h1_consume(t, bytes, len, now));
}

static bool may_receive(const struct mote_transfer *t)
{
  const struct mote_h1 *h = mote_h1_of(t);
  return !t->run->flow.recv.paused && h->http.receiving < MOTE_HTTP_RECEIVE_FINISH;
}

/* The body may go from the socket to the write callback without parsing when it has no framing or coding,
 * no bytes are held, nothing observes or limits the transfer, and no option has been set since it started. */
static bool h1_is_straight(struct mote_transfer *t)
{
  const struct mote_h1 *h = mote_h1_of(t);
  const struct mote_run *r = t->run;
  return h->http.receiving == MOTE_HTTP_RECEIVE_BODY && !h->chunked && !r->decode &&
         !r->response.body_ignored && !r->speed && !mote_conn_held(r->channel.conn) && !t->report.verbose &&
         !t->options.changed;
}

static CURLcode h1_read_straight(struct mote_transfer *t, mote_time now, int *reads)
{
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  char *buffer = mote_schedule_buffer(t->multi, size);
  return buffer ? read_straight_into(t, now, buffer, size, reads) : CURLE_OUT_OF_MEMORY;
}

static CURLcode h1_receive_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_h1 *h = mote_h1_of(t);
  CURLcode rc = CURLE_OK;
  bool more = mote_conn_has_event(r->channel.conn);
  int reads = 0;
  if(r->flow.recv.paused)
    return CURLE_OK;
  /* Older bytes go first: the chunk that a pause refused, the decoders' output, held bytes, the socket. */
  if(r->paused)
    rc = mote_sink_resume(t);
  if(!rc && r->decode)
    rc = mote_sink_turn(t);
  if(!rc)
    rc = consume_held(t, now);
  if(!rc && h->http.receiving == MOTE_HTTP_RECEIVE_FINISH)
    rc = mote_response_end(t);
  mote_conn_clear_events(r->channel.conn);
  while(!rc && more && may_receive(t)) {
    if(reads >= MOTE_H1_READS_PER_STEP || (r->decode && mote_sink_turn_over(t))) {
      /* More data may be buffered, for which no event will arrive. */
      mote_conn_look_again(r->channel.conn);
      mote_transfer_wake(t);
      break;
    }
    if(h1_is_straight(t))
      rc = h1_read_straight(t, now, &reads);
    else {
      rc = h1_read_once(t, now, &more);
      reads++;
    }
  }
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* ---- a step ---- */

static bool h1_is_over(struct mote_transfer *t)
{
  const struct mote_h1 *h = mote_h1_of(t);
  return h->http.receiving == MOTE_HTTP_RECEIVE_DONE && h->http.sending == MOTE_HTTP_SEND_DONE;
}

/* Bytes are in a buffer above the descriptor, which no event reports. */
static bool has_buffered_input(struct mote_transfer *t)
{
  const struct mote_conn *c = t->run->channel.conn;
  return mote_h1_of(t)->unread || (t->run->decode && mote_sink_has_more(t)) ||
         (!mote_conn_is_plain(c) && mote_conn_pending(c));
}

/* Nothing but more of a plain body is to come. */
static bool only_body_left(struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  return mote_http_of(t)->sending == MOTE_HTTP_SEND_DONE && !mote_h1_of(t)->unread && !r->unsent &&
         !r->paused && mote_conn_is_plain(r->channel.conn) && h1_is_straight(t);
}

/* Registers the directions to wait for, except those that are paused or over their speed limit. */
static CURLcode h1_wait_for_more(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_h1 *h = mote_h1_of(t);
  unsigned interest = 0;
  CURLcode rc;
  if(!r->flow.recv.paused && !r->flow.recv.limited && h->http.receiving != MOTE_HTTP_RECEIVE_DONE)
    interest |= MOTE_WANT_IN;
  if(mote_h1_wants_to_send(t) && !r->flow.send.limited)
    interest |= MOTE_WANT_OUT;
  h->flowing = interest == MOTE_WANT_IN && only_body_left(t);
  rc = mote_conn_want(r->channel.conn, interest);
  if(rc)
    return rc;
  if(!r->flow.recv.paused && !r->flow.recv.limited && has_buffered_input(t)) {
    r->channel.conn->events |= MOTE_WANT_IN;
    mote_transfer_wake(t);
  }
  return CURLE_AGAIN;
}

static CURLcode step_both(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc, sent = CURLE_OK;
  r->flow.recv.limited = false;
  r->flow.send.limited = false;
  if(mote_h1_wants_to_send(t) || mote_http_of(t)->sending == MOTE_HTTP_SEND_WAIT)
    sent = mote_h1_send_step(t, now);
  /* The server may have sent its reason before it stopped reading. Its response is worth more than our
   * broken pipe. */
  if(sent == CURLE_SEND_ERROR && (r->channel.conn->events || r->stats.bytes_up))
    r->channel.conn->events |= MOTE_WANT_IN;
  else if(sent)
    return sent;
  rc = h1_receive_step(t, now);
  if(rc)
    return sent ? sent : rc;
  if(h1_is_over(t))
    return CURLE_OK;
  if(sent)
    return sent;
  return h1_wait_for_more(t);
}

/* More of a plain body has come, and the wait set waits for no more than that. Between two steps only the
 * application can change more, by a pause or an option. */
static bool is_flowing(struct mote_transfer *t)
{
  const struct mote_conn *c = t->run->channel.conn;
  return mote_h1_of(t)->flowing && c->events && c->tcp.watch.known == MOTE_WANT_IN &&
         !t->run->flow.recv.paused && !t->options.changed;
}

/* The frequent step. CURLE_AGAIN: wait for the same again. CURLE_OK: the other steps have to look. */
static CURLcode flow_on(struct mote_transfer *t, mote_time now)
{
  struct mote_conn *c = t->run->channel.conn;
  int reads = 0;
  CURLcode rc;
  mote_conn_clear_events(c);
  rc = h1_read_straight(t, now, &reads);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  if(c->events || t->run->flow.recv.paused || mote_http_of(t)->receiving != MOTE_HTTP_RECEIVE_BODY)
    return CURLE_OK;
  if(!rc) {
    mote_conn_look_again(c);
    mote_transfer_wake(t);
  }
  return CURLE_AGAIN;
}

static CURLcode http_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc;
  if(!is_flowing(t))
    return step_both(t, now);
  rc = flow_on(t, now);
  return rc ? rc : step_both(t, now);
}

/* ---- begin and end ---- */

static CURLcode http_begin(struct mote_transfer *t)
{
  struct mote_h1 *h = mote_h1_of(t);
  /* read before the connection's last exchange is erased; this one may end before a response comes */
  bool old_peer = h->old_peer, old = old_peer || t->run->response.old_server;
  memset(h, 0, sizeof *h);
  h->old_peer = old_peer;
  h->http.old = old || mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  mote_http1_head_init(&h->in.head, mote_opt_ptr(&t->options, CURLOPT_HTTP200ALIASES));
  mote_conn_clear_events(t->run->channel.conn);
  return mote_http_refuse_resume(t);
}

/* Both directions have ended as RFC 9112 wants it, so that the connection is reusable. */
static bool is_clean(const struct mote_h1 *h)
{
  bool over = h->http.receiving == MOTE_HTTP_RECEIVE_DONE && h->http.sending == MOTE_HTTP_SEND_DONE;
  bool spoiled = h->close_asked || h->http.abandoned || h->surplus || h->not_http || h->bare_lf;
  return over && !spoiled && h->reusable;
}

/* After CURLE_UPLOAD_FAILED nothing of the request was sent, and the connection is as good as before. */
static void http_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = t->run->channel.conn;
  bool fit = c && (rc == CURLE_UPLOAD_FAILED || (!rc && is_clean(mote_h1_of(t))));
  if(c)
    mote_conn_set_reusable(c, fit && !mote_conn_at_end(c));
}

const struct mote_protocol mote_protocol_http = {
  .name = "http",
  .conn_size = sizeof(struct mote_h1),
  .url = MOTE_HAS_HOST_MEMORY ? mote_http_judge_url : NULL,
  .prepare = mote_http_prepare,
  .begin = http_begin,
  .step = http_step,
  .end = http_end,
  .follow = mote_redirect_follow,
  MOTE_PROTOCOL_CEILING(mote_h1_ceiling),
};
