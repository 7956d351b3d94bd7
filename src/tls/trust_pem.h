/* tls/trust_pem.h: the certificates of a PEM text (RFC 7468) that lies in memory, for trust_blob.c: less than
 * pem.h does, in less code. Lines end with LF or CRLF; what is not between "-----BEGIN CERTIFICATE-----" and
 * the next line that begins with a dash is passed over, and so is a block that is not base64.
 *
 * Tests: tests/unit/tls/test_trust_blob.c */
#ifndef MOTE_TLS_TRUST_PEM_H
#define MOTE_TLS_TRUST_PEM_H

#include <curl/curl.h>
#include <stdint.h>

#include "parts.h"

#include "base/text.h"

/* One certificate, good for as long as the call takes. */
typedef void mote_trust_der_fn(void *arg, const uint8_t *der, size_t len);

/* fn for each. CURLE_OUT_OF_MEMORY: a block for the bytes of one is needed. Without part tls_pem there are
 * none. */
#if MOTE_HAS_TLS_PEM
CURLcode mote_trust_pem(struct mote_slice text, mote_trust_der_fn *fn, void *arg);
#else
static inline CURLcode mote_trust_pem(struct mote_slice text, mote_trust_der_fn *fn, void *arg)
{
  (void)text;
  (void)fn;
  (void)arg;
  return CURLE_OK;
}
#endif

#endif
