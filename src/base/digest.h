/* base/digest.h: digest functions as rows, for what works with several of them: HMAC, HTTP's Digest, SCRAM.
 *
 * A state is the struct of the row's own header (base/md5.h, sha1.h, sha256.h, sha512.h), which also declares
 * the row.
 *
 * Ownership: the state is the caller's. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_hmac.c, tests/unit/auth/test_digest.c */
#ifndef MOTE_BASE_DIGEST_H
#define MOTE_BASE_DIGEST_H

#include "base/text.h"

#define MOTE_DIGEST_HEX_MAX 64u /* characters of the longest digest */

struct mote_digest {
  const char *name; /* as RFC 7616 section 6.1 has it */
  uint8_t size;     /* bytes of a digest */
  uint8_t block;    /* bytes that are mixed at once (B of RFC 2104) */
  void (*init)(void *state);
  void (*add)(void *state, const void *bytes, size_t len);
  void (*end)(void *state, uint8_t *out); /* init begins another */
};

/* Writes 2 * len lower-case digits, which are returned. */
struct mote_slice mote_digest_hex(const uint8_t *bytes, size_t len, char *hex);
/* The digest of the pieces with ":" between them (RFC 7616 section 3.4.1), and the same as such digits. */
void mote_digest_pieces(const struct mote_digest *digest, const struct mote_slice *pieces, unsigned count,
                        uint8_t *out);
struct mote_slice mote_digest_pieces_hex(const struct mote_digest *digest, const struct mote_slice *pieces,
                                         unsigned count, char hex[MOTE_DIGEST_HEX_MAX]);

#endif
