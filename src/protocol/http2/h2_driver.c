/* protocol/http2/h2_driver.c: the driver of HTTP/2 connections. It reads for all streams, sends for them,
 * and keeps what could not be sent at once (protocol/http2/h2.h). */
#include <string.h>

#include "base/memory.h"
#include "net/conn.h"
#include "port/port.h"
#include "protocol/http2/h2.h"
#include "transfer/channel.h"
#include "transfer/multi.h"

#define READS_PER_TURN 16 /* then other connections have their turn */
#define SENDS_PER_TURN 16 /* likewise */
#define ALONE 1024u       /* bytes of the buffer on the stack, for a connection without a transfer */
#define WIDE 65536u       /* bytes of the multi's buffer while more comes than fits the usual one */
#define GATHER 4096u      /* bytes of small frames that are sent together */

/* What is in the connection's state after the driver has ended. */
struct parting {
  bool may_say; /* GOAWAY follows a whole frame */
};

/* ---- sending ---- */

static void drop_rest(struct mote_h2 *h)
{
  mote_mem_free(h->drive.conn->env.account, MOTE_PART_CONN, h->rest, h->rest_len);
  h->rest = NULL;
}

/* Two pieces, since nghttp2 has given the second one away already. */
static void h2_driver_keep_rest(struct mote_h2 *h, const char *a, size_t a_len, const void *b, size_t b_len)
{
  h->rest_len = (uint32_t)(a_len + b_len);
  h->rest_at = 0;
  h->rest = mote_mem_alloc(h->drive.conn->env.account, MOTE_PART_CONN, h->rest_len);
  if(!h->rest) {
    mote_h2_break(h, CURLE_OUT_OF_MEMORY); /* a part of a frame is sent, and no other can follow it */
    return;
  }
  memcpy(h->rest, a, a_len);
  if(b_len)
    memcpy(h->rest + a_len, b, b_len);
}

/* A server that has closed may have sent a whole response before, or why it does not serve the request. Those
 * bytes are read first. */
static void fail_to_send(struct mote_h2 *h, CURLcode rc)
{
  if(rc != CURLE_SEND_ERROR) {
    mote_h2_break(h, rc);
    return;
  }
  h->mute = true;
  mote_conn_set_reusable(h->drive.conn, false);
  mote_drive_soon(&h->drive);
}

static bool may_send(const struct mote_h2 *h)
{
  return !h->broken && !h->mute;
}

/* Sends until the connection takes no more; returns how many bytes it took. */
static size_t send_bytes(struct mote_h2 *h, const char *bytes, size_t len)
{
  size_t at = 0;
  while(at < len) {
    size_t n = 0;
    CURLcode rc = mote_conn_send(h->drive.conn, bytes + at, len - at, &n);
    at += n;
    if(rc && rc != CURLE_AGAIN)
      fail_to_send(h, rc);
    if(rc)
      break;
  }
  return at;
}

/* Returns whether more can be sent. */
static bool flush_rest(struct mote_h2 *h)
{
  if(!h->rest)
    return may_send(h);
  h->rest_at += (uint32_t)send_bytes(h, h->rest + h->rest_at, h->rest_len - h->rest_at);
  if(h->rest_at < h->rest_len)
    return false;
  drop_rest(h);
  return true;
}

/* Small frames that wait for being sent. */
struct gathered {
  size_t len;
  char bytes[GATHER];
};

/* Sends what was gathered, with a piece that has no room there. Returns whether more can be sent. */
static bool send_gathered(struct mote_h2 *h, struct gathered *g, const uint8_t *more, size_t len)
{
  size_t sent = send_bytes(h, g->bytes, g->len), left = g->len - sent;
  if(!left && len && may_send(h)) {
    sent = send_bytes(h, (const char *)more, len);
    more += sent;
    len -= sent;
  }
  if(may_send(h) && left + len)
    h2_driver_keep_rest(h, g->bytes + g->len - left, left, more, len);
  g->len = 0;
  return !h->rest && may_send(h);
}

