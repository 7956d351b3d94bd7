/* tls/openssl/openssl_verify.c: verifies the peer: chain, name, issuer, stapled OCSP response, pinned key. */
#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/report.h"
#include "tls/openssl/openssl.h"
#include "tls/x509/hostname.h"
#include "tls/x509/pin.h"

#define CLOCK_SKEW 300 /* seconds that our clock and an OCSP responder's may differ */

static CURLcode check_name(struct mote_tls_stream *t, X509 *peer)
{
  unsigned char *der = NULL;
  int len = i2d_X509(peer, &der);
  long verified = t->head.verify_result;
  CURLcode rc = len > 0 ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  bool match = !rc && mote_tls_name_matches(der, (size_t)len, t->host, t->head.is_ip);
  t->name_checked = true;
  if(!rc && !match)
    rc = mote_tls_refuse_name(&t->head, t->host, der, (size_t)len);
  OPENSSL_free(der);
  if(match)
    return CURLE_OK;
  if(verified)
    t->head.verify_result = (int32_t)verified;
  return rc;
}

static CURLcode refuse_chain(struct mote_tls_stream *t, X509_STORE_CTX *store_ctx)
{
  X509 *cert = X509_STORE_CTX_get_current_cert(store_ctx);
  const unsigned char *name = NULL;
  size_t len = 0;
  if(ERR_GET_REASON(ERR_peek_error()) == ERR_R_MALLOC_FAILURE)
    return CURLE_OK; /* handshake_failed() says so */
  if(cert)
    (void)X509_NAME_get0_der(X509_get_subject_name(cert), &name, &len);
  return mote_tls_refuse(&t->head, t->head.verify_result,
                         X509_verify_cert_error_string(t->head.verify_result),
                         (unsigned)X509_STORE_CTX_get_error_depth(store_ctx), name, len);
}

int mote_openssl_verify(X509_STORE_CTX *store_ctx, void *arg)
{
  const SSL *ssl = X509_STORE_CTX_get_ex_data(store_ctx, SSL_get_ex_data_X509_STORE_CTX_idx());
  struct mote_tls_stream *t = mote_tls_of_ssl(ssl);
  CURLcode failed;
  int ok;
  (void)arg;
  (void)mote_openssl_lookup_failed();
  ok = X509_verify_cert(store_ctx) > 0;
  if(!t)
    return ok;
  t->head.verify_result = X509_STORE_CTX_get_error(store_ctx);
  failed = mote_openssl_lookup_failed();
  if(failed && !ok) {
    t->verdict = failed;
    return 0;
  }
  if(!ok && t->head.verify_peer) {
    t->verdict = refuse_chain(t, store_ctx);
    return 0;
  }
  if(t->head.verify_host) {
    t->verdict = check_name(t, X509_STORE_CTX_get0_cert(store_ctx));
    if(t->verdict) {
      if(ok)
        t->head.verify_result = X509_V_ERR_UNSPECIFIED;
      X509_STORE_CTX_set_error(store_ctx, X509_V_ERR_HOSTNAME_MISMATCH);
      return 0;
    }
  }
  /* The chain would stay as long as the connection; only the response of an OCSP responder needs it. */
  if(!t->ctx->verify_status && !t->ctx->own)
    X509_STORE_CTX_set0_verified_chain(store_ctx, NULL);
  return 1;
}

static CURLcode check_issuer(struct mote_tls_stream *t, X509 *peer)
{
  int why;
  if(!t->ctx->issuer || !t->head.verify_peer)
    return CURLE_OK;
  why = X509_check_issued(t->ctx->issuer, peer);
  if(why == X509_V_OK)
    return CURLE_OK;
  return mote_fail_as(CURLE_SSL_ISSUER_ERROR, t->head.stream.env->report,
                      "SSL: Certificate issuer check failed (%s)", X509_verify_cert_error_string(why));
}

static CURLcode check_pinned(struct mote_tls_stream *t, X509 *peer)
{
  unsigned char *spki = NULL;
  CURLcode rc;
  int len;
  if(!t->ctx->pinned_key[0])
    return CURLE_OK;
  len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(peer), &spki);
  if(len <= 0)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_tls_pin_check(t->ctx->pinned_key, spki, (size_t)len, t->head.stream.env->report);
  OPENSSL_free(spki);
  return rc;
}

/* ---- the OCSP response that the server staples to its certificate (RFC 6066 section 8) ---- */

/* The peer's issuer, which follows it in the verified chain. Borrowed. */
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

/* What a response says of one certificate. */
struct status {
  int code;                                     /* V_OCSP_CERTSTATUS_* */
  int reason;                                   /* of a revocation */
  ASN1_GENERALIZEDTIME *revoked, *from, *until; /* the response's */
};

