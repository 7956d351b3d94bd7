/* protocol/http3/h3.c: HTTP/3 as a protocol (protocol/http3/h3.h). */
#include "protocol/http3/h3.h"

#include "http/redirect.h"
#include "http/request.h"
#include "transfer/protocol.h"

static CURLcode h3_begin(struct mote_transfer *t)
{
  CURLcode rc = mote_http_refuse_resume(t);
  return rc ? rc : mote_h3_begin_exchange(mote_h3_with(t), t);
}

static void h3_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  (void)rc;
  if(!s)
    return;
  mote_mux_end(t);
  mote_h3_end_exchange(mote_h3_with(t), s);
}

const struct mote_protocol mote_protocol_h3 = {
  .name = "h3",
  .driver = &mote_h3_row.driver,
  MOTE_HTTP_ROW,
  .prepare = mote_http_prepare,
  .may_be_early = mote_h3_may_be_early,
  .ask_early = mote_h3_ask_early,
  .begin = h3_begin,
  .step = mote_mux_step,
  .deliver = mote_mux_response_deliver,
  .end = h3_end,
};
