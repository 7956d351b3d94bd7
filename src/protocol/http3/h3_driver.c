/* protocol/http3/h3_driver.c: the driver of HTTP/3 connections. It takes datagrams for all streams and
 * sends for them (protocol/http3/h3.h). */
#include "base/memory/block.h"
#include "net/conn.h"
#include "net/h3/early.h"
#include "port/burst.h"
#include "port/port.h"
#include "protocol/http3/h3.h"
#include "tls/tls.h"
#include "transfer/multi/multi.h"
#include "transfer/protocol.h"

/* ---- for the session ---- */

static void h3_driver_deliver(struct mote_h3_session *s, struct mote_mux_stream *stream,
                              const struct mote_event *e)
{
  (void)s;
  if(stream->early)
    mote_h3_judge_early(stream, e);
  mote_channel_deliver(mote_mux_exchange_with(stream)->t, e);
}

static void h3_driver_data(struct mote_h3_session *s, struct mote_mux_stream *stream, char *bytes, size_t len)
{
  (void)s;
  mote_mux_response_data(mote_mux_exchange_with(stream), bytes, len);
}

static CURLcode h3_driver_body(struct mote_h3_session *s, struct mote_mux_stream *stream,
                               struct mote_mux_piece *p)
{
  (void)s;
  return mote_mux_upload(mote_mux_exchange_with(stream), p);
}

static void h3_driver_allow(struct mote_h3_session *s, struct mote_mux_stream *stream)
{
  (void)s;
  mote_transfer_wake(mote_mux_exchange_with(stream)->t);
}

static void h3_driver_forbid(struct mote_h3_session *s)
{
  mote_conn_set_reusable(s->conn, false);
  mote_drive_soon(s->conn->drive);
}

static const struct mote_h3_user h3_driver_user = {
  .deliver = h3_driver_deliver, .data = h3_driver_data, .body = h3_driver_body, .allow = h3_driver_allow,
  .leave = h3_driver_forbid,
};

/* ---- a turn ---- */

struct room {
  char *ptr;
  size_t size;
};

/* The multi's buffer, unless there is no memory for it. */
static struct room h3_driver_room_for(struct mote_h3 *h, char *alone)
{
  struct mote_multi *m = mote_mux_multi(&h->link);
  struct room r = {alone, MOTE_H3_ALONE};
  uint32_t size = h->session->gathered ? MOTE_PORT_BURST_MOST : CURL_MAX_WRITE_SIZE;
  char *p = m ? mote_schedule_buffer(m, size) : NULL;
  if(p)
    r = (struct room){p, mote_schedule_buffer_size(m)};
  return r;
}

/* Reports whether all streams are over, so that what there is to send is acknowledgements. */
static bool h3_driver_is_quiet(const struct mote_h3_session *s)
{
  const struct mote_mux_stream *stream = s->streams;
  while(stream && stream->closed)
    stream = stream->next;
  return !stream;
}

/* At the end of the last response the application has its turn before anything is sent: acknowledgements
 * leave with its next request, or when they are due (RFC 9000 section 13.2.1). */
static void h3_driver_exchange(struct mote_h3 *h)
{
  struct mote_h3_session *s = h->session;
  char alone[MOTE_H3_ALONE];
  struct mote_mux_turn turn;
  struct room room;
  bool again = false, taken = mote_conn_has_event(s->conn);
  turn.owing = turn.straight = NULL;
  h->link.turn = &turn;
  room = h3_driver_room_for(h, alone);
  if(mote_h3_early_is_owed(s->early))
    mote_h3_early_deliver(s);
  if(taken || mote_h3_path_is_due(s)) {
    struct mote_transfer *any = s->streams ? mote_mux_exchange_with(s->streams)->t : NULL;
    mote_conn_clear_events(s->conn);
    mote_channel_lend_sessions(s->conn, any);
    again = mote_h3_take(s, room.ptr, room.size);
    mote_channel_end_sessions(s->conn, any);
  }
  mote_mux_give_owed(&h->link);
  h->link.turn = NULL;
  room = h3_driver_room_for(h, alone); /* a callback may have moved it */
  if(taken && h3_driver_is_quiet(s))
    mote_h3_set_timer(s, mote_h3_now());
  else if(!s->broken) {
    again = mote_h3_send(s, room.ptr, room.size) || again;
    if(!s->streams)
      mote_h3_memory_idle(s);
  }
  if(again && !s->broken)
    mote_drive_soon(&h->link.drive);
}

