/* tls/bearssl/bearssl_refuse.c: reports why the server's certificates are refused, and which one. */
#include "base/text.h"
#include "tls/bearssl/bearssl.h"
#include "tls/x509/der.h"

/* What other libraries say in CURLINFO_SSL_VERIFYRESULT (X509_V_ERR_*). */
enum {
  V_UNSPECIFIED = 1,
  V_BAD_SIGNATURE = 7,
  V_EXPIRED = 10,
  V_NO_ISSUER = 20,
  V_WEAK_KEY = 67,
  V_NOT_CA = 79
};

static const struct {
  uint8_t error;  /* BR_ERR_X509_* */
  uint8_t result; /* X509_V_ERR_* */
} results[] = {
  {BR_ERR_X509_EXPIRED, V_EXPIRED},
  {BR_ERR_X509_NOT_TRUSTED, V_NO_ISSUER},
  {BR_ERR_X509_BAD_SIGNATURE, V_BAD_SIGNATURE},
  {BR_ERR_X509_DN_MISMATCH, V_NO_ISSUER},
  {BR_ERR_X509_NOT_CA, V_NOT_CA},
  {BR_ERR_X509_WEAK_PUBLIC_KEY, V_WEAK_KEY},
};

/* BR_ERR_X509_* */
static const struct mote_numbered certificate_errors[] = {
  {BR_ERR_X509_EXPIRED, "certificate has expired or is not yet valid"},
  {BR_ERR_X509_NOT_TRUSTED, "unable to get local issuer certificate"},
  {BR_ERR_X509_BAD_SIGNATURE, "certificate signature failure"},
  {BR_ERR_X509_DN_MISMATCH, "the certificates of the chain do not follow each other"},
  {BR_ERR_X509_NOT_CA, "invalid CA certificate"},
  {BR_ERR_X509_WEAK_PUBLIC_KEY, "key too small"},
  {BR_ERR_X509_FORBIDDEN_KEY_USAGE, "the key may not be used for this"},
  {BR_ERR_X509_CRITICAL_EXTENSION, "unhandled critical extension"},
  {BR_ERR_X509_UNSUPPORTED, "algorithm not supported"},
  {BR_ERR_X509_LIMIT_EXCEEDED, "key or signature too large"},
  {BR_ERR_X509_EMPTY_CHAIN, "the server sent no certificate"},
  {BR_ERR_X509_TIME_UNKNOWN, "the time is not known"},
};

/* Translates the library's error. */
static int result_of(int error)
{
  size_t i;
  for(i = 0; i < sizeof results / sizeof *results; i++)
    if(results[i].error == error)
      return results[i].result;
  return V_UNSPECIFIED;
}

/* A root with the issuer's name that is not acceptable counts as the certificate above the last one
 * received. */
CURLcode mote_bearssl_refuse(struct mote_bearssl *t, int error)
{
  const struct mote_bearssl_peer *p = t->peer;
  const struct mote_path_cert *c = p->depth ? &p->cert : &p->own;
  bool root = !p->fault && error == BR_ERR_X509_NOT_TRUSTED && p->root_fault;
  enum mote_path_fault fault = root ? p->root_fault : p->fault;
  const char *why = fault ? mote_path_text(fault)
                          : mote_numbered_text(certificate_errors, error, "malformed certificate");
  struct mote_der name = {0};
  if(error == BR_ERR_X509_BAD_SERVER_NAME)
    return mote_tls_refuse_name(&t->head, t->text, p->own.der, p->own.len);
  (void)(root ? mote_der_issuer(c->der, c->len, &name) : mote_der_subject(c->der, c->len, &name));
  return mote_tls_refuse(&t->head, fault ? mote_path_result(fault) : result_of(error),
                         why, p->depth + root,
                         name.whole, name.whole_len);
}
