/* tests/toys/mux.c: many transfers on one connection (tests/toys/README.md). */
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static CURLcode mux_prepare(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}

static CURLcode mux_step(struct mote_transfer *t, mote_time now)
{
  (void)t;
  (void)now;
  return CURLE_OK;
}

static void mux_end(struct mote_transfer *t, CURLcode rc)
{
  (void)t;
  (void)rc;
}

const struct mote_protocol mote_protocol_mux = {
  .name = "mux",
  .prepare = mux_prepare,
  .begin = mux_prepare,
  .step = mux_step,
  .end = mux_end,
};
