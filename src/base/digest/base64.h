/* base/digest/base64.h: base 64 (RFC 4648).
 *
 * Ownership: everything is the caller's.
 * Tests:     tests/unit/base/test_base64.c */
#ifndef MOTE_BASE_DIGEST_BASE64_H
#define MOTE_BASE_DIGEST_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Bytes for the text of n bytes, the NUL included. n at most SIZE_MAX / 4 * 3 - 8. */
#define MOTE_BASE64_SIZE(n) (((size_t)(n) + 2) / 3 * 4 + 1)
/* Most bytes that a text of n characters holds. */
#define MOTE_BASE64_BYTES(n) ((size_t)(n) / 4 * 3)

/* Section 4, padded, one line. out has MOTE_BASE64_SIZE(len) bytes; returns the length without the NUL. */
size_t mote_base64_encode(char *out, const void *bytes, size_t len);

/* The value of a digit of section 4, 0 to 63, or -1 for any other character. */
int mote_base64_digit(char c);

/* Section 4, strictly: padded, no other characters, unused bits zero. out has MOTE_BASE64_BYTES(text.len)
 * bytes and may be where the text is. false: not base 64; out is undefined then. */
bool mote_base64_decode(struct mote_slice text, void *out, size_t *len);

#endif
