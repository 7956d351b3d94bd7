/* tls/common_pin.c: the pinned key of a stream against its peer's certificate. */
#include "base/report.h"
#include "tls/backend.h"
#include "tls/common.h"
#include "tls/der.h"
#include "tls/pin.h"

CURLcode mote_tls_check_pinned(const struct mote_tls_head *t, const uint8_t *cert, size_t len)
{
  const char *pinned = mote_tls_text_after(mote_tls_host(t));
  struct mote_der spki;
  if(!pinned[0])
    return CURLE_OK;
  if(cert && mote_der_spki(cert, len, &spki))
    return mote_tls_pin_check(pinned, spki.whole, spki.whole_len, t->stream.env->report);
  mote_fail(t->stream.env->report, "SSL: couldn't get peer certificate");
  return CURLE_SSL_PINNEDPUBKEYNOTMATCH;
}
