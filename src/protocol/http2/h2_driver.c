/* protocol/http2/h2_driver.c: the driver of HTTP/2 connections. It reads for all streams, sends for them,
 * and keeps what could not be sent at once (protocol/http2/h2.h). */
#include <string.h>

#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/mux/mux.h"
#include "port/port.h"
#include "protocol/http2/h2.h"
#include "transfer/channel.h"
#include "transfer/multi/schedule.h"

#define READS_PER_TURN 16 /* then other connections have their turn */
#define ALONE 1024u       /* bytes of the buffer on the stack, for a connection without a transfer */
#define WIDE 65536u       /* bytes of the multi's buffer while more comes than fits the usual one */

/* What is in the connection's state after the driver has ended. */
struct parting {
  bool may_say; /* GOAWAY follows a whole frame */
};

/* ---- for the session ---- */

static void h2_driver_deliver(struct mote_h2_session *session, struct mote_mux_stream *stream,
                              const struct mote_event *e)
{
  (void)session;
  mote_channel_deliver(mote_mux_exchange_with(stream)->t, e);
}

static void h2_driver_data(struct mote_h2_session *session, struct mote_mux_stream *stream, char *bytes,
                           size_t len)
{
  (void)session;
  mote_mux_response_data(mote_mux_exchange_with(stream), bytes, len);
}

static CURLcode h2_driver_body(struct mote_h2_session *session, struct mote_mux_stream *stream,
                               struct mote_mux_piece *p)
{
  (void)session;
  return mote_mux_upload(mote_mux_exchange_with(stream), p);
}

static CURLcode h2_driver_send(struct mote_h2_session *session, const char *bytes, size_t len, size_t *n)
{
  return mote_conn_send(mote_h2_of_session(session)->link.drive.conn, bytes, len, n);
}

static void h2_driver_forbid(struct mote_h2_session *session)
{
  struct mote_h2 *h = mote_h2_of_session(session);
  mote_conn_set_reusable(h->link.drive.conn, false);
  mote_drive_soon(&h->link.drive);
}

static const struct mote_h2_user h2_driver_user = {
  .deliver = h2_driver_deliver, .data = h2_driver_data, .body = h2_driver_body,
  .send = h2_driver_send, .leave = h2_driver_forbid,
  .promise_begin = mote_h2_push_begin, .promise_field = mote_h2_push_field,
  .promise_end = mote_h2_push_end, .promise_drop = mote_h2_push_drop,
};

/* Any transfer of the connection, or NULL. */
static struct mote_transfer *h2_driver_any(const struct mote_h2 *h)
{
  return h->session.streams ? mote_mux_exchange_with(h->session.streams)->t : NULL;
}

/* ---- receiving ---- */

struct buffer {
  char *ptr;
  size_t size;
};

/* Larger pieces of memory make fewer system calls, and fewer frames are cut; an account with a limit does not
 * pay for it. */
static char *multi_buffer(struct mote_h2 *h, const struct mote_transfer *t)
{
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  char *p = NULL;
  if(h->session.bulk && size >= CURL_MAX_WRITE_SIZE && size < WIDE &&
     mote_mux_windows_are_free(h->link.windows))
    p = mote_schedule_buffer(mote_mux_multi(&h->link), WIDE);
  return p ? p : mote_schedule_buffer(mote_mux_multi(&h->link), size);
}

/* A connection without a transfer uses a few bytes of the stack, and so does one whose multi has no memory
 * for its buffer. */
static void find_buffer(struct mote_h2 *h, struct buffer *b, char *alone)
{
  const struct mote_transfer *t = h2_driver_any(h);
  b->ptr = t ? multi_buffer(h, t) : NULL;
  b->size = b->ptr ? mote_schedule_buffer_size(mote_mux_multi(&h->link)) : ALONE;
  if(!b->ptr)
    b->ptr = alone;
}

static CURLcode h2_driver_read_once(struct mote_h2 *h, struct mote_transfer *t, const struct buffer *b,
                                    size_t *n)
{
  CURLcode rc = mote_channel_receive(h->link.drive.conn, t, b->ptr, b->size, n);
  if(rc)
    return rc;
  if(*n)
    mote_h2_take(&h->session, b->ptr, *n);
  else
    mote_h2_break(&h->session, h->session.mute ? CURLE_SEND_ERROR : CURLE_GOT_NOTHING);
  return CURLE_OK;
}

/* Many small responses do not make the buffer larger. */
static bool is_large(const struct mote_mux_exchange *s)
{
  return s && s->window.size > MOTE_MUX_WINDOW;
}