static void put_preface(struct mote_h2 *h, struct gathered *g)
{
  memcpy(g->bytes, h->rest, h->rest_len);
  g->len = h->rest_len;
  drop_rest(h);
  h->preface_due = false;
}

/* Gathers frames, so that what all streams have to say leaves at once. nghttp2 has each of them in memory
 * that is perhaps the multi's buffer (h2_memory.h). */
static void send_all(struct mote_h2 *h)
{
  struct gathered g;
  int sends = 0;
  g.len = 0;
  if(h->preface_due)
    put_preface(h, &g);
  else if(!flush_rest(h) || !nghttp2_session_want_write(h->session))
    return;
  for(;;) {
    const uint8_t *bytes;
    ssize_t n = nghttp2_session_mem_send(h->session, &bytes);
    if(n < 0)
      mote_h2_break(h, n == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_SEND_ERROR);
    if(n <= 0)
      break;
    if((size_t)n <= sizeof g.bytes - g.len) {
      memcpy(g.bytes + g.len, bytes, (size_t)n);
      g.len += (size_t)n;
      continue;
    }
    if(!send_gathered(h, &g, bytes, (size_t)n))
      return;
    if(++sends >= SENDS_PER_TURN) {
      mote_drive_soon(&h->drive);
      return;
    }
  }
  if(g.len && may_send(h))
    (void)send_gathered(h, &g, NULL, 0);
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
  if(h->wide && size >= CURL_MAX_WRITE_SIZE && size < WIDE && mote_mux_windows_are_free(mote_mux_windows_of(h)))
    p = mote_schedule_buffer(mote_h2_multi(h), WIDE);
  return p ? p : mote_schedule_buffer(mote_h2_multi(h), size);
}

/* A connection without a transfer uses a few bytes of the stack, and so does one whose multi has no memory
 * for its buffer. */
static void find_buffer(struct mote_h2 *h, struct buffer *b, char *alone)
{
  b->ptr = h->streams ? multi_buffer(h, h->streams->t) : NULL;
  b->size = b->ptr ? mote_schedule_buffer_size(mote_h2_multi(h)) : ALONE;
  if(!b->ptr)
    b->ptr = alone;
}

static CURLcode h2_driver_read_once(struct mote_h2 *h, struct mote_transfer *t, const struct buffer *b,
                                    size_t *n)
{
  CURLcode rc = mote_channel_receive(h->drive.conn, t, b->ptr, b->size, n);
  if(rc)
    return rc;
  if(*n)
    mote_h2_session_take(h, b->ptr, *n);
  else
    mote_h2_break(h, h->mute ? CURLE_SEND_ERROR : CURLE_GOT_NOTHING);
  return CURLE_OK;
}

/* Many small responses do not make the buffer larger. */
static bool is_large(const struct mote_h2_stream *s)
{
  return s && s->window.size > MOTE_MUX_WINDOW;
}

static void h2_driver_read_all(struct mote_h2 *h)
{
  struct mote_conn *c = h->drive.conn;
  struct mote_transfer *t = h->streams ? h->streams->t : NULL;
  bool plain = mote_conn_is_plain(c), more = true;
  char alone[ALONE];
  struct buffer b;
  CURLcode rc = CURLE_OK;
  size_t n = 0;
  int reads;
  mote_conn_clear_events(c);
  for(reads = 0; reads < READS_PER_TURN && more && !rc && !h->broken; reads++) {
    find_buffer(h, &b, alone);
    c->env.drained = false;
    rc = h2_driver_read_once(h, t, &b, &n);
    more = h->mute || (plain ? n == b.size : !c->env.drained); /* else the socket is empty */
    if(n >= CURL_MAX_WRITE_SIZE && is_large(h->turn->owing))
      h->wide = plain;
  }
  if(rc && h->mute)
    mote_h2_break(h, CURLE_SEND_ERROR);
  else if(rc && rc != CURLE_AGAIN)
    mote_h2_break(h, rc);
  if(reads == 1 && n < CURL_MAX_WRITE_SIZE)
    h->wide = false;
  if(!rc && more && !h->broken) {
    mote_conn_look_again(c);
    mote_drive_soon(&h->drive);
  }
}

