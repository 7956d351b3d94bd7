/* base/sha512.h: SHA-512/256 (FIPS 180-4 section 6.7), small rather than fast; for HTTP's Digest.
 *
 * Ownership: the struct is the caller's. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_sha512.c */
#ifndef MOTE_BASE_SHA512_H
#define MOTE_BASE_SHA512_H

#include <stddef.h>
#include <stdint.h>

struct mote_digest;

#define MOTE_SHA512_256_SIZE 32

struct mote_sha512_256 {
  uint64_t state[8];
  uint64_t total;     /* bytes so far */
  uint8_t block[128]; /* the first total % 128 are waiting */
};

void mote_sha512_256_init(struct mote_sha512_256 *s);
void mote_sha512_256_add(struct mote_sha512_256 *s, const void *bytes, size_t len);
/* Ends the computation; init begins another. */
void mote_sha512_256_end(struct mote_sha512_256 *s, uint8_t out[MOTE_SHA512_256_SIZE]);

/* The row of base/digest.h. */
extern const struct mote_digest mote_sha512_256_digest;

#endif
