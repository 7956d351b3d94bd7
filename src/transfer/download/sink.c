/* transfer/download/sink.c: takes received bodies, coded or not, and header lines for the application. */
#include "transfer/download/sink.h"

#include "transfer/report/debug.h"
#include "transfer/transfer.h"

/* ---- bodies ---- */

CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  mote_debug(t, CURLINFO_DATA_IN, bytes, len);
  if(r->decode && !r->response.body_ignored) {
    rc = mote_sink_coded(t, bytes, len, used);
    if(rc && rc != CURLE_AGAIN) /* the output was refused, or the input is damaged */
      return rc;
  }
  else if(r->response.body_ignored) {
    *used = len;
    rc = CURLE_OK;
  }
  else
    rc = mote_sink_enter_and_write(t, false, bytes, len, used);
  r->stats.bytes_down += (curl_off_t)*used;
  return rc;
}

CURLcode mote_sink_finish(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(r->paused)
    return CURLE_AGAIN;
  return r->decode && !r->response.body_ignored ? mote_sink_coded_end(t) : CURLE_OK;
}

void mote_sink_close(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  mote_sink_decode_close(t);
  mote_kept_free(t, r->paused);
  r->paused = NULL;
}

/* ---- header lines ---- */

static CURLcode deliver_header(struct mote_transfer *t, char *line, size_t len)
{
  if(mote_opt_long(&t->options, CURLOPT_HEADER)) /* then it is part of the body, even of an ignored one */
    return mote_sink_call_both(t, line, len);
  return mote_sink_call_header(t, line, len);
}

bool mote_sink_wants_headers(const struct mote_transfer *t)
{
  return t->run->request.wants_headers || t->report.verbose ||
         mote_opt_long(&t->options, CURLOPT_HEADER);
}

/* Most applications that want header lines have a header callback, and nothing else that gets them. */
CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len)
{
  CURLcode rc = CURLE_OK;
  if(t->report.verbose || MOTE_OPT_MAYBE(&t->options, CURLOPT_HEADER)) {
    mote_debug(t, CURLINFO_HEADER_IN, line, len);
    rc = deliver_header(t, line, len);
  }
  else if(t->run->request.wants_headers)
    rc = mote_sink_call_header(t, line, len);
  if(!rc || rc == CURLE_AGAIN) /* a refused line is not counted */
    t->run->response.head_bytes += (uint32_t)len;
  return rc;
}

CURLcode mote_sink_meta(struct mote_transfer *t, char *line, size_t len)
{
  return deliver_header(t, line, len);
}