/* A connection without a stream leaves one turn to transfers that are about to run, whose request may then
 * leave together with what is due. */
static bool h3_driver_stands_back(struct mote_h3 *h)
{
  const struct mote_multi *m = mote_mux_multi(&h->link);
  h->stood_back = !h->stood_back && m && !h->session->streams && !mote_conn_has_event(h->session->conn) &&
                  !mote_list_empty(&m->lists[MOTE_LIST_READY]);
  if(h->stood_back)
    mote_drive_soon(&h->link.drive);
  return h->stood_back;
}

static void h3_driver_act(struct mote_drive *d, mote_time now)
{
  struct mote_h3 *h = (struct mote_h3 *)d;
  struct mote_h3_session *s = h->session;
  CURLcode rc = CURLE_OK;
  (void)now;
  if(!s || (!s->broken && h3_driver_stands_back(h)))
    return;
  if(!s->broken)
    h3_driver_exchange(h);
  if(!s->broken)
    rc = mote_drive_want(d, MOTE_WANT_IN | (mote_h3_waits_to_send(s) ? MOTE_WANT_OUT : 0));
  if(rc)
    mote_h3_break(s, rc);
  if(s->broken && !s->failed) {
    mote_mux_fail_all(&h->link, s->streams, s->broken);
    s->failed = true;
  }
  mote_mux_offer(&h->link);
}

static void h3_driver_ready(struct mote_drive *d)
{
  mote_drive_soon(d);
}

/* ---- for the pool ---- */

static unsigned h3_driver_room(const struct mote_drive *d)
{
  const struct mote_h3 *h = (const struct mote_h3 *)d;
  return h->session ? mote_h3_room(h->session, d->channels, mote_mux_most(&h->link)) : 0;
}

/* What has come meanwhile is taken: it may be the end. */
static bool h3_driver_usable(struct mote_drive *d)
{
  struct mote_h3 *h = (struct mote_h3 *)d;
  if(!h->session)
    return false;
  if(mote_conn_seconds(mote_port_now()) != d->conn->last_used)
    mote_conn_look_again(d->conn);
  if(!h->session->broken && d->conn->events)
    h3_driver_act(d, mote_port_now());
  return !h->session->broken && !h->session->away && !mote_h3_path_is_doubtful(h->session);
}

static void h3_driver_close(struct mote_drive *d)
{
  const struct mote_h3 *h = (struct mote_h3 *)d;
  if(h->session && !h->session->broken)
    mote_h3_goodbye(h->session, NULL);
}

/* ---- for the exchanges ---- */

static CURLcode h3_driver_submit(struct mote_mux_exchange *s, struct mote_mux_field *fields, size_t count,
                                 bool body)
{
  return mote_h3_submit(mote_h3_with(s->t)->session, &s->stream, fields, count, body);
}

static CURLcode h3_driver_trailers(struct mote_mux_exchange *s, struct mote_mux_field *fields, size_t count)
{
  return mote_h3_trailers(mote_h3_with(s->t)->session, &s->stream, fields, count);
}

static void h3_driver_resume(struct mote_mux_exchange *s)
{
  struct mote_h3 *h = mote_h3_with(s->t);
  if(h->session->broken || s->stream.closed)
    return;
  mote_h3_resume(h->session, &s->stream);
  mote_drive_soon(&h->link.drive);
}

static void h3_driver_credit(struct mote_mux_exchange *s, size_t n, uint32_t window)
{
  struct mote_h3_session *session = mote_h3_with(s->t)->session;
  if(!session->broken)
    mote_h3_credit(session, &s->stream, n, window);
}

