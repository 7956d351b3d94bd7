/* tls/pin.h: CURLOPT_PINNEDPUBLICKEY, for any TLS library.
 *
 * Tests: tests/unit/tls/test_tls_verify.c, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_PIN_H
#define MOTE_TLS_PIN_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

struct mote_report;

#if MOTE_HAS_TLS_PINS
/* A file with the key, rather than a list of hashes: it may change while a session is kept. */
bool mote_tls_pin_is_file(const char *pinned);

/* spki: the peer's SubjectPublicKeyInfo, DER. CURLE_SSL_PINNEDPUBKEYNOTMATCH (told), CURLE_OUT_OF_MEMORY. */
CURLcode mote_tls_pin_check(const char *pinned, const uint8_t *spki, size_t len, struct mote_report *r);
#else
static inline bool mote_tls_pin_is_file(const char *pinned)
{
  (void)pinned;
  return false;
}
static inline CURLcode mote_tls_pin_check(const char *pinned, const uint8_t *spki, size_t len,
                                          struct mote_report *r)
{
  (void)pinned;
  (void)spki;
  (void)len;
  (void)r;
  return CURLE_NOT_BUILT_IN;
}
#endif

#endif
