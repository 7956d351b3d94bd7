/* protocol/http3/h3_judge.c: what the end of a stream or of the connection means for a response that is not
 * complete (protocol/http3/h3.h). */
#include "base/report.h"
#include "connect/version.h"
#include "protocol/http3/h3.h"

static int h3_judge_number(const struct mote_mux_exchange *s)
{
  return (int)s->stream.id - 1;
}

static CURLcode h3_judge_ended_early(struct mote_transfer *t, const struct mote_mux_exchange *s)
{
  if(s->http.receiving == MOTE_HTTP_RECEIVE_HEAD)
    return mote_fail_as(CURLE_HTTP3, &t->report, "HTTP/3 stream %d ended before its response head",
                        h3_judge_number(s));
  return mote_fail_as(CURLE_PARTIAL_FILE, &t->report,
                      "HTTP/3 stream %d ended before its response was complete", h3_judge_number(s));
}

CURLcode mote_h3_judge_reset(struct mote_mux_exchange *s, uint32_t code)
{
  struct mote_transfer *t = s->t;
  switch(code) {
  case NGHTTP3_H3_NO_ERROR:
    return h3_judge_ended_early(t, s);
  case NGHTTP3_H3_VERSION_FALLBACK:
    mote_version_fall_back(t);
    return CURLE_RECV_ERROR;
  default:
    return mote_fail_as(CURLE_HTTP3, &t->report, "HTTP/3 stream %d reset by server (error 0x%x %s)",
                        h3_judge_number(s), (unsigned)code, mote_h3_error_name(code));
  }
}

CURLcode mote_h3_judge_failure(struct mote_mux_exchange *s, CURLcode why)
{
  struct mote_transfer *t = s->t;
  const char *text = mote_h3_with(t)->session->why;
  if(why != CURLE_OUT_OF_MEMORY)
    mote_fail(&t->report, "The HTTP/3 connection has ended before the response was complete%s%s",
              text ? ": " : "", text ? text : "");
  return why == CURLE_RECV_ERROR && t->run->stats.bytes_down ? CURLE_PARTIAL_FILE : why;
}
