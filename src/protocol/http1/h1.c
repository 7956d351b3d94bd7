/* protocol/http1/h1.c: one exchange of HTTP/1.1, from its start over the steps in both directions to its end.
 *
 * The pump (transfer/pump/pump.h) hands bytes to h1_parse.c, or straight to the sink where no byte of the
 * body needs parsing. Sending is in h1_send.c. */
#include <string.h>

#include "http/redirect.h"
#include "http/response.h"
#include "net/conn_struct.h"
#include "protocol/http1/h1.h"
#include "tls/tls.h"
#include "transfer/download/headers.h"
#include "transfer/download/sink.h"
#include "transfer/protocol.h"
#include "transfer/pump/pump.h"

/* Holds the bytes that the parser left, because the multi's buffer serves the next transfer after this step.
 * A partial header line usually fits into the room where the headers after it will be stored, and then needs
 * no allocation. */
static CURLcode h1_settle(struct mote_transfer *t, CURLcode rc)
{
  size_t size;
  char *room = mote_headers_spare(&t->run->response.headers, &size);
  CURLcode held = mote_conn_hold(t->run->channel.conn, MOTE_HELD_LIMIT, room, size);
  if(rc == CURLE_AGAIN) /* the sink may have kept all that there was */
    mote_h1_of(t)->unread = mote_conn_held(t->run->channel.conn) != 0;
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc; /* paused, but out of memory for its bytes */
}

/* ---- receiving ---- */

static CURLcode h1_take(struct mote_pump *p, char *bytes, size_t len)
{
  mote_h1_of(p->t)->unread = false;
  return h1_settle(p->t, mote_h1_consume(p->t, bytes, len, p->now));
}

static CURLcode h1_ended(struct mote_pump *p, char *bytes, size_t len)
{
  (void)bytes;
  (void)len;
  mote_h1_judge_answer(p->t);
  return mote_h1_ended(p->t);
}

static CURLcode h1_failed(struct mote_pump *p, CURLcode rc)
{
  if(rc == CURLE_RECV_ERROR && mote_tls_truncated(p->c->top))
    return mote_h1_truncated(p->t);
  mote_h1_judge_answer(p->t);
  return rc;
}

static bool h1_has_all(const struct mote_pump *p)
{
  return mote_h1_of(p->t)->http.receiving >= MOTE_HTTP_RECEIVE_FINISH;
}

static bool h1_is_unread(const struct mote_pump *p)
{
  return mote_h1_of(p->t)->unread;
}

static bool h1_is_plain_body(const struct mote_h1 *h)
{
  return h->http.receiving == MOTE_HTTP_RECEIVE_BODY && !h->chunked;
}

/* Where the body goes is looked up once for all steps. */
static bool h1_go_straight(struct mote_pump *p)
{
  struct mote_h1 *h = mote_h1_of(p->t);
  if(!h1_is_plain_body(h))
    return false;
  if(!h->has_target) {
    h->in.to.whole = false;
    mote_sink_target(p->t, &h->in.to);
    h->has_target = true;
  }
  return true;
}

/* What follows the body is surplus. */
static CURLcode h1_rest(struct mote_pump *p, CURLcode rc, char *bytes, size_t len)
{
  if(!mote_h1_of(p->t)->left)
    mote_h1_body_complete(p->t);
  return h1_settle(p->t, rc ? rc : mote_h1_consume(p->t, bytes, len, p->now));
}

static inline struct mote_pump h1_pump(struct mote_transfer *t, mote_time now)
{
  static const struct mote_pump_row row = {
    .take = h1_take, .ended = h1_ended, .failed = h1_failed, .over = h1_has_all, .unread = h1_is_unread,
    .straight = h1_go_straight, .rest = h1_rest, .reads_on = true,
  };
  struct mote_pump p = mote_pump_of(t, t->run->channel.conn, &row, now);
  struct mote_h1 *h = mote_h1_of(t);
  p.left = &h->left;
  p.to = &h->in.to;
  return p;
}

/* What a pause has kept at the end of a response is delivered before that ends. */
static CURLcode h1_receive_step(struct mote_transfer *t, mote_time now)
{
  struct mote_pump p = h1_pump(t, now);
  CURLcode rc = mote_pump_receive(&p);
  if(!rc && mote_h1_of(t)->http.receiving == MOTE_HTTP_RECEIVE_FINISH)
    rc = mote_response_end(t);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* ---- a step ---- */

/* Nothing is to be read or made any more. A rest of the request may still be unsent. */
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
         !r->paused && mote_conn_is_plain(r->channel.conn) && h1_is_plain_body(mote_h1_of(t)) &&
         mote_pump_is_unseen(t, r->channel.conn);
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
  h->flowing = interest == MOTE_WANT_IN && h->has_target && only_body_left(t);
  rc = mote_conn_want(r->channel.conn, interest);
  if(rc)
    return rc;
  if(!r->flow.recv.paused && !r->flow.recv.limited && has_buffered_input(t)) {
    r->channel.conn->events |= MOTE_WANT_IN;
    mote_transfer_wake(t);
  }
  return CURLE_AGAIN;
}

/* The server has answered, and takes no more: the response is the result (RFC 9112 section 9.5). */
static CURLcode h1_leave_upload(struct mote_transfer *t)
{
  mote_http_of(t)->sending = MOTE_HTTP_SEND_DONE;
  mote_http_of(t)->abandoned = true;
  return CURLE_OK;
}

static CURLcode step_both(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc, sent = CURLE_OK;
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
  /* The rest of a request that was answered early goes out first, for the next request follows it; not where
   * the server takes no more. */
  if(h1_is_over(t) && (!r->unsent || sent))
    return CURLE_OK;
  if(sent && mote_http_of(t)->receiving == MOTE_HTTP_RECEIVE_DONE)
    return h1_leave_upload(t);
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
  struct mote_pump p = h1_pump(t, now);
  CURLcode rc;
  mote_conn_clear_events(c);
  rc = mote_pump_read_straight(&p);
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
static bool is_clean(struct mote_transfer *t)
{
  const struct mote_h1 *h = mote_h1_of(t);
  bool spoiled = h->close_asked || h->http.abandoned || h->surplus || h->not_http || h->bare_lf;
  return h1_is_over(t) && !t->run->unsent && !spoiled && h->reusable;
}

/* After CURLE_UPLOAD_FAILED nothing of the request was sent, and the connection is as good as before. */
static void http_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = t->run->channel.conn;
  bool fit = c && (rc == CURLE_UPLOAD_FAILED || (!rc && is_clean(t)));
  if(c)
    mote_conn_set_reusable(c, fit && !mote_conn_at_end(c));
}

const struct mote_protocol mote_protocol_http = {
  .name = "http",
  .conn_size = sizeof(struct mote_h1),
  MOTE_HTTP_ROW,
  .prepare = mote_http_prepare,
  .begin = http_begin,
  .step = http_step,
  .end = http_end,
  MOTE_PROTOCOL_CEILING(mote_h1_ceiling),
};
