/* tls/openssl_ocsp.c: the OCSP response that the server staples to its certificate (RFC 6066 section 8). */
#include <openssl/err.h>
#include <openssl/ocsp.h>

#include "base/report.h"
#include "tls/openssl.h"

#define CLOCK_SKEW 300 /* seconds that our clock and the responder's may differ */

/* The peer's issuer: what follows it in the verified chain. Borrowed. */
static X509 *issuer_of(const struct mote_tls_stream *t, X509 *peer)
{
  STACK_OF(X509) *chain = SSL_get0_verified_chain(t->ssl);
  int i;
  for(i = 0; chain && i < sk_X509_num(chain); i++) {
    X509 *x = sk_X509_value(chain, i);
    if(X509_check_issued(x, peer) == X509_V_OK)
      return x;
  }
  return NULL;
}

/* Responders name certificates by SHA-1 (RFC 5019) or SHA-256. */
static bool find_status(OCSP_BASICRESP *basic, X509 *peer, X509 *issuer, int *status, int *reason,
                        ASN1_GENERALIZEDTIME **from, ASN1_GENERALIZEDTIME **until)
{
  const EVP_MD *const digests[] = { EVP_sha1(), EVP_sha256() };
  size_t i;
  for(i = 0; i < sizeof digests / sizeof *digests; i++) {
    OCSP_CERTID *id = OCSP_cert_to_id(digests[i], peer, issuer);
    ASN1_GENERALIZEDTIME *revoked;
    int found = id && OCSP_resp_find_status(basic, id, status, reason, &revoked, from, until) == 1;
    OCSP_CERTID_free(id);
    if(found)
      return true;
  }
  return false;
}

/* NULL: good. */
static const char *judge(struct mote_tls_stream *t, OCSP_BASICRESP *basic, X509 *peer)
{
  X509_STORE *store = SSL_CTX_get_cert_store(t->ctx->ssl_ctx);
  X509 *issuer = issuer_of(t, peer);
  ASN1_GENERALIZEDTIME *from = NULL;
  ASN1_GENERALIZEDTIME *until = NULL;
  int status = V_OCSP_CERTSTATUS_UNKNOWN;
  int reason = 0;
  if(OCSP_basic_verify(basic, SSL_get0_verified_chain(t->ssl), store, 0) <= 0)
    return "OCSP response verification failed";
  if(!issuer || !find_status(basic, peer, issuer, &status, &reason, &from, &until))
    return "Could not find certificate ID in OCSP response";
  if(!OCSP_check_validity(from, until, CLOCK_SKEW, -1L))
    return "OCSP response has expired";
  mote_info(t->head.stream.env->report, "SSL certificate status: %s (%d)", OCSP_cert_status_str(status),
            status);
  if(status == V_OCSP_CERTSTATUS_REVOKED)
    return "SSL certificate was revoked";
  return status == V_OCSP_CERTSTATUS_GOOD ? NULL : "SSL certificate status is unknown to its issuer";
}

static const char *judge_response(struct mote_tls_stream *t, const unsigned char *der, long len, X509 *peer)
{
  OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &der, len);
  OCSP_BASICRESP *basic = NULL;
  const char *why;
  if(!response)
    return "Invalid OCSP response";
  if(OCSP_response_status(response) != OCSP_RESPONSE_STATUS_SUCCESSFUL)
    why = "Invalid OCSP response status";
  else {
    basic = OCSP_response_get1_basic(response);
    why = basic ? judge(t, basic, peer) : "Invalid OCSP response";
  }
  OCSP_BASICRESP_free(basic);
  OCSP_RESPONSE_free(response);
  return why;
}

CURLcode mote_openssl_check_status(struct mote_tls_stream *t, X509 *peer)
{
  unsigned char *der = NULL;
  long len = SSL_get_tlsext_status_ocsp_resp(t->ssl, &der);
  const char *why = der && len > 0 ? judge_response(t, der, len, peer) : "No OCSP response received";
  ERR_clear_error();
  if(!why)
    return CURLE_OK;
  mote_fail(t->head.stream.env->report, "%s", why);
  return CURLE_SSL_INVALIDCERTSTATUS;
}
