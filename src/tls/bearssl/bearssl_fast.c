/* tls/bearssl/bearssl_fast.c: of each algorithm the implementation that BearSSL takes for the fastest on this
 * machine. */
#include "tls/bearssl/bearssl.h"

void mote_bearssl_implementations(br_ssl_engine_context *eng)
{
  br_ssl_engine_set_hash(eng, br_sha256_ID, &br_sha256_vtable);
  br_ssl_engine_set_hash(eng, br_sha384_ID, &br_sha384_vtable);
  br_ssl_engine_set_hash(eng, br_sha512_ID, &br_sha512_vtable);
  br_ssl_engine_set_prf_sha256(eng, &br_tls12_sha256_prf);
  br_ssl_engine_set_default_rsavrfy(eng);
  br_ssl_engine_set_default_ecdsa(eng);
  br_ssl_engine_set_default_aes_gcm(eng);
}
