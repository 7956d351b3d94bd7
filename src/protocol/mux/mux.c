/* protocol/mux/mux.c: one exchange, from its head over its steps to its end (protocol/mux/exchange.h). */
#include "protocol/mux/exchange.h"

#include <stddef.h>

_Static_assert(offsetof(struct mote_mux_exchange, http) == offsetof(struct mote_http_stream, http),
               "mote_http_of() finds it");

CURLcode mote_mux_step(struct mote_transfer *t, mote_time now)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  CURLcode rc = s->source;
  t->run->flow.recv.limited = false;
  t->run->flow.send.limited = false;
  if(!rc && !s->stream.id)
    rc = mote_mux_request(t, now);
  else if(!rc)
    mote_mux_upload_go_on(t, now);
  if(!rc)
    rc = mote_mux_response_go_on(t);
  if(rc)
    return rc;
  return s->http.receiving == MOTE_HTTP_RECEIVE_DONE && s->http.sending == MOTE_HTTP_SEND_DONE ? CURLE_OK
                                                                                              : CURLE_AGAIN;
}

void mote_mux_end(struct mote_transfer *t)
{
  mote_kept_free(t, mote_mux_exchange_of(t)->queue);
  t->run->channel.state = NULL;
}
