/* protocol/http2/h2_judge.c: what the end of a stream or of the connection means for a response that is not
 * complete (protocol/http2/h2.h). */
#include "base/report.h"
#include "connect/version.h"
#include "protocol/http2/h2.h"

static CURLcode h2_ended_early(struct mote_transfer *t, const struct mote_mux_exchange *s)
{
  if(s->http.receiving == MOTE_HTTP_RECEIVE_HEAD)
    return mote_fail_as(CURLE_HTTP2_STREAM, &t->report, "HTTP/2 stream %d ended before its response head",
                        (int)s->stream.id);
  return mote_fail_as(CURLE_PARTIAL_FILE, &t->report,
                      "HTTP/2 stream %d ended before its response was complete", (int)s->stream.id);
}

CURLcode mote_h2_judge_reset(struct mote_mux_exchange *s, uint32_t code)
{
  struct mote_transfer *t = s->t;
  const struct mote_h2 *h = mote_h2_of(t);
  switch(code) {
  case NGHTTP2_NO_ERROR:
    return h2_ended_early(t, s);
  case NGHTTP2_HTTP_1_1_REQUIRED:
    mote_version_fall_back(t);
    return CURLE_RECV_ERROR;
  case NGHTTP2_REFUSED_STREAM:
    return mote_fail_as(CURLE_RECV_ERROR, &t->report,
                        "HTTP/2 stream %d was refused after its response had begun", (int)s->stream.id);
  default:
    if(!s->stream.reset && h->session.why)
      mote_fail(&t->report, "%s", h->session.why);
    else
      mote_fail(&t->report, "HTTP/2 stream %d reset by %s (error 0x%x %s)", (int)s->stream.id,
                s->stream.reset ? "server" : "client", (unsigned)code, mote_h2_error_name(code));
    return CURLE_HTTP2_STREAM;
  }
}

CURLcode mote_h2_judge_failure(struct mote_mux_exchange *s, CURLcode why)
{
  struct mote_transfer *t = s->t;
  const struct mote_h2 *h = mote_h2_of(t);
  if(why == CURLE_GOT_NOTHING) {
    why = t->run->stats.bytes_down ? CURLE_PARTIAL_FILE : CURLE_HTTP2;
    mote_fail(&t->report, "The server closed the HTTP/2 connection before the response was complete");
  }
  else if(why == CURLE_HTTP2 && h->session.why)
    mote_fail(&t->report, "%s", h->session.why);
  else if(why == CURLE_HTTP2)
    mote_fail(&t->report, "HTTP/2 connection ended with error %u: %s", (unsigned)h->session.ended_code,
              mote_h2_error_name(h->session.ended_code));
  else if(why == CURLE_RECV_ERROR && h->session.why)
    mote_fail(&t->report, "HTTP/2 receive error: %s", h->session.why);
  return why;
}