/* ---- acting ---- */

/* Each transfer makes its own result of it. Without any, the pool closes the connection at the end of the
 * run. */
static void fail_all(struct mote_h2 *h)
{
  struct mote_event event = {.kind = MOTE_EVENT_FAILED, .rc = h->broken};
  struct mote_conn *c = h->drive.conn;
  struct mote_h2_stream *s;
  (void)mote_conn_want(c, 0);
  if(!h->streams && c->set) {
    mote_conn_look_again(c);
    mote_schedule_prune_soon(c->set);
  }
  for(s = h->streams; s; s = s->next)
    mote_channel_deliver(s->t, &event);
  h->failed = true;
}

/* nghttp2 has nothing more to do after a GOAWAY of either side. */
static bool h2_driver_is_over(const struct mote_h2 *h)
{
  return !h->rest && !nghttp2_session_want_read(h->session) && !nghttp2_session_want_write(h->session);
}

static void h2_driver_look(struct mote_h2 *h)
{
  struct mote_conn *c = h->drive.conn;
  struct mote_h2_turn turn;
  CURLcode rc;
  if(!h->session)
    return;
  turn.owing = turn.straight = NULL;
  h->turn = &turn;
  if(!h->broken && (c->events & MOTE_WANT_IN || mote_conn_pending(c) || h->mute))
    h2_driver_read_all(h);
  mote_h2_give_owed(h);
  if(may_send(h))
    send_all(h);
  h->turn = NULL;
  if(!h->streams)
    mote_h2_memory_idle(&h->memory);
  if(!h->broken && h2_driver_is_over(h))
    mote_h2_break(h, CURLE_HTTP2);
  rc = h->broken ? CURLE_OK
                 : mote_drive_want(&h->drive, MOTE_WANT_IN | (h->rest && !h->mute ? MOTE_WANT_OUT : 0));
  if(rc)
    mote_h2_break(h, rc);
  if(h->broken && !h->failed)
    fail_all(h);
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

/* Also while it is dialled, when transfers wait for it. */
static unsigned most_streams(const struct mote_conn *c)
{
  unsigned most = c->set ? mote_container_of(c->set, struct mote_multi, set)->max_streams : 0;
  return most ? most : MOTE_H2_STREAMS;
}

static bool h2_driver_is_usable(const struct mote_h2 *h)
{
  return may_send(h) && !h->away;
}

/* What the server allows is not known before its SETTINGS. nghttp2 keeps the streams that it then forbids. */
static unsigned h2_driver_room(const struct mote_drive *d)
{
  const struct mote_h2 *h = (const struct mote_h2 *)d;
  unsigned most = most_streams(d->conn);
  if(!h2_driver_is_usable(h))
    return 0;
  if(h->session && !nghttp2_session_check_request_allowed(h->session))
    return 0;
  if(h->settled) {
    uint32_t theirs =
      nghttp2_session_get_remote_settings(h->session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
    if(theirs < most)
      most = theirs;
  }
  return d->channels < most ? most - d->channels : 0;
}

/* What the server has said meanwhile is taken. */
static void look_at_idle(struct mote_h2 *h)
{
  if(h->broken || !h->session)
    return;
  mote_conn_look_again(h->drive.conn);
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
  if(!h->session || !h->own || h->turn)
    return false;
  h2_driver_look(h);
  return h2_driver_is_usable(h) && !h->rest;
}

/* The server's answer shows that the connection lives; a broken one shows when it is used next. */
static void h2_driver_upkeep(struct mote_drive *d, mote_time now, long interval)
{
  struct mote_h2 *h = (struct mote_h2 *)d;
  if(!h->session || !may_send(h) || now - h->kept_up < interval * MOTE_MS)
    return;
  h->kept_up = now;
  if(nghttp2_submit_ping(h->session, NGHTTP2_FLAG_NONE, NULL))
    mote_h2_break(h, CURLE_OUT_OF_MEMORY);
  h2_driver_look(h);
}

static void h2_driver_on_close(struct mote_drive *d)
{
  struct mote_h2 *h = (struct mote_h2 *)d;
  struct parting *p = mote_conn_state(d->conn);
  p->may_say = h->session && may_send(h) && !h->rest && !h->said_goodbye;
  if(h->rest)
    drop_rest(h);
  mote_h2_session_close(h);
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

const struct mote_driver mote_h2_driver = {
  .name = "h2", .size = sizeof(struct mote_h2), .ready = on_ready, .act = h2_driver_act,
  .room = h2_driver_room,
  .usable = h2_driver_usable, .rest = h2_driver_rest, .upkeep = h2_driver_upkeep, .goodbye = goodbye,
  .close = h2_driver_on_close,
};

/* ---- for a transfer ---- */

static CURLcode make_stream(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded)
{
  struct mote_h2_stream *s = mote_h2_memory_take(&h->memory, sizeof *s);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  s->t = t;
  if(upgraded) {
    s->http = *upgraded;
    s->upgraded = true;
    s->id = 1;
  }
  t->run->channel.state = s;
  return CURLE_OK;
}

static CURLcode begin_session(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded)
{
  CURLcode rc;
  rc = mote_h2_session_open(h);
  if(rc)
    return rc;
  rc = make_stream(h, t, upgraded);
  if(!rc)
    rc = mote_h2_session_introduce(h, upgraded ? mote_h2_stream_of(t) : NULL);
  if(rc) {
    mote_h2_memory_put(&h->memory, mote_h2_stream_of(t));
    t->run->channel.state = NULL;
    mote_h2_session_close(h);
  }
  h->kept_up = mote_port_now();
  return rc;
}

CURLcode mote_h2_join(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded)
{
  struct mote_h2_stream *s;
  CURLcode rc = CURLE_RECV_ERROR;
  if(!h->streams && !mote_h2_is_repeatable(t))
    look_at_idle(h);
  if(h2_driver_is_usable(h))
    rc = h->session ? make_stream(h, t, upgraded) : begin_session(h, t, upgraded);
  if(rc)
    return rc;
  s = mote_h2_stream_of(t);
  s->next = h->streams;
  s->link = &h->streams;
  if(s->next)
    s->next->link = &s->next;
  h->streams = s;
  mote_mux_window_open(&s->window, mote_mux_windows_of(h));
  mote_conn_set_reusable(h->drive.conn, true);
  mote_drive_soon(&h->drive); /* TLS may have read bytes ahead, for which no event comes */
  return CURLE_OK;
}

static void h2_driver_give_up(struct mote_h2 *h, struct mote_h2_stream *s)
{
  (void)nghttp2_session_set_stream_user_data(h->session, s->id, NULL);
  if(nghttp2_submit_rst_stream(h->session, NGHTTP2_FLAG_NONE, s->id, NGHTTP2_CANCEL))
    mote_h2_break(h, CURLE_OUT_OF_MEMORY);
  mote_drive_soon(&h->drive);
}

void mote_h2_leave(struct mote_h2 *h, struct mote_h2_stream *s)
{
  *s->link = s->next;
  if(s->next)
    s->next->link = s->link;
  if(!h->promised && h->at == s)
    h->at = NULL;
  if(h->turn && h->turn->owing == s)
    h->turn->owing = h->turn->straight = NULL;
  mote_mux_window_close(&s->window, mote_mux_windows_of(h));
  if(s->id && !s->closed && !h->broken)
    h2_driver_give_up(h, s);
  else if(!h->streams && mote_h2_memory_has_spare(&h->memory))
    mote_drive_soon(&h->drive);
  mote_h2_memory_put(&h->memory, s);
}
