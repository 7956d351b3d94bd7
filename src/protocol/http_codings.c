/* protocol/http_codings.c: content and transfer codings, asked for. */
#include "codec/decode.h"
#include "protocol/http_writer.h"

void mote_http_put_accept_encoding(struct mote_http_writer *w)
{
  const char *wish = mote_opt_str(&w->t->options, CURLOPT_ACCEPT_ENCODING);
  char all[64];
  if(!wish || mote_http_has_own(w->t, "Accept-Encoding"))
    return;
  if(!*wish) {
    (void)mote_decode_accept(all, sizeof all);
    wish = all;
  }
  mote_http_put_field(w, "Accept-Encoding: ", wish);
}

bool mote_http_asks_te(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_TRANSFER_ENCODING) && !mote_http_has_own(t, "TE");
}

/* CURLOPT_TRANSFER_ENCODING: we can undo gzip under chunked. */
void mote_http_put_te(struct mote_http_writer *w)
{
  if(mote_http_asks_te(w->t))
    mote_http_put_text(w, "TE: gzip\r\n");
}
