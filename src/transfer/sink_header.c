/* transfer/sink_header.c: header lines to the application. */
#include "transfer/debug.h"
#include "transfer/sink.h"
#include "transfer/transfer.h"

/* Header lines go to HEADERFUNCTION, or with HEADERDATA alone to the write callback
 * (CURLOPT_HEADERDATA(3)). */
void mote_sink_header_target(const struct mote_transfer *t, struct mote_sink_target *to)
{
  to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_HEADERFUNCTION);
  to->data = mote_opt_ptr(&t->options, CURLOPT_HEADERDATA);
  if(!to->fn && to->data)
    to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
}

static CURLcode call_header(struct mote_transfer *t, char *line, size_t len)
{
  struct mote_sink_target to;
  if(!t->run->wants_headers)
    return CURLE_OK;
  mote_sink_header_target(t, &to);
  return mote_sink_deliver(t, &to, true, line, len);
}

/* To the callbacks for the body and for headers. */
static CURLcode tell_header(struct mote_transfer *t, char *line, size_t len)
{
  CURLcode rc = CURLE_OK;
  size_t used;
  if(mote_opt_long(&t->options, CURLOPT_HEADER)) /* part of the body then, even of one that is ignored */
    rc = mote_sink_plain(t, line, len, &used);
  if(rc == CURLE_OK || rc == CURLE_AGAIN) {
    CURLcode header_rc = call_header(t, line, len);
    if(header_rc)
      rc = header_rc;
  }
  return rc;
}

bool mote_sink_wants_headers(const struct mote_transfer *t)
{
  return t->run->wants_headers || t->report.verbose ||
         mote_opt_long(&t->options, CURLOPT_HEADER);
}

CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len)
{
  CURLcode rc = CURLE_OK;
  if(mote_sink_wants_headers(t)) {
    mote_debug(&t->report, t, CURLINFO_HEADER_IN, line, len);
    rc = tell_header(t, line, len);
  }
  if(!rc || rc == CURLE_AGAIN) /* a line that a callback refuses is not counted */
    t->run->header_size += (uint32_t)len;
  return rc;
}

CURLcode mote_sink_meta(struct mote_transfer *t, char *line, size_t len)
{
  return tell_header(t, line, len);
}
