/* protocol/http2/h2.c: one exchange of HTTP/2, from its start over its steps to its end
 * (protocol/http2/h2.h). */
#include "protocol/http2/h2.h"

#include "http/redirect.h"
#include "http/request.h"

_Static_assert(offsetof(struct mote_h2_exchange, http) == offsetof(struct mote_http_stream, http),
               "mote_http_of() finds it");

/* Makes the state of the exchange, too. */
static CURLcode h2_begin(struct mote_transfer *t)
{
  CURLcode rc = mote_http_refuse_resume(t);
  return rc ? rc : mote_h2_begin_exchange(mote_h2_of(t), t, NULL);
}

static CURLcode h2_step(struct mote_transfer *t, mote_time now)
{
  struct mote_h2_exchange *s = mote_h2_exchange_of(t);
  CURLcode rc = s->source;
  t->run->flow.recv.limited = false;
  t->run->flow.send.limited = false;
  if(!rc && !s->stream.id)
    rc = mote_h2_request(t, now);
  else if(!rc)
    mote_h2_upload_go_on(t, now);
  if(!rc)
    rc = mote_h2_response_go_on(t);
  if(rc)
    return rc;
  return s->http.receiving == MOTE_HTTP_RECEIVE_DONE && s->http.sending == MOTE_HTTP_SEND_DONE ? CURLE_OK
                                                                                              : CURLE_AGAIN;
}

static void h2_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_h2_exchange *s = mote_h2_exchange_of(t);
  (void)rc;
  if(!s)
    return;
  mote_kept_free(t, s->queue);
  t->run->channel.state = NULL;
  mote_h2_end_exchange(mote_h2_of(t), s);
}

const struct mote_protocol mote_protocol_h2 = {
  .name = "h2",
  .conn_size = 8, /* struct parting */
  .driver = &mote_h2_driver,
  .url = MOTE_HAS_HOST_MEMORY ? mote_http_judge_url : NULL,
  .prepare = mote_http_prepare,
  .begin = h2_begin,
  .step = h2_step,
  .deliver = mote_h2_response_deliver,
  .end = h2_end,
  .follow = mote_redirect_follow,
};
