/* tls/openssl_verify.c: is the peer who it should be: chain, name, issuer, pinned key. */
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/base64.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/sha256.h"
#include "tls/blob.h"
#include "tls/openssl.h"
#include "tls/pem.h"

#define PIN_PREFIX "sha256//"
#define PIN_PREFIX_LEN 8
#define SPKI_MAX 4096 /* bytes of a public key in a file: RSA with 16,384 bits takes 2,100 */

/* subjectAltName only (RFC 9525), wildcards only as a whole leftmost label. */
static CURLcode check_name(struct mote_tls_stream *t, X509 *peer)
{
  const unsigned flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
  int match = t->is_ip ? X509_check_ip_asc(peer, t->host, 0) :
              t->host[0] ? X509_check_host(peer, t->host, 0, flags, NULL) : 0;
  t->name_checked = true;
  if(match == 1)
    return CURLE_OK;
  mote_fail(t->stream.env->report,
            "SSL: no alternative certificate subject name matches target host name '%s'", t->host);
  return CURLE_PEER_FAILED_VERIFICATION;
}

int mote_openssl_verify(X509_STORE_CTX *store_ctx, void *arg)
{
  const SSL *ssl = X509_STORE_CTX_get_ex_data(store_ctx, SSL_get_ex_data_X509_STORE_CTX_idx());
  struct mote_tls_stream *t = mote_tls_of_ssl(ssl);
  int ok;
  (void)arg;
  (void)mote_openssl_ran_out();
  ok = X509_verify_cert(store_ctx) > 0;
  if(!t)
    return ok;
  t->verify_result = X509_STORE_CTX_get_error(store_ctx);
  if(mote_openssl_ran_out() && !ok) {
    t->verdict = CURLE_OUT_OF_MEMORY;
    return 0;
  }
  if(!ok && t->ctx->verify_peer)
    return 0;
  if(t->ctx->verify_host) {
    t->verdict = check_name(t, X509_STORE_CTX_get0_cert(store_ctx));
    if(t->verdict) {
      if(ok)
        t->verify_result = X509_V_ERR_UNSPECIFIED;
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
  if(!t->ctx->issuer || !t->ctx->verify_peer)
    return CURLE_OK;
  why = X509_check_issued(t->ctx->issuer, peer);
  if(why == X509_V_OK)
    return CURLE_OK;
  mote_fail(t->stream.env->report, "SSL: Certificate issuer check failed (%s)",
            X509_verify_cert_error_string(why));
  return CURLE_SSL_ISSUER_ERROR;
}

/* "sha256//base64[;sha256//base64]..." */
static bool pinned_in_list(const char *list, const unsigned char *spki, size_t len)
{
  uint8_t digest[MOTE_SHA256_SIZE];
  char text[MOTE_BASE64_SIZE(MOTE_SHA256_SIZE)];
  size_t text_len;
  mote_sha256(spki, len, digest);
  text_len = mote_base64_encode(text, digest, sizeof digest);
  while(*list) {
    size_t n = strcspn(list, ";");
    if(n == PIN_PREFIX_LEN + text_len && !memcmp(list, PIN_PREFIX, PIN_PREFIX_LEN) &&
       !memcmp(list + PIN_PREFIX_LEN, text, text_len))
      return true;
    list += n;
    list += *list == ';';
  }
  return false;
}

/* A file with the key itself, DER or PEM. */
static CURLcode pinned_in_file(const char *file, const unsigned char *spki, size_t len, bool *match)
{
  const struct mote_slice none = { NULL, 0 };
  uint8_t der[SPKI_MAX];
  struct mote_tls_blob b;
  struct mote_pem pem;
  size_t used;
  CURLcode rc = mote_tls_blob_load(&b, none, file);
  *match = false;
  if(rc)
    return rc;
  mote_pem_init(&pem, "PUBLIC KEY", der, sizeof der);
  if(b.len == len && !memcmp(b.ptr, spki, len))
    *match = true;
  else if(mote_pem_feed(&pem, b.ptr, b.len, &used) || mote_pem_end(&pem))
    *match = pem.der_len == len && !memcmp(der, spki, len);
  mote_tls_blob_free(&b);
  return CURLE_OK;
}

static CURLcode check_pinned(struct mote_tls_stream *t, X509 *peer)
{
  const char *pinned = t->ctx->pinned_key;
  unsigned char *spki = NULL;
  bool match = false;
  CURLcode rc = CURLE_OK;
  int len;
  if(!pinned[0])
    return CURLE_OK;
  len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(peer), &spki);
  if(len <= 0)
    return CURLE_OUT_OF_MEMORY;
  if(!strncmp(pinned, PIN_PREFIX, PIN_PREFIX_LEN))
    match = pinned_in_list(pinned, spki, (size_t)len);
  else
    rc = pinned_in_file(pinned, spki, (size_t)len, &match);
  OPENSSL_free(spki);
  if(match || rc == CURLE_OUT_OF_MEMORY)
    return rc;
  mote_fail(t->stream.env->report, "SSL: public key does not match pinned public key");
  return CURLE_SSL_PINNEDPUBKEYNOTMATCH;
}

/* Our own verify callback saw the peer, unless the application has put its own in place. */
static CURLcode check_foreign_verdict(struct mote_tls_stream *t, X509 *peer)
{
  if(t->ctx->verify_host && !t->name_checked) {
    CURLcode rc = check_name(t, peer);
    if(rc)
      return rc;
  }
  t->verify_result = (int32_t)SSL_get_verify_result(t->ssl);
  if(!t->ctx->verify_peer || t->verify_result == X509_V_OK)
    return CURLE_OK;
  mote_fail(t->stream.env->report, "SSL certificate verify result: %s (%ld)",
            X509_verify_cert_error_string(t->verify_result), (long)t->verify_result);
  return CURLE_PEER_FAILED_VERIFICATION;
}

static CURLcode check_certificate(struct mote_tls_stream *t, X509 *peer)
{
  CURLcode rc = check_foreign_verdict(t, peer);
  if(!rc)
    rc = check_issuer(t, peer);
  if(!rc && t->ctx->verify_status)
    rc = mote_openssl_check_status(t, peer);
  if(!rc)
    rc = check_pinned(t, peer);
  return rc;
}

CURLcode mote_openssl_check_peer(struct mote_tls_stream *t)
{
  X509 *peer = SSL_get0_peer_certificate(t->ssl);
  CURLcode rc = CURLE_OK;
  mote_openssl_tell_peer(t);
  if(SSL_session_reused(t->ssl))
    t->verify_result = (int32_t)SSL_get_verify_result(t->ssl); /* verified when the session was made */
  else if(peer)
    rc = check_certificate(t, peer);
  else if(t->ctx->verify_peer || t->ctx->verify_host || t->ctx->pinned_key[0]) {
    mote_fail(t->stream.env->report, "SSL: couldn't get peer certificate");
    rc = CURLE_PEER_FAILED_VERIFICATION;
  }
  if(!rc && t->ctx->verify_peer)
    mote_info(t->stream.env->report, " SSL certificate verify ok.");
  else if(!rc)
    mote_info(t->stream.env->report, " SSL certificate verify result: %s (%ld), continuing anyway.",
              X509_verify_cert_error_string(t->verify_result), (long)t->verify_result);
  return rc;
}
