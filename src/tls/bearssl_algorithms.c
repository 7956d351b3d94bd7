/* tls/bearssl_algorithms.c: which suites are offered and what they are made of: nothing else of the library
 * is linked. TLS 1.2; ECDHE with P-256, P-384 (and what else the curves' implementation has); RSA, ECDSA. */
#include <string.h>

#include "base/report.h"
#include "base/text.h"
#include "tls/bearssl.h"
#include "tls/common.h"

/* By preference. Names as OpenSSL has them, for CURLOPT_SSL_CIPHER_LIST and for texts. */
static const struct suite {
  uint16_t id;
  const char *name;
} suites[] = {
  {BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, "ECDHE-ECDSA-AES128-GCM-SHA256"},
  {BR_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, "ECDHE-RSA-AES128-GCM-SHA256"},
  {BR_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-ECDSA-CHACHA20-POLY1305"},
  {BR_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-RSA-CHACHA20-POLY1305"},
};
#define SUITES (sizeof suites / sizeof *suites)

const char *mote_bearssl_suite_name(unsigned suite)
{
  size_t i;
  for(i = 0; i < SUITES; i++)
    if(suites[i].id == suite)
      return suites[i].name;
  return "(NONE)";
}

/* A list of names, ':', ',' or blanks between them; those that are not ours are passed over. */
static size_t wanted_suites(const char *list, uint16_t out[SUITES])
{
  size_t n = 0;
  size_t i;
  while(*list) {
    size_t len = strcspn(list, ":, ");
    struct mote_slice name = {list, len};
    for(i = 0; i < SUITES; i++)
      if(mote_slice_is(name, suites[i].name) && n < SUITES)
        out[n++] = suites[i].id;
    list += len + (list[len] != 0);
  }
  return n;
}

static CURLcode set_suites(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  uint16_t ids[SUITES];
  size_t n = 0;
  if(cfg->ciphers)
    n = wanted_suites(cfg->ciphers, ids);
  else
    for(; n < SUITES; n++)
      ids[n] = suites[n].id;
  if(!n) {
    mote_fail(t->stream.env->report, "failed setting cipher list: %s", cfg->ciphers);
    return CURLE_SSL_CIPHER;
  }
  br_ssl_engine_set_suites(&t->cc.eng, ids, n);
  return CURLE_OK;
}

CURLcode mote_bearssl_algorithms(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  CURLcode rc = mote_tls_check_common(t->stream.env->report, cfg, "BearSSL");
  if(rc)
    return rc;
  br_ssl_client_zero(&t->cc);
  br_ssl_engine_set_versions(eng, BR_TLS12, BR_TLS12);
  br_ssl_engine_add_flags(eng, BR_OPT_NO_RENEGOTIATION);
  br_ssl_engine_set_hash(eng, br_sha256_ID, &br_sha256_vtable);
  br_ssl_engine_set_hash(eng, br_sha384_ID, &br_sha384_vtable);
  br_ssl_engine_set_hash(eng, br_sha512_ID, &br_sha512_vtable);
  br_ssl_engine_set_prf_sha256(eng, &br_tls12_sha256_prf);
  br_ssl_engine_set_default_rsavrfy(eng);
  br_ssl_engine_set_default_ecdsa(eng);
  br_ssl_engine_set_default_aes_gcm(eng);
  br_ssl_engine_set_default_chapol(eng);
  return set_suites(t, cfg);
}

void mote_bearssl_x509_algorithms(br_x509_minimal_context *x)
{
  br_x509_minimal_set_hash(x, br_sha256_ID, &br_sha256_vtable);
  br_x509_minimal_set_hash(x, br_sha384_ID, &br_sha384_vtable);
  br_x509_minimal_set_hash(x, br_sha512_ID, &br_sha512_vtable);
  br_x509_minimal_set_rsa(x, br_rsa_pkcs1_vrfy_get_default());
  br_x509_minimal_set_ecdsa(x, br_ec_get_default(), br_ecdsa_vrfy_asn1_get_default());
}