static void h2_driver_read_all(struct mote_h2 *h)
{
  struct mote_conn *c = h->link.drive.conn;
  struct mote_transfer *t = h2_driver_any(h);
  bool plain = mote_conn_is_plain(c), more = true;
  char alone[ALONE];
  struct buffer b;
  CURLcode rc = CURLE_OK;
  size_t n = 0;
  int reads;
  mote_conn_clear_events(c);
  for(reads = 0; reads < READS_PER_TURN && more && !rc && !h->session.broken; reads++) {
    find_buffer(h, &b, alone);
    c->env.drained = false;
    rc = h2_driver_read_once(h, t, &b, &n);
    more = h->session.mute || (plain ? n == b.size : !c->env.drained); /* else the socket is empty */
    if(n >= CURL_MAX_WRITE_SIZE && is_large(h->link.turn->owing))
      h->session.bulk = plain;
  }
  if(rc && h->session.mute)
    mote_h2_break(&h->session, CURLE_SEND_ERROR);
  else if(rc && rc != CURLE_AGAIN)
    mote_h2_break(&h->session, rc);
  if(reads == 1 && n < CURL_MAX_WRITE_SIZE)
    h->session.bulk = false;
  if(!rc && more && !h->session.broken) {
    mote_conn_look_again(c);
    mote_drive_soon(&h->link.drive);
  }
}

/* ---- acting ---- */

static void h2_driver_look(struct mote_h2 *h)
{
  struct mote_h2_session *s = &h->session;
  struct mote_conn *c = h->link.drive.conn;
  struct mote_mux_turn turn;
  CURLcode rc = CURLE_OK;
  if(!s->nghttp2)
    return;
  turn.owing = turn.straight = NULL;
  h->link.turn = &turn;
  if(!s->broken && (c->events & MOTE_WANT_IN || mote_conn_pending(c) || s->mute))
    h2_driver_read_all(h);
  mote_mux_give_owed(&h->link);
  if(mote_h2_may_send(s) && mote_h2_send(s))
    mote_drive_soon(&h->link.drive);
  h->link.turn = NULL;
  if(!s->streams)
    mote_h2_memory_idle(s);
  if(!s->broken && mote_h2_is_over(s))
    mote_h2_break(s, CURLE_HTTP2);
  if(!s->broken)
    rc = mote_drive_want(&h->link.drive, MOTE_WANT_IN | (mote_h2_waits_to_send(s) ? MOTE_WANT_OUT : 0));
  if(rc)
    mote_h2_break(s, rc);
  if(s->broken && !s->failed) {
    mote_mux_fail_all(&h->link, s->streams, s->broken);
    s->failed = true;
  }
  mote_mux_offer(&h->link);
}

static void h2_driver_act(struct mote_drive *d, mote_time now)
{
  (void)now;
  h2_driver_look((struct mote_h2 *)d);
}

/* ---- the row ---- */

static void on_ready(struct mote_drive *d)
{
  mote_drive_soon(d);
}

static bool h2_driver_is_usable(const struct mote_h2 *h)
{
  return mote_h2_may_send(&h->session) && !h->session.away;
}

static unsigned h2_driver_room(const struct mote_drive *d)
{
  const struct mote_h2 *h = (const struct mote_h2 *)d;
  return h2_driver_is_usable(h) ? mote_h2_room(&h->session, d->channels, mote_mux_most(&h->link)) : 0;
}

/* What the server has said meanwhile is taken. */
static void look_at_idle(struct mote_h2 *h)
{
  if(h->session.broken || !h->session.nghttp2)
    return;
  mote_conn_look_again(h->link.drive.conn);
  h2_driver_look(h);
}

/* A connection that was used in this second is not looked at: a request that it loses is made again, and
 * mote_h2_join() looks at it for one that must not be. */
static bool h2_driver_usable(struct mote_drive *d)
{
  struct mote_h2 *h = (struct mote_h2 *)d;
  if(d->conn->events || mote_conn_seconds(mote_port_now()) != d->conn->last_used)
    look_at_idle(h);
  return h2_driver_is_usable(h);
}

/* What is left to say, of streams that were given up and to the server, is said before no multi drives it. */
static bool h2_driver_rest(struct mote_drive *d)
{
  struct mote_h2 *h = (struct mote_h2 *)d;
  if(!h->session.nghttp2 || mote_h2_is_common(h) || h->link.turn)
    return false;
  h2_driver_look(h);
  return h2_driver_is_usable(h) && !h->session.rest;
}

/* The server's answer shows that the connection lives; a broken one shows when it is used next. */
static void h2_driver_upkeep(struct mote_drive *d, mote_time now, long interval)
{
  struct mote_h2 *h = (struct mote_h2 *)d;
  if(!h->session.nghttp2 || !mote_h2_may_send(&h->session) || now - h->kept_up < interval * MOTE_MS)
    return;
  h->kept_up = now;
  mote_h2_ping(&h->session);
  h2_driver_look(h);
}

static void h2_driver_on_close(struct mote_drive *d)
{
  struct mote_h2 *h = (struct mote_h2 *)d;
  struct parting *p = mote_conn_state(d->conn);
  const struct mote_h2_session *s = &h->session;
  p->may_say = s->nghttp2 && mote_h2_may_send(s) && !s->rest && !s->said_goodbye;
  mote_h2_close_session(h);
}

