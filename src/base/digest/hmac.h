/* base/digest/hmac.h: HMAC (RFC 2104, FIPS 198-1) with any digest whose block has 64 bytes, and PBKDF2 on it
 * (RFC 8018 section 5.2).
 *
 * Ownership: the struct is the caller's, and holds what follows from the key until mote_hmac_end() wipes
 *            it. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_hmac.c */
#ifndef MOTE_BASE_DIGEST_HMAC_H
#define MOTE_BASE_DIGEST_HMAC_H

#include "base/digest/digest.h"
#include "base/digest/sha256.h"

#define MOTE_HMAC_SIZE MOTE_SHA256_SIZE /* bytes of the longest result */

struct mote_hmac {
  struct mote_digest_state inner;
  struct mote_digest_state outer; /* has the key's block */
};

/* key has any length; it is not kept. */
void mote_hmac_init(struct mote_hmac *h, const struct mote_digest *digest, const void *key, size_t len);
void mote_hmac_add(struct mote_hmac *h, const void *bytes, size_t len);
/* out has digest->size bytes. */
void mote_hmac_end(struct mote_hmac *h, uint8_t *out);
/* All in one. out may be the key or the text. */
void mote_hmac(const struct mote_digest *digest, struct mote_slice key, struct mote_slice text, uint8_t *out);

/* The first digest->size bytes of PBKDF2, whose time grows with the rounds, 1 at least: a caller that gets
 * their number from a peer has a ceiling. */
void mote_hmac_pbkdf2(const struct mote_digest *digest, struct mote_slice key, struct mote_slice salt,
                      uint32_t rounds, uint8_t *out);

#endif
