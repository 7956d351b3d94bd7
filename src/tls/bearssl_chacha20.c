/* tls/bearssl_chacha20.c: ChaCha20-Poly1305, the fastest here. */
#include "tls/bearssl.h"

void mote_bearssl_chacha20(br_ssl_engine_context *eng)
{
  br_ssl_engine_set_default_chapol(eng);
}
