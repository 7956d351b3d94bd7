/* protocol/rtsp/rtsp.c: one exchange of RTSP, from its request to its end (protocol/rtsp/rtsp.h). */
#include "protocol/rtsp/rtsp.h"

#include <string.h>

#include "http/redirect.h"
#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/report/progress.h"
#include "transfer/schedule.h"

#define READS_PER_STEP 64 /* then other transfers get their turn */

/* ---- the end ---- */

static CURLcode protocol_rtsp_refuse(struct mote_transfer *t, CURLcode rc, const char *why)
{
  mote_fail(&t->report, "%s", why);
  return rc;
}

static CURLcode protocol_rtsp_judge_end(struct mote_transfer *t)
{
  const struct mote_rtsp *s = mote_rtsp_of(t);
  if(mote_rtsp_only_receives(t))
    return protocol_rtsp_refuse(t, CURLE_RECV_ERROR, "The server has closed the RTSP connection");
  if(s->stage == MOTE_RTSP_WAIT) {
    if(!s->http.code)
      t->run->lease.retry = MOTE_RETRY_DEAD;
    return protocol_rtsp_refuse(t, CURLE_GOT_NOTHING, "Empty reply from server");
  }
  if(s->stage != MOTE_RTSP_BODY)
    return protocol_rtsp_refuse(t, CURLE_RECV_ERROR,
                                "The connection has ended within the head of a response");
  mote_fail(&t->report, "transfer closed with %" CURL_FORMAT_CURL_OFF_T " bytes remaining to read",
            (curl_off_t)s->left);
  return CURLE_PARTIAL_FILE;
}

/* ---- a step ---- */

static bool protocol_rtsp_is_over(const struct mote_transfer *t)
{
  const struct mote_rtsp *s = mote_rtsp_of(t);
  return s->stage == MOTE_RTSP_OVER ||
         (s->stage == MOTE_RTSP_WAIT && mote_rtsp_only_receives(t) && s->received);
}

/* Reads once. *more: the next read may return more at once. */
static CURLcode protocol_rtsp_read_once(struct mote_transfer *t, mote_time now, bool *more)
{
  struct mote_conn *c = t->run->channel.conn;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t before = mote_conn_held(c), len, most = mote_speed_allow_down(t, now, size);
  char *bytes, *buffer;
  bool end;
  CURLcode rc;
  *more = false;
  t->run->flow.recv.limited = !most;
  if(!most)
    return CURLE_AGAIN;
  buffer = mote_schedule_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_conn_read(c, buffer, size, most, &bytes, &len, &end);
  if(rc)
    return rc;
  if(end) {
    mote_conn_take(c, len);
    (void)mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
    return protocol_rtsp_judge_end(t);
  }
  t->run->response.got_bytes = true;
  mote_speed_passed_down(t, len - before);
  *more = !mote_conn_is_plain(c) || len - before == most;
  return mote_rtsp_take(t, bytes, len, now);
}

/* What a pause has kept, and bytes of the connection, come before those of the socket. */
static CURLcode receive_older(struct mote_transfer *t, mote_time now)
{
  struct mote_conn *c = t->run->channel.conn;
  char *bytes, *buffer;
  size_t len;
  CURLcode rc = mote_sink_resume(t);
  if(rc || !mote_conn_held(c))
    return rc;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  len = mote_conn_lend_held(c, buffer, &bytes);
  return mote_rtsp_take(t, bytes, len, now);
}

static CURLcode protocol_rtsp_wait_for(struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  bool held = r->flow.recv.paused || r->flow.recv.limited;
  CURLcode rc = mote_conn_want(r->channel.conn, held ? 0 : MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

static CURLcode protocol_rtsp_receive(struct mote_transfer *t, mote_time now)
{
  struct mote_conn *c = t->run->channel.conn;
  bool more = mote_conn_has_event(c) || mote_conn_pending(c);
  int reads = 0;
  CURLcode rc;
  if(t->run->flow.recv.paused)
    return protocol_rtsp_wait_for(t);
  rc = receive_older(t, now);
  mote_conn_clear_events(c);
  while(!rc && more && !protocol_rtsp_is_over(t)) {
    if(reads++ == READS_PER_STEP) {
      mote_conn_look_again(c);
      mote_transfer_wake(t);
      return CURLE_AGAIN;
    }
    rc = protocol_rtsp_read_once(t, now, &more);
  }
  if(rc && rc != CURLE_AGAIN)
    return rc;
  return protocol_rtsp_is_over(t) ? CURLE_OK : protocol_rtsp_wait_for(t);
}

static CURLcode protocol_rtsp_send_request(struct mote_transfer *t, mote_time now)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  struct mote_conn *c = t->run->channel.conn;
  CURLcode rc = CURLE_OK;
  if(s->stage == MOTE_RTSP_ASK) {
    s->stage = MOTE_RTSP_SEND;
    rc = mote_rtsp_send_head(t);
  }
  if(!rc)
    rc = t->run->body ? mote_body_send(t, c, now) : mote_body_flush(t, c);
  if(!rc)
    rc = mote_body_flush(t, c);
  if(!rc) {
    s->stage = MOTE_RTSP_WAIT;
    s->http.sending = MOTE_HTTP_SEND_DONE;
    mote_conn_look_again(c);
  }
  return rc;
}

static CURLcode rtsp_step(struct mote_transfer *t, mote_time now)
{
  const struct mote_rtsp *s = mote_rtsp_of(t);
  CURLcode rc = s->stage < MOTE_RTSP_WAIT ? protocol_rtsp_send_request(t, now) : CURLE_OK;
  if(!rc && !protocol_rtsp_is_over(t))
    rc = protocol_rtsp_receive(t, now);
  return rc ? rc : mote_body_finish(t, t->run->channel.conn);
}

/* ---- begin and end ---- */

static CURLcode rtsp_begin(struct mote_transfer *t)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  struct mote_rtsp_channels channels = s->channels;
  memset(s, 0, sizeof *s);
  s->channels = channels;
  s->stage = mote_rtsp_only_receives(t) ? MOTE_RTSP_WAIT : MOTE_RTSP_ASK;
  mote_conn_look_again(t->run->channel.conn);
  return CURLE_OK;
}

static void rtsp_end(struct mote_transfer *t, CURLcode rc)
{
  const struct mote_rtsp *s = mote_rtsp_of(t);
  mote_kept_free(t, t->run->unsent);
  t->run->unsent = NULL;
  mote_conn_set_reusable(t->run->channel.conn,
                         !rc && protocol_rtsp_is_over(t) && !(s->response.flags & MOTE_HTTP1_CLOSE) &&
                           !s->http.abandoned);
}

static const struct mote_driver rtsp_driver = {.name = "rtsp", .unasked = true};

const struct mote_protocol mote_protocol_rtsp = {
  .name = "rtsp",
  .conn_size = sizeof(struct mote_rtsp),
  .driver = &rtsp_driver,
  .prepare = mote_rtsp_prepare,
  .begin = rtsp_begin,
  .step = rtsp_step,
  .end = rtsp_end,
  .follow = mote_redirect_follow,
};