/* GOAWAY for a server that has begun no stream (RFC 9113 section 6.8). */
static CURLcode goodbye(struct mote_conn *c)
{
  static const char frame[17] = {0, 0, 8, NGHTTP2_GOAWAY};
  struct parting *p = mote_conn_state(c);
  size_t n;
  CURLcode rc;
  if(!p->may_say)
    return CURLE_OK;
  rc = mote_conn_send(c, frame, sizeof frame, &n);
  if(rc == CURLE_AGAIN) {
    rc = mote_conn_want(c, MOTE_WANT_OUT);
    return rc ? rc : CURLE_AGAIN;
  }
  p->may_say = false;
  return rc;
}

/* ---- for the exchanges ---- */

static CURLcode h2_driver_submit(struct mote_mux_exchange *s, struct mote_mux_field *fields, size_t count,
                                 bool body)
{
  return mote_h2_submit(&mote_h2_of(s->t)->session, &s->stream, fields, count, body);
}

static CURLcode h2_driver_trailers(struct mote_mux_exchange *s, struct mote_mux_field *fields, size_t count)
{
  return mote_h2_trailers(&mote_h2_of(s->t)->session, &s->stream, fields, count);
}

static void h2_driver_resume(struct mote_mux_exchange *s)
{
  struct mote_h2 *h = mote_h2_of(s->t);
  if(h->session.broken || s->stream.closed)
    return;
  mote_h2_resume(&h->session, &s->stream);
  mote_drive_soon(&h->link.drive);
}

static void h2_driver_credit(struct mote_mux_exchange *s, size_t n, uint32_t window)
{
  struct mote_h2_session *session = &mote_h2_of(s->t)->session;
  if(!session->broken)
    mote_h2_credit(session, &s->stream, n, window);
}

const struct mote_mux_row mote_h2_row = {
  .driver = {
    .name = "h2", .size = sizeof(struct mote_h2), .ready = on_ready, .act = h2_driver_act,
    .room = h2_driver_room, .usable = h2_driver_usable, .rest = h2_driver_rest,
    .upkeep = h2_driver_upkeep, .goodbye = goodbye, .close = h2_driver_on_close,
  },
  .name = "HTTP/2",
  .version = CURL_HTTP_VERSION_2_0,
  .unlawful = CURLE_HTTP2_STREAM,
  .submit = h2_driver_submit,
  .trailers = h2_driver_trailers,
  .resume = h2_driver_resume,
  .credit = h2_driver_credit,
  .judge_reset = mote_h2_judge_reset,
  .judge_failure = mote_h2_judge_failure,
};

/* ---- for a transfer ---- */

static CURLcode make_exchange(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded)
{
  struct mote_mux_exchange *s = mote_h2_memory_take(&h->session, sizeof *s);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  s->t = t;
  if(upgraded) {
    s->http = *upgraded;
    s->upgraded = true;
    mote_h2_adopt(&h->session, &s->stream, 1);
  }
  t->run->channel.state = s;
  return CURLE_OK;
}

static CURLcode begin_session(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded)
{
  CURLcode rc = mote_h2_open_session(h, &h2_driver_user, upgraded ? t : NULL);
  if(rc)
    return rc;
  h->kept_up = mote_port_now();
  rc = make_exchange(h, t, upgraded);
  if(rc)
    mote_h2_close_session(h);
  return rc;
}

CURLcode mote_h2_begin_exchange(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded)
{
  struct mote_mux_exchange *s;
  CURLcode rc = CURLE_RECV_ERROR;
  if(!h->session.streams && !mote_mux_is_repeatable(t))
    look_at_idle(h);
  if(h2_driver_is_usable(h))
    rc = h->session.nghttp2 ? make_exchange(h, t, upgraded) : begin_session(h, t, upgraded);
  if(rc)
    return rc;
  s = mote_mux_exchange_of(t);
  mote_h2_join(&h->session, &s->stream);
  mote_mux_window_open(&s->window, h->link.windows);
  mote_conn_set_reusable(h->link.drive.conn, true);
  mote_drive_soon(&h->link.drive); /* TLS may have read bytes ahead, for which no event comes */
  return CURLE_OK;
}

void mote_h2_end_exchange(struct mote_h2 *h, struct mote_mux_exchange *s)
{
  if(h->link.turn && h->link.turn->owing == s)
    h->link.turn->owing = h->link.turn->straight = NULL;
  mote_mux_window_close(&s->window, h->link.windows);
  if(mote_h2_leave(&h->session, &s->stream) ||
     (!h->session.streams && mote_h2_memory_has_spare(&h->session)))
    mote_drive_soon(&h->link.drive);
  mote_h2_memory_put(&h->session, s);
}
