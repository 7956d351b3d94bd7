/* tls/openssl_info.c: what a connection says about itself: to getinfo and, in the lines of curl -v, to
 * whoever listens. */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/report.h"
#include "tls/openssl.h"

void mote_openssl_get_info(const struct mote_stream *tls, struct mote_tls_info *out)
{
  const struct mote_tls_stream *t = mote_tls_of(tls);
  out->version = SSL_get_version(t->ssl);
  out->cipher = SSL_get_cipher_name(t->ssl);
  out->verify_result = t->head.verify_result;
  out->tls_id = SSL_version(t->ssl);
  out->resumed = SSL_session_reused(t->ssl) == 1;
}

const char *mote_openssl_alpn(const struct mote_stream *tls, size_t *len)
{
  const unsigned char *name = NULL;
  unsigned n = 0;
  SSL_get0_alpn_selected(mote_tls_of(tls)->ssl, &name, &n);
  *len = n;
  return n ? (const char *)name : NULL;
}

void *mote_openssl_ssl_ptr(const struct mote_stream *tls)
{
  return mote_tls_of(tls)->ssl;
}

void *mote_openssl_ctx_ptr(const struct mote_stream *tls)
{
  return mote_tls_of(tls)->ctx->ssl_ctx;
}

/* One line: what `bio` has collected; it is empty again. */
static void tell_line(struct mote_report *r, const char *label, BIO *bio)
{
  char *text;
  long len = BIO_get_mem_data(bio, &text);
  mote_info(r, " %s: %.*s", label, (int)len, len ? text : "");
  (void)BIO_reset(bio);
}

static void tell_certificate(struct mote_report *r, X509 *x, BIO *bio)
{
  const unsigned long style = (XN_FLAG_ONELINE & ~XN_FLAG_SEP_MASK & ~XN_FLAG_SPC_EQ) | XN_FLAG_SEP_SPLUS_SPC;
  mote_info(r, "Server certificate:");
  X509_NAME_print_ex(bio, X509_get_subject_name(x), 0, style);
  tell_line(r, "subject", bio);
  ASN1_TIME_print(bio, X509_get0_notBefore(x));
  tell_line(r, "start date", bio);
  ASN1_TIME_print(bio, X509_get0_notAfter(x));
  tell_line(r, "expire date", bio);
  X509_NAME_print_ex(bio, X509_get_issuer_name(x), 0, style);
  tell_line(r, "issuer", bio);
}

void mote_openssl_tell_peer(const struct mote_tls_stream *t)
{
  struct mote_report *r = t->head.stream.env->report;
  X509 *peer = SSL_get0_peer_certificate(t->ssl);
  BIO *bio;
  if(!r || !r->verbose)
    return;
  mote_tls_tell_peer(&t->head);
  bio = peer ? BIO_new(BIO_s_mem()) : NULL;
  if(bio)
    tell_certificate(r, peer, bio);
  BIO_free(bio);
}
