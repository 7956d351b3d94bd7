/* base/hmac.h: HMAC with SHA-256 (RFC 2104, FIPS 198-1).
 *
 * Ownership: the struct is the caller's, and holds what follows from the key until mote_hmac_end() wipes
 *            it. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_hmac.c */
#ifndef MOTE_BASE_HMAC_H
#define MOTE_BASE_HMAC_H

#include "base/sha256.h"

struct mote_hmac {
  struct mote_sha256 inner;
  struct mote_sha256 outer; /* has the key's block */
};

/* key has any length; it is not kept. */
void mote_hmac_init(struct mote_hmac *h, const void *key, size_t len);
void mote_hmac_add(struct mote_hmac *h, const void *bytes, size_t len);
void mote_hmac_end(struct mote_hmac *h, uint8_t out[MOTE_SHA256_SIZE]);
/* All in one. out may be the key or the bytes. */
void mote_hmac(const void *key, size_t key_len, const void *bytes, size_t len, uint8_t out[MOTE_SHA256_SIZE]);

#endif
