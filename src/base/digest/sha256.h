/* base/digest/sha256.h: SHA-256 (FIPS 180-4), for keys of tables, digests of short texts and signatures of
 * requests. Without part sha256 that of the TLS library does it (tls/bearssl/bearssl_sha256.c), so that
 * there is but one.
 *
 * Ownership: the struct is the caller's. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_sha256.c */
#ifndef MOTE_BASE_DIGEST_SHA256_H
#define MOTE_BASE_DIGEST_SHA256_H

#include "base/digest/digest.h"
#include "parts.h"

#define MOTE_SHA256_SIZE 32

#if MOTE_HAS_SHA256
struct mote_sha256 {
  struct mote_digest_state state;
};
#else
struct mote_sha256 {
  uint64_t library[16]; /* the TLS library's */
};
#endif

void mote_sha256_init(struct mote_sha256 *s);
void mote_sha256_add(struct mote_sha256 *s, const void *bytes, size_t len);
/* Ends the computation; init begins another. */
void mote_sha256_end(struct mote_sha256 *s, uint8_t out[MOTE_SHA256_SIZE]);
/* All in one. */
void mote_sha256(const void *bytes, size_t len, uint8_t out[MOTE_SHA256_SIZE]);

#endif
