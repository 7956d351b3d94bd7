/* tls/common.h: what back ends have in common whose library brings no trust store and no check of names that
 * we would rely on: certificates, names and sessions as bytes, and what their streams do alike.
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
struct mote_tls_blob;
struct mote_tls_config;
struct mote_tls_head;
struct mote_trust;

/* common_stream.c: parts of the ops. want where `sending` says that bytes of records are still here; what
 * came of the goodbye, whose flush said rc. */
unsigned mote_tls_want(const struct mote_tls_head *t, unsigned interest, bool sending);
CURLcode mote_tls_said_goodbye(struct mote_tls_head *t, CURLcode rc, bool *done);
/* "h2,http/1.1": the names are cut apart where they lie; how many, at most `most`. */
size_t mote_tls_cut_protocols(char *list, const char **names, size_t most);
/* The handshake is through: its lines for who listens (backend.h), and whether the peer was verified. */
void mote_tls_tell_done(const struct mote_tls_head *t);
/* The application's turn with the library's own context. What it answered; told if it did not like it. */
CURLcode mote_tls_ctx_function(const struct mote_tls_head *t, const struct mote_tls_config *cfg, void *ctx);

/* common_pin.c: the pinned key among the stream's texts, against that of the certificate (DER).
 * CURLE_SSL_PINNEDPUBKEYNOTMATCH: told. */
CURLcode mote_tls_check_pinned(const struct mote_tls_head *t, const uint8_t *cert, size_t len);

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
#if !MOTE_HAS_SMALL
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

/* common_client.c: the client certificate that cfg has, and its key, by what a library does with their bytes.
 * Each of its functions answers CURLE_SSL_CERTPROBLEM or CURLE_OUT_OF_MEMORY; so does this one, and tells. */
struct mote_tls_client {
  const char *name; /* of the library, for texts */
  const char *keys; /* why a key is not taken, for texts */
  CURLcode (*chain)(struct mote_tls_head *t, const struct mote_tls_blob *b, bool der);
  CURLcode (*key)(struct mote_tls_head *t, const struct mote_tls_blob *b, bool der, const char *password);
  CURLcode (*use)(struct mote_tls_head *t); /* both; CURLE_SSL_CERTPROBLEM: they do not belong together */
};
CURLcode mote_tls_client_cert(struct mote_tls_head *t, const struct mote_tls_config *cfg,
                              const struct mote_tls_client *lib);

/* common_session.c: the first half of the configuration's hash; the head knows then whether sessions are kept
 * under it. */
#if MOTE_HAS_TLS_RESUME
void mote_tls_name_session(struct mote_tls_head *t, const struct mote_tls_config *cfg, uint8_t identity[16]);
#else
static inline void mote_tls_name_session(struct mote_tls_head *t, const struct mote_tls_config *cfg,
                                         uint8_t identity[16])
{
  (void)t;
  (void)cfg;
  (void)identity;
}
#endif

/* common_alert.c: an alert (RFC 5246 section 7.2) in words. */
const char *mote_tls_alert_text(int alert);

#endif
