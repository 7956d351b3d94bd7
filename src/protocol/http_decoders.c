/* protocol/http_decoders.c: content and transfer codings, undone. */
#include "base/report.h"
#include "protocol/http_parser.h"
#include "transfer/sink.h"

CURLcode mote_http_choose_decoders(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  const struct mote_options *o = &t->options;
  uint8_t codings[2 * MOTE_MAX_CODINGS];
  unsigned n = 0, i;
  if(t->run->body_ignored)
    return CURLE_OK;
  if(mote_opt_str(o, CURLOPT_ACCEPT_ENCODING) && mote_opt_long(o, CURLOPT_HTTP_CONTENT_DECODING)) {
    if(mote_http_parser(h)->response.flags & MOTE_HTTP1_CONTENT_OVER) {
      mote_fail(&t->report, "more than %d content codings in one response", MOTE_MAX_CODINGS);
      return CURLE_BAD_CONTENT_ENCODING;
    }
    for(i = 0; i < mote_http_parser(h)->response.content_count; i++)
      codings[n++] = mote_http_parser(h)->response.content[i];
  }
  if(mote_opt_long(o, CURLOPT_HTTP_TRANSFER_DECODING))
    for(i = 0; i < mote_http_parser(h)->framing.codings; i++)
      codings[n++] = mote_http_parser(h)->response.transfer[i];
  if(n && mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_LENGTH && !mote_http_parser(h)->framing.length)
    n = 0;
  return n ? mote_sink_decode(t, codings, n) : CURLE_OK;
}
