/* tls/bearssl_algorithms.c: what is spoken: TLS 1.2; nothing of the library is linked but what is named
 * here, in bearssl_suites.c, and in bearssl_fast.c or bearssl_small.c. */
#include "tls/bearssl.h"
#include "tls/common.h"

CURLcode mote_bearssl_algorithms(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  CURLcode rc = mote_tls_check_common(t->head.stream.env->report, cfg, "BearSSL");
  if(rc)
    return rc;
  br_ssl_client_zero(&t->cc);
  br_ssl_engine_set_versions(eng, BR_TLS12, BR_TLS12);
  br_ssl_engine_add_flags(eng, BR_OPT_NO_RENEGOTIATION);
  mote_bearssl_implementations(eng);
  mote_bearssl_chacha20(eng);
  return mote_bearssl_suites(t, cfg);
}

void mote_bearssl_x509_algorithms(br_x509_minimal_context *x, br_ssl_engine_context *eng)
{
  int id;
  for(id = br_sha256_ID; id <= br_sha512_ID; id++)
    br_x509_minimal_set_hash(x, id, br_ssl_engine_get_hash(eng, id));
  br_x509_minimal_set_rsa(x, br_ssl_engine_get_rsavrfy(eng));
  br_x509_minimal_set_ecdsa(x, br_ssl_engine_get_ec(eng), br_ssl_engine_get_ecdsa(eng));
}
