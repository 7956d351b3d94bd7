/* protocol/plain/gopher.c: gopher: and gophers: URLs (RFC 1436, RFC 4266).
 *
 * The first character of the path is the type of the item, which is not sent. The rest is the selector, which
 * may have a TAB and search words.
 * Tests: tests/e2e/test_query.py */
#include <string.h>

#include "protocol/plain/query.h"

static char *write_selector(char *at, struct mote_slice path)
{
  memcpy(at, path.ptr, path.len);
  at += path.len;
  *at++ = '\r';
  *at++ = '\n';
  return at;
}

static CURLcode gopher_step(struct mote_transfer *t, mote_time now)
{
  static const struct mote_query_row row = {
    .around = 2, .skips = 2, .factor = 1, .write = write_selector, .query_belongs = true,
    .takes_controls = true,
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
