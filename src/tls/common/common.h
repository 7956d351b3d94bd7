/* tls/common/common.h: what back ends share whose library brings no trust store, and no check of names that
 * we would rely on: BearSSL, mbedTLS and wolfSSL.
 *
 * Tests: tests/unit/tls/common_tests.h, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_COMMON_COMMON_H
#define MOTE_TLS_COMMON_COMMON_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

#include "tls/backend.h"

struct mote_report;
struct mote_tls_blob;
struct mote_tls_config;
struct mote_trust;

/* ---- common.c ---- */

/* The stream's want() (net/stream.h). sending: bytes of records have not been sent yet. */
unsigned mote_tls_want(const struct mote_tls_head *t, unsigned interest, bool sending);
/* Cuts "h2,http/1.1" into names where they lie, and returns their number, at most `most`. */
size_t mote_tls_cut_protocols(char *list, const char **names, size_t most);
/* The lines of curl -v after the handshake: the peer (backend.h), and whether it was verified. */
void mote_tls_report_done(const struct mote_tls_head *t);
/* Calls CURLOPT_SSL_CTX_FUNCTION, if it is set, with the library's context. Returns what it returned, which
 * is reported if it is an error. */
CURLcode mote_tls_ctx_function(const struct mote_tls_head *t, const struct mote_tls_config *cfg, void *ctx);

/* Gives a reference to the index of the configuration's bundle, or NULL where there is none or the peer is
 * not verified. The bundle asked for last stays indexed until the cleanup.
 * Errors: CURLE_SSL_CACERT_BADFILE (reported), CURLE_OUT_OF_MEMORY. */
CURLcode mote_tls_bundle_open(struct mote_trust **out, const struct mote_tls_config *cfg,
                              struct mote_report *r);
void mote_tls_bundle_cleanup(void);

/* An alert (RFC 5246 section 7.2) in words. */
const char *mote_tls_alert_text(int alert);

/* common_options.c: refuses the options that `library` cannot honour and must not ignore, and reports
 * which. */
/* Those that no library without a trust store honours. CURLE_NOT_BUILT_IN. */
CURLcode mote_tls_check_lacking(struct mote_report *r, const struct mote_tls_config *cfg,
                                const char *library);
/* CURLE_NOT_BUILT_IN: CURLOPT_SSLVERSION asks for SSL. CURLE_SSL_CONNECT_ERROR: for a version that does not
 * exist. */
CURLcode mote_tls_check_version(struct mote_report *r, long version);
/* Both, and what a library lacks that speaks TLS 1.2 only. CURLE_SSL_CONNECT_ERROR also where
 * CURLOPT_SSLVERSION excludes TLS 1.2. */
CURLcode mote_tls_check_common(struct mote_report *r, const struct mote_tls_config *cfg, const char *library);

/* ---- common_keys.c ---- */

/* Checks the key of the peer's certificate (DER; NULL: there is none) against the stream's pinned keys, if it
 * has any.
 * Errors: CURLE_SSL_PINNEDPUBKEYNOTMATCH (reported), CURLE_OUT_OF_MEMORY; without part tls_keys
 * CURLE_NOT_BUILT_IN for any pinned key. */
#if MOTE_HAS_TLS_KEYS
CURLcode mote_tls_check_pinned(const struct mote_tls_head *t, const uint8_t *cert, size_t len);
#else
#define mote_tls_check_pinned(t, cert, len) \
  ((void)(cert), (void)(len), mote_tls_text_after(mote_tls_host((t)))[0] ? CURLE_NOT_BUILT_IN : CURLE_OK)
#endif

/* What a library does with the bytes of a client certificate and its key.
 * Errors: CURLE_SSL_CERTPROBLEM, CURLE_OUT_OF_MEMORY. */
struct mote_tls_client {
  const char *name; /* of the library, for texts */
  const char *keys; /* why a key may be refused, for texts */
  CURLcode (*chain)(struct mote_tls_head *t, const struct mote_tls_blob *b, bool der);
  CURLcode (*key)(struct mote_tls_head *t, const struct mote_tls_blob *b, bool der, const char *password);
  CURLcode (*use)(struct mote_tls_head *t); /* both; CURLE_SSL_CERTPROBLEM: they do not belong together */
};

/* Loads cfg's client certificate and its key by the library's functions. Errors: theirs, reported. */
CURLcode mote_tls_client_cert(struct mote_tls_head *t, const struct mote_tls_config *cfg,
                              const struct mote_tls_client *lib);

#endif
