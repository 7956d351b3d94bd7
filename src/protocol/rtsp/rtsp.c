/* protocol/rtsp/rtsp.c: one exchange of RTSP, from its request to its end (protocol/rtsp/rtsp.h). */
#include "net/stream.h"
#include "protocol/rtsp/rtsp.h"

#include <string.h>

#include "http/redirect.h"
#include "net/driver.h"
#include "protocol/body.h"
#include "transfer/protocol.h"
#include "transfer/pump/pump.h"

/* ---- the end ---- */

static CURLcode protocol_rtsp_judge_end(struct mote_transfer *t)
{
  const struct mote_rtsp *s = mote_rtsp_of(t);
  if(mote_rtsp_only_receives(t))
    return mote_fail_as(CURLE_RECV_ERROR, &t->report, "The server has closed the RTSP connection");
  if(s->stage == MOTE_RTSP_WAIT) {
    if(!s->http.code)
      mote_lease_judge(&t->run->lease, MOTE_RETRY_DEAD);
    return mote_fail_as(CURLE_GOT_NOTHING, &t->report, "Empty reply from server");
  }
  if(s->stage != MOTE_RTSP_BODY)
    return mote_fail_as(CURLE_RECV_ERROR, &t->report,
                        "The connection has ended within the head of a response");
  return mote_fail_as(CURLE_PARTIAL_FILE, &t->report,
                      "transfer closed with %" CURL_FORMAT_CURL_OFF_T " bytes remaining to read",
                      (curl_off_t)s->left);
}

/* ---- a step ---- */

static bool protocol_rtsp_is_over(const struct mote_transfer *t)
{
  const struct mote_rtsp *s = mote_rtsp_of(t);
  return s->stage == MOTE_RTSP_OVER ||
         (s->stage == MOTE_RTSP_WAIT && mote_rtsp_only_receives(t) && s->received);
}

static bool protocol_rtsp_has_all(const struct mote_pump *p)
{
  return protocol_rtsp_is_over(p->t);
}

static CURLcode protocol_rtsp_take(struct mote_pump *p, char *bytes, size_t len)
{
  return mote_rtsp_take(p->t, bytes, len, p->now);
}

/* Bytes that are held are a beginning of a message, of which no more will come. */
static CURLcode protocol_rtsp_ended(struct mote_pump *p, char *bytes, size_t len)
{
  (void)bytes;
  mote_conn_take(p->c, len);
  (void)mote_conn_hold(p->c, MOTE_HELD_LIMIT, NULL, 0);
  return protocol_rtsp_judge_end(p->t);
}

static CURLcode protocol_rtsp_receive(struct mote_transfer *t, mote_time now)
{
  static const struct mote_pump_row row = {
    .take = protocol_rtsp_take, .ended = protocol_rtsp_ended, .over = protocol_rtsp_has_all,
  };
  struct mote_pump p = mote_pump_of(t, t->run->channel.conn, &row, now);
  const struct mote_direction *held = &t->run->flow.recv;
  CURLcode rc = mote_pump_receive(&p);
  if(rc == CURLE_AGAIN && protocol_rtsp_is_over(t))
    return CURLE_OK;
  if(rc == CURLE_AGAIN && mote_conn_want(p.c, held->paused || held->limited ? 0 : MOTE_WANT_IN))
    return CURLE_OUT_OF_MEMORY;
  return rc;
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
