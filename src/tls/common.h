/* tls/common.h: what back ends have in common whose library brings no trust store and no check of names that
 * we would rely on: everything here works on bytes, for any library.
 *
 * Tests: tests/unit/tls/test_bearssl.c, test_mbedtls.c, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_COMMON_H
#define MOTE_TLS_COMMON_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

struct mote_report;
struct mote_tls_config;
struct mote_trust;

/* common_name.c: whether the certificate (DER) is for the host: subjectAltName, dNSName or iPAddress. */
bool mote_tls_name_matches(const uint8_t *cert, size_t len, const char *host, bool is_ip);

/* common_trust.c: the index of the configuration's bundle, a reference; *out is NULL where there is none or
 * none is to be looked at. The one asked for last stays until the cleanup. CURLE_SSL_CACERT_BADFILE: told;
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_tls_bundle_open(struct mote_trust **out, const struct mote_tls_config *cfg,
                              struct mote_report *r);
void mote_tls_bundle_cleanup(void);

/* common_options.c: what such a library cannot do and must not be passed over, told: CURLE_NOT_BUILT_IN. It
 * speaks TLS 1.2 only: CURLE_SSL_CONNECT_ERROR where CURLOPT_SSLVERSION excludes that. Without part
 * tls_options there is nothing to ask for. */
#if MOTE_HAS_TLS_OPTIONS
CURLcode mote_tls_check_common(struct mote_report *r, const struct mote_tls_config *cfg, const char *library);
#else
static inline CURLcode mote_tls_check_common(struct mote_report *r, const struct mote_tls_config *cfg,
                                             const char *library)
{
  (void)r;
  (void)cfg;
  (void)library;
  return CURLE_OK;
}
#endif

/* common_session.c: the first half of the configuration's hash; whether sessions are kept under it. */
bool mote_tls_session_name(const struct mote_tls_config *cfg, uint8_t identity[16]);

/* common_alert.c: an alert (RFC 5246 section 7.2) in words. */
const char *mote_tls_alert_text(int alert);

#endif
