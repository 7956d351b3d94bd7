/* tls/mbedtls/mbedtls_error.c: mbedTLS's errors as CURLE_* and in words. */
#include <mbedtls/asn1.h>
#include <mbedtls/bignum.h>
#include <mbedtls/cipher.h>
#include <mbedtls/ecp.h>
#include <mbedtls/error.h>
#include <mbedtls/md.h>
#include <mbedtls/pem.h>
#include <mbedtls/pk.h>
#include <mbedtls/x509.h>

#include "base/report.h"
#include "base/text.h"
#include "tls/common/common.h"
#include "tls/mbedtls/mbedtls.h"

#define TEXT 128 /* bytes of the library's own texts */

/* By the high part. */
static const struct mote_numbered errors[] = {
  {MBEDTLS_ERR_SSL_BAD_HS_PROTOCOL_VERSION, "no TLS, or a version that mbedTLS does not speak: TLS 1.2 only"},
  {MBEDTLS_ERR_SSL_INVALID_RECORD, "what came is no TLS record"},
  {MBEDTLS_ERR_SSL_INVALID_MAC, "bad record MAC"},
  {MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE, "unexpected message"},
  {MBEDTLS_ERR_SSL_NO_RNG, "no entropy"},
  {MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY, "the server closed the connection with close_notify"},
};

/* A code has a high part (module) and a low one. */
static int mbedtls_error_high(int ret)
{
  return ret < 0 ? -(-ret & 0x7f80) : 0;
}

static int mbedtls_error_low(int ret)
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
    if(mbedtls_error_high(ret) == codes[i])
      return true;
  return mbedtls_error_low(ret) == MBEDTLS_ERR_MPI_ALLOC_FAILED ||
    mbedtls_error_low(ret) == MBEDTLS_ERR_ASN1_ALLOC_FAILED;
}

/* The library could not read a certificate, or the chain is too long for it. It refuses unknown critical
 * extensions before verify() is called. */
static bool mbedtls_error_is_about_certificate(int ret)
{
  return (mbedtls_error_high(ret) <= MBEDTLS_ERR_X509_FEATURE_UNAVAILABLE &&
          mbedtls_error_high(ret) >= MBEDTLS_ERR_X509_FATAL_ERROR) ||
         mbedtls_error_high(ret) == MBEDTLS_ERR_SSL_BAD_HS_CERTIFICATE;
}

static CURLcode bad_certificate(struct mote_mbedtls *t, int ret)
{
  char text[TEXT];
  mbedtls_strerror(ret, text, sizeof text);
  t->head.verify_result = 1;
  mote_fail(t->head.stream.env->report, "SSL certificate problem: %s%s",
            t->full ? "" : "malformed, or with a critical extension that mbedTLS does not know: ", text);
  return CURLE_PEER_FAILED_VERIFICATION;
}

static void mbedtls_error_report(struct mote_mbedtls *t, int ret)
{
  struct mote_report *r = t->head.stream.env->report;
  const char *ours;
  char text[TEXT];
  if(mbedtls_error_high(ret) == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE && t->ssl.in_msg) {
    mote_fail(r, "mbedTLS: the server refused: %s (%d)", mote_tls_alert_text(t->ssl.in_msg[1]),
              t->ssl.in_msg[1]);
    return;
  }
  ours = mote_numbered_text(errors, mbedtls_error_high(ret), NULL);
  if(!ours)
    mbedtls_strerror(ret, text, sizeof text);
  mote_fail(r, "mbedTLS: %s (-0x%04x)", ours ? ours : text, (unsigned)-ret);
}

CURLcode mote_mbedtls_failed(struct mote_mbedtls *t, int ret, CURLcode otherwise)
{
  t->head.dead = true;
  if(t->head.below)
    return t->head.below;
  if(t->refused)
    return t->refused;
  if(mote_mbedtls_no_memory(ret))
    return CURLE_OUT_OF_MEMORY;
  if(!t->head.done && mbedtls_error_is_about_certificate(ret))
    return bad_certificate(t, ret);
  mbedtls_error_report(t, ret);
  return otherwise;
}
