/* tls/mbedtls_error.c: mbedTLS's errors as CURLE_* and in words. */
#include <mbedtls/asn1.h>
#include <mbedtls/bignum.h>
#include <mbedtls/cipher.h>
#include <mbedtls/ecp.h>
#include <mbedtls/error.h>
#include <mbedtls/md.h>
#include <mbedtls/pem.h>
#include <mbedtls/pk.h>

#include "base/report.h"
#include "tls/common.h"
#include "tls/mbedtls.h"

#define TEXT 128 /* bytes of the library's own texts */

/* What the flags of a chain mean, the worst first, and what other libraries say in
 * CURLINFO_SSL_VERIFYRESULT (X509_V_ERR_*). */
static const struct {
  uint32_t flag; /* MBEDTLS_X509_BADCERT_* */
  uint8_t result;
  const char *text;
} flags[] = {
  {MBEDTLS_X509_BADCERT_EXPIRED, 10, "certificate has expired"},
  {MBEDTLS_X509_BADCERT_FUTURE, 9, "certificate is not yet valid"},
  {MBEDTLS_X509_BADCERT_NOT_TRUSTED, 20, "unable to get local issuer certificate"},
  {MBEDTLS_X509_BADCERT_BAD_KEY, 67, "key too small, or of a kind that is not accepted"},
  {MBEDTLS_X509_BADCERT_BAD_MD, 68, "signed with a hash that is not accepted"},
  {MBEDTLS_X509_BADCERT_BAD_PK, 67, "signed with an algorithm that is not accepted"},
};

static const struct {
  int ret; /* the high part */
  const char *text;
} errors[] = {
  {MBEDTLS_ERR_SSL_BAD_HS_PROTOCOL_VERSION, "no TLS, or a version that mbedTLS does not speak: TLS 1.2 only"},
  {MBEDTLS_ERR_SSL_INVALID_RECORD, "what came is no TLS record"},
  {MBEDTLS_ERR_SSL_INVALID_MAC, "bad record MAC"},
  {MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE, "unexpected message"},
  {MBEDTLS_ERR_SSL_NO_RNG, "no entropy"},
  {MBEDTLS_ERR_SSL_BAD_HS_CERTIFICATE, "the server's certificate is malformed or not for this use"},
  {MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY, "the server closed the connection with close_notify"},
};

/* A code has a high part (module) and a low one. */
static int high(int ret)
{
  return ret < 0 ? -(-ret & 0x7f80) : 0;
}

static int low(int ret)
{
  return ret < 0 ? -(-ret & 0x7f) : 0;
}

bool mote_mbedtls_no_memory(int ret)
{
  static const int codes[] = {
    MBEDTLS_ERR_SSL_ALLOC_FAILED, MBEDTLS_ERR_X509_ALLOC_FAILED, MBEDTLS_ERR_PK_ALLOC_FAILED,
    MBEDTLS_ERR_ECP_ALLOC_FAILED, MBEDTLS_ERR_MD_ALLOC_FAILED, MBEDTLS_ERR_CIPHER_ALLOC_FAILED,
    MBEDTLS_ERR_PEM_ALLOC_FAILED
  };
  size_t i;
  for(i = 0; i < sizeof codes / sizeof *codes; i++)
    if(high(ret) == codes[i])
      return true;
  return low(ret) == MBEDTLS_ERR_MPI_ALLOC_FAILED || low(ret) == MBEDTLS_ERR_ASN1_ALLOC_FAILED;
}

/* Name or chain; the first flag that is set is told. */
static CURLcode bad_certificate(struct mote_mbedtls *t)
{
  struct mote_report *r = t->head.stream.env->report;
  size_t i;
  t->head.verify_result = 1;
  for(i = 0; i < sizeof flags / sizeof *flags; i++) {
    if(t->flags & flags[i].flag) {
      t->head.verify_result = flags[i].result;
      mote_fail(r, "SSL certificate problem: %s (0x%x)", flags[i].text, (unsigned)t->flags);
      return CURLE_PEER_FAILED_VERIFICATION;
    }
  }
  if(t->flags & MBEDTLS_X509_BADCERT_CN_MISMATCH)
    mote_fail(r, "SSL: no alternative certificate subject name matches target host name '%s'", t->text);
  else
    mote_fail(r, "SSL certificate problem: the certificate may not be used for this (0x%x)",
              (unsigned)t->flags);
  return CURLE_PEER_FAILED_VERIFICATION;
}

static void tell(struct mote_mbedtls *t, int ret)
{
  struct mote_report *r = t->head.stream.env->report;
  char text[TEXT];
  size_t i;
  if(high(ret) == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE && t->ssl.in_msg) {
    mote_fail(r, "mbedTLS: the server refused: %s (%d)", mote_tls_alert_text(t->ssl.in_msg[1]),
              t->ssl.in_msg[1]);
    return;
  }
  for(i = 0; i < sizeof errors / sizeof *errors; i++) {
    if(errors[i].ret == high(ret)) {
      mote_fail(r, "mbedTLS: %s (-0x%04x)", errors[i].text, (unsigned)-ret);
      return;
    }
  }
  mbedtls_strerror(ret, text, sizeof text);
  mote_fail(r, "mbedTLS: %s (-0x%04x)", text, (unsigned)-ret);
}

CURLcode mote_mbedtls_failed(struct mote_mbedtls *t, int ret, CURLcode otherwise)
{
  t->head.dead = true;
  if(t->head.below)
    return t->head.below;
  if(t->refused)
    return t->refused;
  if(t->flags)
    return bad_certificate(t);
  if(mote_mbedtls_no_memory(ret))
    return CURLE_OUT_OF_MEMORY;
  tell(t, ret);
  return otherwise;
}
