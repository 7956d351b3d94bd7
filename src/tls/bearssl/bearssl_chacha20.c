/* tls/bearssl/bearssl_chacha20.c: ChaCha20-Poly1305 as BearSSL takes it for the fastest, beside
 * bearssl_fast.c. */
#include "tls/bearssl/bearssl.h"

void mote_bearssl_chacha20(br_ssl_engine_context *eng)
{
  br_ssl_engine_set_default_chapol(eng);
}
