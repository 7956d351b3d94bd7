/* protocol/http2/h2.c: HTTP/2 as a protocol (protocol/http2/h2.h). */
#include "protocol/http2/h2.h"

#include "http/redirect.h"

/* Makes the state of the exchange, too. */
static CURLcode h2_begin(struct mote_transfer *t)
{
  CURLcode rc = mote_http_refuse_resume(t);
  return rc ? rc : mote_h2_begin_exchange(mote_h2_of(t), t, NULL);
}

static void h2_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  (void)rc;
  if(!s)
    return;
  mote_mux_end(t);
  mote_h2_end_exchange(mote_h2_of(t), s);
}

const struct mote_protocol mote_protocol_h2 = {
  .name = "h2",
  .conn_size = 8, /* struct parting */
  .driver = &mote_h2_row.driver,
  MOTE_HTTP_ROW,
  .prepare = mote_http_prepare,
  .begin = h2_begin,
  .step = mote_mux_step,
  .deliver = mote_mux_response_deliver,
  .end = h2_end,
};
