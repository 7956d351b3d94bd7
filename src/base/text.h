/* base/text.h: ASCII text without a locale.
 *
 * Failure: parsers return false and leave *out alone.
 * Tests:   tests/unit/base/test_text.c */
#ifndef MOTE_BASE_TEXT_H
#define MOTE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are borrowed; not NUL-terminated. */
struct mote_slice {
  const char *ptr;
  size_t len;
};

static inline bool mote_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool mote_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool mote_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool mote_is_alpha(char c) { return mote_is_upper(c) || mote_is_lower(c); }
static inline bool mote_is_alnum(char c) { return mote_is_alpha(c) || mote_is_digit(c); }
static inline bool mote_is_blank(char c) { return c == ' ' || c == '\t'; }
static inline bool mote_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline char mote_to_lower(char c) { return mote_is_upper(c) ? (char)(c + 32) : c; }
static inline char mote_to_upper(char c) { return mote_is_lower(c) ? (char)(c - 32) : c; }
int mote_hex_digit(char c); /* 0 to 15, or -1 */

/* Case-insensitive (ASCII only) equality. */
bool mote_equal_nocase(const char *a, const char *b);
bool mote_equal_nocase_n(const char *a, const char *b, size_t n);       /* at most n bytes, as strncasecmp */
bool mote_slice_is(struct mote_slice s, const char *word);              /* whole slice, case-insensitive */
/* Returns the place of a whole slice among words, case-insensitive, from 1 on; 0: it is none of them.
 * A NUL is after each word, and one more at the end. */
unsigned mote_slice_among(struct mote_slice s, const char *words);
bool mote_slice_same(struct mote_slice a, struct mote_slice b);         /* byte for byte */
static inline bool mote_slice_same_nocase(struct mote_slice a, struct mote_slice b)
{
  return a.len == b.len && mote_equal_nocase_n(a.ptr, b.ptr, a.len);
}
/* Takes n bytes off the beginning of a slice, at most its length; the blanks (SP, HTAB). */
static inline void mote_slice_skip(struct mote_slice *s, size_t n)
{
  s->ptr += n;
  s->len -= n;
}
static inline void mote_slice_skip_blanks(struct mote_slice *s)
{
  while(s->len && mote_is_blank(*s->ptr))
    mote_slice_skip(s, 1);
}
struct mote_slice mote_slice_of(const char *s);
struct mote_slice mote_slice_trim(struct mote_slice s);                 /* blanks (SP, HTAB) off both ends */

/* Case-insensitive search for a token in a comma list (RFC 9110 section 5.6.1); `word` is lower case. */
bool mote_list_has_token(struct mote_slice list, const char *word);

/* All of s is digits and fits into max. Overflow is false. */
bool mote_parse_dec(struct mote_slice s, uint64_t max, uint64_t *out);
/* Reads leading digits, and sets *used to their number. false without any digit or above max. */
bool mote_parse_dec_prefix(struct mote_slice s, uint64_t max, uint64_t *out, size_t *used);
bool mote_parse_hex_prefix(struct mote_slice s, uint64_t max, uint64_t *out, size_t *used);

/* A row of a table of texts by number. */
struct mote_numbered {
  int number;
  const char *text;
};
/* Returns the text of the first row with the number, or `otherwise`. */
const char *mote_numbered_find(const struct mote_numbered *rows, size_t count, int number,
                               const char *otherwise);
#define mote_numbered_text(rows, number, otherwise) \
  mote_numbered_find(rows, sizeof(rows) / sizeof *(rows), number, otherwise)

/* Decimal text of v into out (at least 21 bytes), NUL-terminated; returns its length. */
size_t mote_print_dec(char *out, uint64_t v);

#endif
