/* tls/wolfssl_config.c: a context as the options say. */
#include <string.h>

#include "base/report.h"
#include "tls/wolfssl.h"

static CURLcode cannot(struct mote_report *r, const struct mote_tls_config *cfg)
{
  const char *what = NULL;
  if(cfg->srp_user || cfg->srp_password)
    what = "TLS-SRP";
  else if(cfg->crl_file)
    what = "CURLOPT_CRLFILE";
  else if(cfg->verify_status)
    what = "CURLOPT_SSL_VERIFYSTATUS";
  else if(cfg->issuer_file || cfg->issuer_blob.ptr)
    what = "CURLOPT_ISSUERCERT";
  if(!what)
    return CURLE_OK;
  mote_fail(r, "%s is not supported with wolfSSL", what);
  return CURLE_NOT_BUILT_IN;
}

/* Of the versions 1.2 and 1.3 those that are wanted. */
static CURLcode method_for(WOLFSSL_METHOD **out, struct mote_report *r, long version)
{
  long min = version & 0xffff;
  long max = (version >> 16) & 0xffff;
  *out = NULL;
  if(min == CURL_SSLVERSION_SSLv2 || min == CURL_SSLVERSION_SSLv3) {
    mote_fail(r, "SSLv%ld is not supported", min);
    return CURLE_NOT_BUILT_IN;
  }
  if(min > CURL_SSLVERSION_TLSv1_3 || max > CURL_SSLVERSION_TLSv1_3) {
    mote_fail(r, "unrecognized parameter passed via CURLOPT_SSLVERSION");
    return CURLE_SSL_CONNECT_ERROR;
  }
  if(max > CURL_SSLVERSION_TLSv1 && max < (min > CURL_SSLVERSION_TLSv1_2 ? min : CURL_SSLVERSION_TLSv1_2)) {
    mote_fail(r, "Mote speaks TLS 1.2 and 1.3 with wolfSSL, CURLOPT_SSLVERSION excludes both");
    return CURLE_SSL_CONNECT_ERROR;
  }
  *out = min == CURL_SSLVERSION_TLSv1_3 ? wolfTLSv1_3_client_method() :
         max == CURL_SSLVERSION_TLSv1_2 ? wolfTLSv1_2_client_method() : wolfSSLv23_client_method();
  return *out ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode set_lists(const struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->head.stream.env->report;
  const char *bad = NULL;
  if(cfg->ciphers && wolfSSL_CTX_set_cipher_list(t->ctx, cfg->ciphers) != WOLFSSL_SUCCESS)
    bad = cfg->ciphers;
  else if(cfg->ciphers13 && wolfSSL_CTX_set_cipher_list(t->ctx, cfg->ciphers13) != WOLFSSL_SUCCESS)
    bad = cfg->ciphers13;
  else if(cfg->curves &&
          wolfSSL_CTX_set1_groups_list(t->ctx, (char *)(uintptr_t)cfg->curves) != WOLFSSL_SUCCESS)
    bad = cfg->curves;
  else if(cfg->sigalgs && wolfSSL_CTX_set1_sigalgs_list(t->ctx, cfg->sigalgs) != WOLFSSL_SUCCESS)
    bad = cfg->sigalgs;
  if(!bad)
    return CURLE_OK;
  mote_fail(r, "failed setting the list of ciphers, curves or signature algorithms: %s", bad);
  return CURLE_SSL_CIPHER;
}

CURLcode mote_wolfssl_context(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->head.stream.env->report;
  WOLFSSL_METHOD *method;
  CURLcode rc = cannot(r, cfg);
  if(!rc)
    rc = method_for(&method, r, cfg->version);
  if(rc)
    return rc;
  t->ctx = wolfSSL_CTX_new(method);
  if(!t->ctx)
    return CURLE_OUT_OF_MEMORY;
  if(wolfSSL_CTX_SetMinVersion(t->ctx, WOLFSSL_TLSV1_2) != WOLFSSL_SUCCESS ||
     wolfSSL_CTX_SetDevId(t->ctx, MOTE_WOLFSSL_DEVICE) != WOLFSSL_SUCCESS) {
    mote_fail(r, "wolfSSL refuses TLS 1.2");
    return CURLE_SSL_CONNECT_ERROR;
  }
  wolfSSL_CTX_SetIORecv(t->ctx, mote_wolfssl_recv);
  wolfSSL_CTX_SetIOSend(t->ctx, mote_wolfssl_send);
  wolfSSL_CTX_set_verify(t->ctx, WOLFSSL_VERIFY_PEER, mote_wolfssl_verify);
  (void)wolfSSL_CTX_set_session_cache_mode(t->ctx, WOLFSSL_SESS_CACHE_NO_INTERNAL);
  return set_lists(t, cfg);
}