const struct mote_mux_row mote_h3_row = {
  .driver = {
    .name = "h3", .size = sizeof(struct mote_h3), .ready = h3_driver_ready, .act = h3_driver_act,
    .room = h3_driver_room, .usable = h3_driver_usable, .close = h3_driver_close,
  },
  .name = "HTTP/3",
  .version = CURL_HTTP_VERSION_3,
  .unlawful = CURLE_HTTP3,
  .submit = h3_driver_submit,
  .trailers = h3_driver_trailers,
  .resume = h3_driver_resume,
  .credit = h3_driver_credit,
  .judge_reset = mote_h3_judge_reset,
  .judge_failure = mote_h3_judge_failure,
};

/* ---- for a transfer ---- */

/* How far they may grow is asked again whenever no stream of the multi is open. */
static struct mote_mux_windows *h3_driver_windows(const struct mote_h3 *h)
{
  struct mote_mux_windows *all = &mote_mux_multi(&h->link)->h3_windows;
  struct mote_block_info info;
  if(!all->granted)
    mote_mux_windows_init(all, mote_account_room(h->session->conn->env.account), mote_block_get(&info));
  return all;
}

static bool h3_driver_join_session(struct mote_h3 *h)
{
  struct mote_conn *c = h->link.drive.conn;
  const struct mote_stream *tls = mote_conn_layer(c, MOTE_ROLE_TLS);
  struct mote_quic_carrier *carrier = tls ? mote_tls_carrier(tls) : NULL;
  if(!carrier)
    return false;
  h->session = mote_h3_of(carrier);
  h->session->user = &h3_driver_user;
  h->link.windows = h3_driver_windows(h);
  return true;
}

static struct mote_mux_exchange *h3_driver_make_exchange(struct mote_h3_session *session,
                                                         struct mote_transfer *t)
{
  struct mote_mux_exchange *s = mote_h3_memory_take(session, sizeof *s);
  if(!s)
    return NULL;
  s->t = t;
  t->run->channel.state = s;
  mote_h3_join(session, &s->stream);
  return s;
}

/* A request that must not be made twice goes to a kept connection only if nothing that has come ends it. */
static bool h3_driver_wants_look(const struct mote_h3 *h, const struct mote_transfer *t)
{
  return t->run->lease.kind == MOTE_LEASE_KEPT && !h->session->broken && !h->session->streams &&
         !mote_h3_early_is_owed(h->session->early) && !mote_mux_is_repeatable(t);
}

CURLcode mote_h3_begin_exchange(struct mote_h3 *h, struct mote_transfer *t)
{
  struct mote_mux_exchange *s;
  if(!h->session && !h3_driver_join_session(h))
    return CURLE_QUIC_CONNECT_ERROR;
  if(h3_driver_wants_look(h, t)) {
    mote_conn_look_again(h->link.drive.conn);
    h3_driver_act(&h->link.drive, mote_port_now());
  }
  if(h->session->broken || h->session->away)
    return CURLE_RECV_ERROR;
  s = mote_h3_take_early(h->session, t);
  if(!s)
    s = h3_driver_make_exchange(h->session, t);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  mote_mux_window_open(&s->window, h->link.windows);
  mote_conn_set_reusable(h->link.drive.conn, true);
  mote_drive_soon(&h->link.drive);
  return CURLE_OK;
}

void mote_h3_end_exchange(struct mote_h3 *h, struct mote_mux_exchange *s)
{
  if(h->link.turn && h->link.turn->owing == s)
    h->link.turn->owing = h->link.turn->straight = NULL;
  mote_mux_window_close(&s->window, h->link.windows);
  if(mote_h3_leave(h->session, &s->stream))
    mote_drive_soon(&h->link.drive);
  mote_slab_put(&h->session->memory, s);
  if(!h->session->streams && !h->session->rested) /* later in a turn that no request has come before */
    mote_h3_memory_idle(h->session);
}
