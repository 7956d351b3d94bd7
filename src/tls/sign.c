/* tls/sign.c: signatures that are not TLS's own, by the library that serves (tls.h). */
#include "tls/backend.h"
#include "tls/tls.h"

CURLcode mote_tls_sign_ed25519(const uint8_t seed[MOTE_TLS_ED25519_SEED], const void *bytes, size_t len,
                               uint8_t out[MOTE_TLS_ED25519_SIGNATURE])
{
  const struct mote_tls_backend *b = mote_tls_serving();
  return b->sign_ed25519 ? b->sign_ed25519(seed, bytes, len, out) : CURLE_NOT_BUILT_IN;
}
