/* tls/bearssl_small.c: of each algorithm what takes the least code and, on processors whose long
 * multiplication takes a time of its own for each operand (Cortex-M3), is constant in time there as
 * well: products are of 16 bits. One implementation serves P-256, P-384 and P-521; there is no X25519. */
#include "tls/bearssl.h"

void mote_bearssl_implementations(br_ssl_engine_context *eng)
{
  br_ssl_engine_set_hash(eng, br_sha256_ID, &mote_bearssl_sha256);
  br_ssl_engine_set_hash(eng, br_sha384_ID, &mote_bearssl_sha384);
  br_ssl_engine_set_hash(eng, br_sha512_ID, &mote_bearssl_sha512);
  br_ssl_engine_set_prf_sha256(eng, mote_bearssl_prf);
  br_ssl_engine_set_rsavrfy(eng, br_rsa_i15_pkcs1_vrfy);
  br_ssl_engine_set_ec(eng, &br_ec_prime_i15);
  br_ssl_engine_set_ecdsa(eng, br_ecdsa_i15_vrfy_asn1);
  br_ssl_engine_set_gcm(eng, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
  br_ssl_engine_set_aes_ctr(eng, &br_aes_ct_ctr_vtable);
  br_ssl_engine_set_ghash(eng, mote_bearssl_ghash);
}
