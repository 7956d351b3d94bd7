/* protocol/http2/h2_upload.c: the body of a request over HTTP/2 (protocol/http2/h2.h). */
#include <string.h>

#include "base/report.h"
#include "port/port.h"
#include "protocol/http2/h2.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

/* The step's time may precede PRETRANSFER, which must not be later. */
void mote_h2_upload_sent(struct mote_transfer *t)
{
  struct mote_stats *st = &t->run->stats;
  mote_http_of(t)->sending = MOTE_HTTP_SEND_DONE;
  if(t->run->response.got_bytes)
    return;
  mote_mark_set(st, MOTE_MARK_POSTTRANSFER, mote_port_now());
  if(st->mark[MOTE_MARK_POSTTRANSFER] < st->mark[MOTE_MARK_PRETRANSFER])
    st->mark[MOTE_MARK_POSTTRANSFER] = st->mark[MOTE_MARK_PRETRANSFER];
}

static ssize_t h2_upload_defer(struct mote_h2_stream *s)
{
  s->deferred = true;
  return NGHTTP2_ERR_DEFERRED;
}

/* The transfer ends in its next step. */
static ssize_t fail_source(struct mote_h2_stream *s, CURLcode rc)
{
  s->source = rc;
  mote_transfer_wake(s->t);
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static ssize_t h2_upload_read_piece(struct mote_h2_stream *s, uint8_t *to, size_t most, uint32_t *flags)
{
  struct mote_transfer *t = s->t;
  struct mote_piece p = {.room = (char *)to, .most = most};
  CURLcode rc = mote_source_read(t, &p);
  if(rc)
    return rc == CURLE_AGAIN ? h2_upload_defer(s) : fail_source(s, rc);
  if(p.len && p.bytes != p.room)
    memcpy(to, p.bytes, p.len);
  if(p.len) {
    mote_debug(t, CURLINFO_DATA_OUT, (char *)to, p.len);
    mote_speed_passed_up(t, p.len);
    t->run->stats.bytes_up += (curl_off_t)p.len;
  }
  if(p.end) {
    rc = mote_h2_end_body(s, flags);
    if(rc)
      return fail_source(s, rc);
    mote_h2_upload_sent(t);
  }
  else if(!p.len) {
    mote_transfer_wake(t);
    return h2_upload_defer(s);
  }
  return (ssize_t)p.len;
}

ssize_t mote_h2_upload(nghttp2_session *session, int32_t id, uint8_t *to, size_t most, uint32_t *flags,
                         nghttp2_data_source *source, void *user)
{
  struct mote_h2_stream *s = nghttp2_session_get_stream_user_data(session, id);
  long wish;
  (void)source;
  (void)user;
  if(!s || s->source)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  if(s->http.sending == MOTE_HTTP_SEND_DONE || s->http.sending == MOTE_HTTP_SEND_WAIT ||
     s->t->run->flow.send.paused)
    return h2_upload_defer(s);
  wish = mote_opt_long(&s->t->options, CURLOPT_UPLOAD_BUFFERSIZE);
  if(wish > 0 && wish < (long)most)
    most = (size_t)wish;
  if(s->t->run->speed)
    most = mote_speed_allow_up(s->t, mote_port_now(), most);
  return most ? h2_upload_read_piece(s, to, most, flags) : h2_upload_defer(s);
}

static void h2_upload_check_expect(struct mote_transfer *t, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  if(h->sending != MOTE_HTTP_SEND_WAIT || !mote_timer_due(t, MOTE_TIMER_STATE, now))
    return;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_info(&t->report, "Done waiting for 100-continue");
  h->sending = MOTE_HTTP_SEND_BODY;
}

void mote_h2_upload_go_on(struct mote_transfer *t, mote_time now)
{
  struct mote_h2_stream *s = mote_h2_stream_of(t);
  struct mote_h2 *h = mote_h2_of(t);
  h2_upload_check_expect(t, now);
  if(!s->deferred || s->http.sending != MOTE_HTTP_SEND_BODY || t->run->flow.send.paused || h->broken ||
     s->closed)
    return;
  s->deferred = false;
  (void)nghttp2_session_resume_data(h->session, s->id);
  mote_drive_soon(&h->drive);
}
