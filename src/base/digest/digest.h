/* base/digest/digest.h: digest functions as rows, for what works with several of them: HMAC, HTTP's Digest,
 * SCRAM. What they have in common is here: bytes wait until a block is full, and the last block is padded
 * (RFC 1321 section 3, FIPS 180-4 section 5).
 *
 * MD5 (RFC 1321) is for HTTP's Digest and SASL, whose servers still ask for it; SHA-1 (FIPS 180-4) for
 * SCRAM-SHA-1 alone, where its collisions do no harm; SHA-512/256 (FIPS 180-4 section 6.7) for HTTP's Digest.
 * These three are small rather than fast. SHA-256 is fast (base/digest/sha256.h).
 *
 * Ownership: the state is the caller's. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_digest.c, test_sha256.c, test_hmac.c, tests/unit/auth/test_digest.c */
#ifndef MOTE_BASE_DIGEST_DIGEST_H
#define MOTE_BASE_DIGEST_DIGEST_H

#include <stdbool.h>

#include "base/text.h"

#define MOTE_DIGEST_HEX_MAX 64u    /* characters of the longest digest */
#define MOTE_DIGEST_BLOCK_MAX 128u /* bytes of the longest block */

#define MOTE_MD5_SIZE 16
#define MOTE_SHA1_SIZE 20
#define MOTE_SHA512_256_SIZE 32

/* What blocks are mixed into. The words' size is a sixteenth of the block's. */
union mote_digest_words {
  uint32_t of32[8];
  uint64_t of64[8];
};

struct mote_digest {
  const char *name; /* as RFC 7616 section 6.1 has it */
  const union mote_digest_words *start; /* before the first block */
  void (*compress)(union mote_digest_words *words, const uint8_t *block);
  uint8_t size;  /* bytes of a digest */
  uint8_t block; /* bytes that are mixed at once (B of RFC 2104): 64 or 128 */
  bool little;   /* the low byte of a word comes first */
};

/* The rows. */
extern const struct mote_digest mote_md5_digest, mote_sha1_digest, mote_sha256_digest, mote_sha512_256_digest;

struct mote_digest_state {
  const struct mote_digest *digest;
  uint64_t total; /* bytes so far */
  union mote_digest_words words;
  uint8_t block[MOTE_DIGEST_BLOCK_MAX]; /* the first total % digest->block are waiting */
};

void mote_digest_init(struct mote_digest_state *s, const struct mote_digest *digest);
void mote_digest_add(struct mote_digest_state *s, const void *bytes, size_t len);
/* Writes digest->size bytes. Ends the computation; init begins another. */
void mote_digest_end(struct mote_digest_state *s, uint8_t *out);

/* A big-endian word of a block. */
static inline uint32_t mote_digest_word(const uint8_t *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Writes 2 * len lower-case digits, which are returned. */
struct mote_slice mote_digest_hex(const uint8_t *bytes, size_t len, char *hex);
/* The digest of the pieces with ":" between them (RFC 7616 section 3.4.1), and the same as such digits. */
void mote_digest_pieces(const struct mote_digest *digest, const struct mote_slice *pieces, unsigned count,
                        uint8_t *out);
struct mote_slice mote_digest_pieces_hex(const struct mote_digest *digest, const struct mote_slice *pieces,
                                         unsigned count, char hex[MOTE_DIGEST_HEX_MAX]);

#endif
