/* protocol/rtsp/rtsp_response.c: what an RTSP server sends, responses and the packets around them
 * (protocol/rtsp/rtsp.h). */
#include "protocol/rtsp/rtsp.h"

#include <string.h>

#include "http/response.h"
#include "protocol/body.h"
#include "transfer/callback.h"
#include "transfer/download/sink.h"
#include "transfer/pump/pump.h"

/* ---- packets ---- */

/* Without a callback of its own a packet is a part of the body. */
static CURLcode deliver_packet(struct mote_transfer *t, char *bytes, size_t len)
{
  curl_write_callback fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_INTERLEAVEFUNCTION);
  struct mote_callback_guard g;
  size_t took;
  if(!fn)
    return mote_body_deliver(t, bytes, len);
  g = mote_callback_enter(t);
  took = fn(bytes, 1, len, mote_opt_ptr(&t->options, CURLOPT_INTERLEAVEDATA));
  mote_callback_leave(t, g);
  if(took == len)
    return CURLE_OK;
  return mote_fail_as(CURLE_WRITE_ERROR, &t->report, took == CURL_WRITEFUNC_PAUSE
                                                       ? "RTP packets cannot be paused"
                                                       : "The interleave callback has failed");
}

/* Delivers packets up to a response, or to a packet that is not complete. */
static CURLcode take_packets(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  enum mote_rtsp_next next = MOTE_RTSP_PACKET;
  CURLcode rc = CURLE_OK;
  while(!rc && next != MOTE_RTSP_MORE && s->stage == MOTE_RTSP_WAIT) {
    size_t skip, size;
    next = mote_rtsp_find(bytes + *used, len - *used, &s->channels, &skip, &size);
    *used += skip;
    if(next == MOTE_RTSP_RESPONSE && mote_rtsp_only_receives(t))
      *used += 1; /* no request waits for it: not a response */
    else if(next == MOTE_RTSP_RESPONSE)
      s->stage = MOTE_RTSP_STATUS;
    else if(next == MOTE_RTSP_PACKET) {
      *used += size;
      rc = deliver_packet(t, bytes + *used - size, size);
    }
  }
  s->received = *used == len;
  return rc;
}

/* Those that lie after the response are delivered with it. Anything else is left to the next request. */
static CURLcode take_last_packets(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  size_t skip, size;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_rtsp_find(bytes + *used, len - *used, &s->channels, &skip, &size) == MOTE_RTSP_PACKET &&
        !skip) {
    *used += size;
    rc = deliver_packet(t, bytes + *used - size, size);
  }
  return rc;
}

/* ---- the response ---- */

static CURLcode rtsp_response_take_status(struct mote_transfer *t, char *bytes, size_t len, size_t *used,
                                          mote_time now)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  const char *end = memchr(bytes, '\n', len);
  struct mote_http1_event ev = {.major = 1, .minor = 1};
  if(!end && len <= MOTE_HTTP1_MAX_LINE)
    return CURLE_OK;
  ev.whole.ptr = bytes;
  ev.whole.len = end && end - bytes < (ptrdiff_t)MOTE_HTTP1_MAX_LINE ? (size_t)(end - bytes) + 1 : 0;
  ev.code = (uint16_t)mote_rtsp_status(bytes, ev.whole.len);
  if(!ev.code)
    return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report,
                        "The server's answer has no status line of RTSP/1.0");
  *used += ev.whole.len;
  mote_http1_response_begin(&s->response, &ev);
  mote_http1_fields_init(&s->fields, MOTE_HTTP1_MAX_HEAD);
  s->stage = MOTE_RTSP_FIELDS;
  return mote_response_status(t, ev.code, CURL_HTTP_VERSION_NONE, ev.whole, now);
}

static CURLcode take_session(struct mote_transfer *t, struct mote_slice value)
{
  const char *ours = mote_opt_str(&t->options, CURLOPT_RTSP_SESSION_ID);
  struct mote_slice id = mote_rtsp_session(value);
  if(!ours)
    return id.len ? mote_option_set_str(&t->options, MOTE_OPT_ID(CURLOPT_RTSP_SESSION_ID), id.ptr, id.len)
                  : CURLE_OK;
  if(mote_slice_same(id, mote_slice_of(ours)))
    return CURLE_OK;
  return mote_fail_as(CURLE_RTSP_SESSION_ERROR, &t->report, "Got RTSP session ID [%.*s], but wanted ID [%s]",
                      (int)id.len, id.ptr, ours);
}

