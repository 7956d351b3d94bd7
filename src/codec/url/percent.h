/* codec/url/percent.h: percent-encoding (RFC 3986 section 2.1) into a caller's buffer.
 *
 * Ownership:  nothing is allocated or kept.
 * Failure:    as each function says; the buffer's content is then undefined.
 * Tests:      tests/unit/codec/test_url_percent.c */
#ifndef MOTE_CODEC_URL_PERCENT_H
#define MOTE_CODEC_URL_PERCENT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct mote_slice;

/* For decoding */
#define MOTE_PERCENT_REJECT_CTRL 1u /* a decoded byte below 32 is an error (user names, paths) */
#define MOTE_PERCENT_REJECT_NUL  2u /* a decoded NUL is an error */
/* For both */
#define MOTE_PERCENT_PLUS        4u /* "+" and space stand for each other
                                       (application/x-www-form-urlencoded) */
/* For encoding */
#define MOTE_PERCENT_LENIENT     8u /* encode only spaces, controls and bytes above 127; escapes
                                       that are there get upper-case digits */

/* Value of the escape at p ("%" and two hex digits), or -1 when there is none before end. */
int mote_percent_byte(const char *p, const char *end);

/* Decodes into out[cap] and sets *len to the number of bytes (at most in.len). Adds no NUL. out may be
 * in.ptr. "%" without two hex digits stands for itself.
 * CURLE_URL_MALFORMAT: a byte that the flags refuse. CURLE_TOO_LARGE: cap is too small. */
CURLcode mote_percent_decode(struct mote_slice in, unsigned flags, char *out, size_t cap, size_t *len);

/* Reports whether a word, decoded if it is `coded`, has a byte below 32. */
bool mote_percent_has_control(struct mote_slice word, bool coded);

/* Encodes every byte but the unreserved ones (RFC 3986 section 2.3) and those in `keep` (may be NULL), with
 * upper-case digits. Writes at most cap bytes, without cutting an escape, and no NUL. Returns the length of
 * the whole. */
size_t mote_percent_encode(struct mote_slice in, unsigned flags, const char *keep, char *out, size_t cap);

/* Gives all escapes of a text upper-case digits, in place. */
void mote_percent_raise(char *text, size_t len);

#endif
