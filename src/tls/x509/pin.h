/* tls/x509/pin.h: CURLOPT_PINNEDPUBLICKEY, for any TLS library.
 *
 * Tests: tests/unit/tls/test_tls_verify.c, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_X509_PIN_H
#define MOTE_TLS_X509_PIN_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct mote_report;

#define MOTE_TLS_PIN_PREFIX "sha256//"
#define MOTE_TLS_PIN_PREFIX_LEN 8

/* Whether the option names a file with the key rather than a list of hashes. A file may change while a
 * session is kept. */
static inline bool mote_tls_pin_is_file(const char *pinned)
{
  return strncmp(pinned, MOTE_TLS_PIN_PREFIX, MOTE_TLS_PIN_PREFIX_LEN) != 0;
}

/* The option's text as streams and contexts keep it, where "" stands for no pin. An option that is set but
 * empty, as by a program whose configuration lacks the value, becomes an empty list of hashes, which has no
 * key in it. */
static inline const char *mote_tls_pin_text(const char *option)
{
  return !option ? "" : option[0] ? option : MOTE_TLS_PIN_PREFIX;
}

/* Compares the peer's SubjectPublicKeyInfo (DER) with the pinned keys.
 * Errors: CURLE_SSL_PINNEDPUBKEYNOTMATCH (reported), CURLE_OUT_OF_MEMORY. */
CURLcode mote_tls_pin_check(const char *pinned, const uint8_t *spki, size_t len, struct mote_report *r);

#endif
