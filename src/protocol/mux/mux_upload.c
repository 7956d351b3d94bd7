/* protocol/mux/mux_upload.c: the body of a request (protocol/mux/exchange.h). */
#include <string.h>

#include "port/port.h"
#include "http/request.h"
#include "protocol/mux/exchange.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

/* The step's time may precede PRETRANSFER, which must not be later. */
void mote_mux_upload_sent(struct mote_transfer *t)
{
  struct mote_stats *st = &t->run->stats;
  mote_http_of(t)->sending = MOTE_HTTP_SEND_DONE;
  if(t->run->response.got_bytes)
    return;
  mote_mark_set(st, MOTE_MARK_POSTTRANSFER, mote_port_now());
  if(st->mark[MOTE_MARK_POSTTRANSFER] < st->mark[MOTE_MARK_PRETRANSFER])
    st->mark[MOTE_MARK_POSTTRANSFER] = st->mark[MOTE_MARK_PRETRANSFER];
}

/* The transfer ends in its next step. */
static CURLcode fail_source(struct mote_mux_exchange *s, CURLcode rc)
{
  s->source = (uint8_t)rc;
  mote_transfer_wake(s->t);
  return rc;
}

static CURLcode mux_upload_read_piece(struct mote_mux_exchange *s, struct mote_mux_piece *to)
{
  struct mote_transfer *t = s->t;
  struct mote_piece p = {.room = to->room, .most = to->most};
  CURLcode rc = mote_source_read(t, &p);
  if(rc)
    return rc == CURLE_AGAIN ? rc : fail_source(s, rc);
  if(p.len && p.bytes != p.room)
    memcpy(to->room, p.bytes, p.len);
  to->len = p.len;
  if(p.len) {
    mote_debug(t, CURLINFO_DATA_OUT, to->room, p.len);
    mote_speed_passed_up(t, p.len);
    t->run->stats.bytes_up += (curl_off_t)p.len;
  }
  if(p.end) {
    rc = mote_mux_end_body(s, to);
    if(rc)
      return fail_source(s, rc);
    mote_mux_upload_sent(t);
  }
  else if(!p.len) {
    mote_transfer_wake(t);
    return CURLE_AGAIN;
  }
  return CURLE_OK;
}

CURLcode mote_mux_upload(struct mote_mux_exchange *s, struct mote_mux_piece *p)
{
  long wish;
  if(s->source)
    return s->source;
  if(s->http.sending == MOTE_HTTP_SEND_DONE || s->http.sending == MOTE_HTTP_SEND_WAIT ||
     s->t->run->flow.send.paused)
    return CURLE_AGAIN;
  wish = mote_opt_long(&s->t->options, CURLOPT_UPLOAD_BUFFERSIZE);
  if(wish > 0 && wish < (long)p->most)
    p->most = (size_t)wish;
  if(s->t->run->speed)
    p->most = mote_speed_allow_up(s->t, mote_port_now(), p->most);
  return p->most ? mux_upload_read_piece(s, p) : CURLE_AGAIN;
}

void mote_mux_upload_go_on(struct mote_transfer *t, mote_time now)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  mote_http_check_expect(t, now);
  if(!s->stream.deferred || s->http.sending != MOTE_HTTP_SEND_BODY || t->run->flow.send.paused)
    return;
  mote_mux_row_of(t)->resume(s);
}