/* Responders name certificates by SHA-1 (RFC 5019) or SHA-256. */
static bool find_status(OCSP_BASICRESP *basic, X509 *peer, X509 *issuer, struct status *s)
{
  const EVP_MD *const digests[] = { EVP_sha1(), EVP_sha256() };
  size_t i;
  for(i = 0; i < sizeof digests / sizeof *digests; i++) {
    OCSP_CERTID *id = OCSP_cert_to_id(digests[i], peer, issuer);
    int found = id && OCSP_resp_find_status(basic, id, &s->code, &s->reason, &s->revoked, &s->from,
                                            &s->until) == 1;
    OCSP_CERTID_free(id);
    if(found)
      return true;
  }
  return false;
}

/* Returns why the certificate is refused, or NULL if it is good. */
static const char *openssl_verify_judge(struct mote_tls_stream *t, OCSP_BASICRESP *basic, X509 *peer)
{
  X509_STORE *store = SSL_CTX_get_cert_store(t->ctx->ssl_ctx);
  X509 *issuer = issuer_of(t, peer);
  struct status s = {.code = V_OCSP_CERTSTATUS_UNKNOWN};
  if(OCSP_basic_verify(basic, SSL_get0_verified_chain(t->ssl), store, 0) <= 0)
    return "OCSP response verification failed";
  if(!issuer || !find_status(basic, peer, issuer, &s))
    return "Could not find certificate ID in OCSP response";
  if(!OCSP_check_validity(s.from, s.until, CLOCK_SKEW, -1L))
    return "OCSP response has expired";
  mote_info(t->head.stream.env->report, "SSL certificate status: %s (%d)", OCSP_cert_status_str(s.code),
            s.code);
  if(s.code == V_OCSP_CERTSTATUS_REVOKED)
    return "SSL certificate was revoked";
  return s.code == V_OCSP_CERTSTATUS_GOOD ? NULL : "SSL certificate status is unknown to its issuer";
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
    why = basic ? openssl_verify_judge(t, basic, peer) : "Invalid OCSP response";
  }
  OCSP_BASICRESP_free(basic);
  OCSP_RESPONSE_free(response);
  return why;
}

/* The stapled response must say that the peer's certificate is good. */
static CURLcode check_status(struct mote_tls_stream *t, X509 *peer)
{
  unsigned char *der = NULL;
  long len = SSL_get_tlsext_status_ocsp_resp(t->ssl, &der);
  const char *why = der && len > 0 ? judge_response(t, der, len, peer) : "No OCSP response received";
  ERR_clear_error();
  if(!why)
    return CURLE_OK;
  return mote_fail_as(CURLE_SSL_INVALIDCERTSTATUS, t->head.stream.env->report, "%s", why);
}

/* ---- after the handshake ---- */

/* Our own verify callback saw the peer, unless the application has put its own in place. */
static CURLcode check_foreign_verdict(struct mote_tls_stream *t, X509 *peer)
{
  if(t->head.verify_host && !t->name_checked) {
    CURLcode rc = check_name(t, peer);
    if(rc)
      return rc;
  }
  t->head.verify_result = (int32_t)SSL_get_verify_result(t->ssl);
  if(!t->head.verify_peer || t->head.verify_result == X509_V_OK)
    return CURLE_OK;
  return mote_fail_as(CURLE_PEER_FAILED_VERIFICATION, t->head.stream.env->report,
                      "SSL certificate verify result: %s (%ld)",
                      X509_verify_cert_error_string(t->head.verify_result), (long)t->head.verify_result);
}

static CURLcode check_certificate(struct mote_tls_stream *t, X509 *peer)
{
  CURLcode rc = check_foreign_verdict(t, peer);
  if(!rc)
    rc = check_issuer(t, peer);
  if(!rc && t->ctx->verify_status)
    rc = check_status(t, peer);
  if(!rc)
    rc = check_pinned(t, peer);
  return rc;
}

CURLcode mote_openssl_check_peer(struct mote_tls_stream *t)
{
  X509 *peer = SSL_get0_peer_certificate(t->ssl);
  CURLcode rc = CURLE_OK;
  if(SSL_session_reused(t->ssl))
    t->head.verify_result = (int32_t)SSL_get_verify_result(t->ssl); /* verified when the session was made */
  else if(peer)
    rc = check_certificate(t, peer);
  else if(t->head.verify_peer || t->head.verify_host || t->ctx->pinned_key[0]) {
    mote_fail(t->head.stream.env->report, "SSL: couldn't get peer certificate");
    rc = CURLE_PEER_FAILED_VERIFICATION;
  }
  if(!rc && t->head.verify_peer)
    mote_info(t->head.stream.env->report, " SSL certificate verify ok.");
  else if(!rc)
    mote_info(t->head.stream.env->report, " SSL certificate verify result: %s (%ld), continuing anyway.",
              X509_verify_cert_error_string(t->head.verify_result), (long)t->head.verify_result);
  return rc;
}
