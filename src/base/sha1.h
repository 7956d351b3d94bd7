/* base/sha1.h: SHA-1 (FIPS 180-4), small rather than fast; for SCRAM-SHA-1 alone, where its collisions do no
 * harm.
 *
 * Ownership: the struct is the caller's. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_sha1.c */
#ifndef MOTE_BASE_SHA1_H
#define MOTE_BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

struct mote_digest;

#define MOTE_SHA1_SIZE 20

struct mote_sha1 {
  uint32_t state[5];
  uint64_t total;    /* bytes so far */
  uint8_t block[64]; /* the first total % 64 are waiting */
};

void mote_sha1_init(struct mote_sha1 *s);
void mote_sha1_add(struct mote_sha1 *s, const void *bytes, size_t len);
/* Ends the computation; init begins another. */
void mote_sha1_end(struct mote_sha1 *s, uint8_t out[MOTE_SHA1_SIZE]);

/* The row of base/digest.h. */
extern const struct mote_digest mote_sha1_digest;

#endif
