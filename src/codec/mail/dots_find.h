/* codec/mail/dots_find.h: finds the lines of a mail that begin with a dot (codec/mail/dots.c).
 *
 * Almost none does, so that what a mail costs is the search for LF and a dot after it. A vector takes four
 * times sixteen bytes at once; without one memchr() goes from LF to LF.
 *
 * Tests: tests/unit/codec/test_dots.c */
#ifndef MOTE_CODEC_MAIL_DOTS_FIND_H
#define MOTE_CODEC_MAIL_DOTS_FIND_H

#include <stddef.h>
#include <string.h>

/* mote_dots_skip() returns a place in [i, len) that has no LF with a dot after it in front of it. */
#if defined(__SSE2__)
#include <emmintrin.h>

/* The LFs among sixteen bytes that a dot follows. */
static inline __m128i mote_dots_matches(const char *bytes)
{
  __m128i first = _mm_loadu_si128((const __m128i *)(const void *)bytes);
  __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 1));
  __m128i lf = _mm_cmpeq_epi8(first, _mm_set1_epi8('\n'));
  return _mm_and_si128(lf, _mm_cmpeq_epi8(second, _mm_set1_epi8('.')));
}

static inline size_t mote_dots_skip(const char *bytes, size_t i, size_t len)
{
  for(; len - i > 64; i += 64) {
    __m128i a = _mm_or_si128(mote_dots_matches(bytes + i), mote_dots_matches(bytes + i + 16));
    __m128i b = _mm_or_si128(mote_dots_matches(bytes + i + 32), mote_dots_matches(bytes + i + 48));
    if(_mm_movemask_epi8(_mm_or_si128(a, b)))
      break;
  }
  for(; len - i > 16; i += 16) {
    int marks = _mm_movemask_epi8(mote_dots_matches(bytes + i));
    if(marks)
      return i + (size_t)__builtin_ctz((unsigned)marks);
  }
  return i;
}
#else
#define mote_dots_skip(bytes, i, len) ((void)(len), (i))
#endif

/* Returns the place of the first LF in [i, len) with a dot after it, or len. */
static inline size_t mote_dots_find(const char *bytes, size_t i, size_t len)
{
  i = mote_dots_skip(bytes, i, len);
  while(i < len) {
    const char *lf = memchr(bytes + i, '\n', len - i);
    if(!lf)
      return len;
    i = (size_t)(lf - bytes);
    if(i + 1 < len && lf[1] == '.')
      return i;
    i++;
  }
  return len;
}

#endif