static CURLcode take_own_field(struct mote_transfer *t, const struct mote_http1_event *ev)
{
  struct mote_rtsp_memory *m;
  if(mote_slice_is(ev->name, "session"))
    return take_session(t, ev->value);
  if(mote_slice_is(ev->name, "transport"))
    mote_rtsp_transport(ev->value, &mote_rtsp_of(t)->channels);
  if(!mote_slice_is(ev->name, "cseq"))
    return CURLE_OK;
  m = mote_rtsp_remember(t);
  if(!m)
    return CURLE_OUT_OF_MEMORY;
  return mote_rtsp_cseq(ev->value, &m->received)
           ? CURLE_OK
           : mote_fail_as(CURLE_RTSP_CSEQ_ERROR, &t->report, "The response has a CSeq that is no number");
}

static CURLcode rtsp_response_take_field(struct mote_transfer *t, struct mote_http1_event *ev)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  CURLcode rc = take_own_field(t, ev);
  if(!rc && mote_http1_is_framing(ev->known.field))
    rc = mote_http1_response_field(&s->response, ev);
  if(rc && ev->why)
    mote_fail(&t->report, "%s", mote_http1_why_text(ev->why));
  return rc ? rc : mote_response_field(t, ev->known, ev->name, ev->value, ev->whole);
}

static CURLcode judge_cseq(struct mote_transfer *t)
{
  const struct mote_rtsp_memory *m = mote_rtsp_remember(t);
  const struct mote_rtsp *s = mote_rtsp_of(t);
  if(!m)
    return CURLE_OUT_OF_MEMORY;
  if(m->received == s->cseq)
    return CURLE_OK;
  return mote_fail_as(CURLE_RTSP_CSEQ_ERROR, &t->report,
                      "The CSeq of this request %ld did not match the response %ld", s->cseq, m->received);
}

static CURLcode rtsp_response_take_end(struct mote_transfer *t, const struct mote_http1_event *ev)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  struct mote_http_body body = {.fields = &s->response, .kind = MOTE_HTTP1_BODY_LENGTH};
  bool interim = mote_http1_is_interim(s->response.code);
  CURLcode delivered, rc = CURLE_OK;
  s->left = s->response.flags & MOTE_HTTP1_HAS_LENGTH ? s->response.length : 0;
  body.size = (curl_off_t)s->left;
  if(interim)
    mote_response_interim(t);
  else
    rc = mote_response_head(t, &body);
  s->stage = interim ? MOTE_RTSP_WAIT : MOTE_RTSP_BODY;
  delivered = mote_sink_header(t, (char *)(uintptr_t)ev->whole.ptr, ev->whole.len);
  if(!rc && !interim)
    rc = judge_cseq(t);
  return rc ? rc : delivered;
}

static CURLcode take_fields(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  struct mote_http1_event ev;
  CURLcode rc = mote_http1_fields_feed(&s->fields, bytes, len, &ev);
  if(rc)
    return mote_fail_as(rc, &t->report, "%s", mote_http1_why_text(ev.why));
  *used += ev.used;
  if(ev.kind == MOTE_HTTP1_HEADER)
    return rtsp_response_take_field(t, &ev);
  return ev.kind == MOTE_HTTP1_END ? rtsp_response_take_end(t, &ev) : CURLE_OK;
}

static CURLcode rtsp_response_take_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  size_t n = 0, most = s->left < len ? (size_t)s->left : len;
  CURLcode rc = most ? mote_sink_body(t, bytes, most, &n) : CURLE_OK;
  *used += n;
  s->left -= n;
  if(!s->left)
    s->stage = MOTE_RTSP_OVER;
  return rc;
}

static CURLcode take_some(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now)
{
  switch(mote_rtsp_of(t)->stage) {
  case MOTE_RTSP_STATUS:
    return rtsp_response_take_status(t, bytes, len, used, now);
  case MOTE_RTSP_FIELDS:
    return take_fields(t, bytes, len, used);
  case MOTE_RTSP_BODY:
    return rtsp_response_take_body(t, bytes, len, used);
  case MOTE_RTSP_OVER:
    return take_last_packets(t, bytes, len, used);
  default:
    return take_packets(t, bytes, len, used);
  }
}

/* ---- what the connection lends ---- */

/* Uses what it can of the lent bytes, and holds the rest over. */
CURLcode mote_rtsp_take(struct mote_transfer *t, char *bytes, size_t len, mote_time now)
{
  struct mote_rtsp *s = mote_rtsp_of(t);
  struct mote_conn *c = t->run->channel.conn;
  CURLcode rc = CURLE_OK;
  uint8_t before = MOTE_RTSP_ASK;
  size_t used = 1;
  while(!rc && (used || before != s->stage)) { /* a body of no bytes uses none */
    before = s->stage;
    used = 0;
    rc = take_some(t, bytes, len, &used, now);
    mote_conn_take(c, used);
    bytes += used;
    len -= used;
  }
  return mote_pump_leave(c, rc);
}
