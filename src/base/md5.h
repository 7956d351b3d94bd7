/* base/md5.h: MD5 (RFC 1321), small rather than fast; for HTTP's Digest and SASL, whose servers
 * still ask for it.
 *
 * Ownership: the struct is the caller's. No allocation, nothing can fail.
 * Tests:     tests/unit/base/test_md5.c */
#ifndef MOTE_BASE_MD5_H
#define MOTE_BASE_MD5_H

#include <stddef.h>
#include <stdint.h>

struct mote_digest;

#define MOTE_MD5_SIZE 16

struct mote_md5 {
  uint32_t state[4];
  uint64_t total;    /* bytes so far */
  uint8_t block[64]; /* the first total % 64 are waiting */
};

void mote_md5_init(struct mote_md5 *s);
void mote_md5_add(struct mote_md5 *s, const void *bytes, size_t len);
/* Ends the computation; init begins another. */
void mote_md5_end(struct mote_md5 *s, uint8_t out[MOTE_MD5_SIZE]);

/* The row of base/digest.h. */
extern const struct mote_digest mote_md5_digest;

#endif
