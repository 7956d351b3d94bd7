/* http/codings.c: content and transfer codings (RFC 9110 section 8.4, RFC 9112 section 7). Writes
 * the request fields that offer them and chooses the decoders that a response needs. */
#include "base/report.h"
#include "codec/coding/decode.h"
#include "http/hooks.h"
#include "http/request.h"
#include "http/response.h"
#include "transfer/download/sink.h"

/* ---- the request ---- */

static void put_accept_encoding(struct mote_http_writer *w, const char *wish)
{
  char all[64];
  if(mote_http_has_own(w->t, "Accept-Encoding"))
    return;
  if(!*wish) {
    (void)mote_decode_accept(all, sizeof all);
    wish = all;
  }
  mote_http_put_field(w, "Accept-Encoding", wish);
}

/* CURLOPT_TRANSFER_ENCODING offers gzip, which is decoded after chunked. */
static void put_codings(struct mote_http_writer *w)
{
  const struct mote_options *o = &w->t->options;
  const char *wish = mote_opt_str(o, CURLOPT_ACCEPT_ENCODING);
  if(w->wire->hop_by_hop && mote_opt_long(o, CURLOPT_TRANSFER_ENCODING) && !mote_http_has_own(w->t, "TE")) {
    mote_http_put_field(w, "TE", "gzip");
    w->te = true;
  }
  if(wish)
    put_accept_encoding(w, wish);
}

/* ---- the response ---- */

CURLcode mote_http_choose_decoders(struct mote_transfer *t, const struct mote_http_body *body)
{
  const struct mote_http1_response *f = body->fields;
  const struct mote_options *o = &t->options;
  uint8_t codings[2 * MOTE_MAX_CODINGS];
  unsigned n = 0, i;
  if(t->run->response.body_ignored)
    return CURLE_OK;
  if(mote_opt_str(o, CURLOPT_ACCEPT_ENCODING) && mote_opt_long(o, CURLOPT_HTTP_CONTENT_DECODING)) {
    if(f->flags & MOTE_HTTP1_CONTENT_OVER)
      return mote_fail_as(CURLE_BAD_CONTENT_ENCODING, &t->report,
                          "more than %d content codings in one response", MOTE_MAX_CODINGS);
    for(i = 0; i < f->content_count; i++)
      codings[n++] = f->content[i];
  }
  if(mote_opt_long(o, CURLOPT_HTTP_TRANSFER_DECODING))
    for(i = 0; i < body->codings; i++)
      codings[n++] = f->transfer[i];
  if(n && body->kind == MOTE_HTTP1_BODY_LENGTH && !body->size)
    n = 0;
  return n ? mote_sink_decode(t, codings, n) : CURLE_OK;
}

const struct mote_http_hook mote_http_codings = {
  .name = "codings",
  .options = MOTE_HTTP_WHEN(CURLOPT_ACCEPT_ENCODING) | MOTE_HTTP_WHEN(CURLOPT_TRANSFER_ENCODING),
  .place = MOTE_HTTP_AFTER_ACCEPT,
  .request = put_codings,
};
