/* protocol/plain/gopher.c: gopher: and gophers: URLs (RFC 1436, RFC 4266).
 *
 * The first character of the path is the type of the item, which is not sent. The rest is the selector, which
 * may have a TAB and search words.
 * Tests: tests/e2e/test_query.py */
#include "base/out.h"
#include "protocol/plain/query.h"
#include "transfer/protocol.h"

static void write_selector(struct mote_out *out, struct mote_slice path)
{
  mote_out_slice(out, path);
  mote_out_text(out, "\r\n");
}

static CURLcode gopher_step(struct mote_transfer *t, mote_time now)
{
  static const struct mote_query_row row = {
    .skips = 2, .write = write_selector, .query_belongs = true, .takes_controls = true,
  };
  return mote_query_step(t, &row, now);
}

const struct mote_protocol mote_protocol_gopher = {
  .name = "gopher",
  .conn_size = sizeof(struct mote_query),
  .prepare = mote_query_prepare,
  .begin = mote_query_begin,
  .step = gopher_step,
  .end = mote_query_end,
};
