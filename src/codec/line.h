/* codec/line.h: searches lines of an HTTP/1 message.
 *
 * Tests: tests/unit/codec/test_http1.c, test_chunked.c */
#ifndef MOTE_CODEC_LINE_H
#define MOTE_CODEC_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "codec/http/http1.h"

/* A size_t with every byte c. */
#define MOTE_LINE_EACH(c) ((size_t)-1 / 255u * (c))

/* The high bit of each byte of the word that is below c (1 to 0x80). Bits above the lowest may be wrong. */
#define MOTE_LINE_BELOW(word, c) (((word) - MOTE_LINE_EACH(c)) & ~(word) & MOTE_LINE_EACH(0x80u))

/* Each step of a search reads MOTE_LINE_STEP bytes and marks its matches in a word of bits. From this word
 * mote_line_skip() counts the bytes before the first match; without MOTE_LINE_EXACT any byte of the step may
 * be it. */
#if defined(__SSE2__)
#include <emmintrin.h>

#define MOTE_LINE_STEP 16u
#define MOTE_LINE_EXACT 1

static inline size_t mote_line_at_most(__m128i bytes, char most)
{
  __m128i limit = _mm_set1_epi8(most);
  return (size_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(bytes, limit), limit));
}

/* Bytes below 0x20. */
static inline size_t mote_line_controls(const char *bytes)
{
  return mote_line_at_most(_mm_loadu_si128((const __m128i *)(const void *)bytes), 0x1f);
}

/* Bytes that end a field's name: a colon, a blank or a control. */
static inline size_t mote_line_name_ends(const char *bytes)
{
  __m128i some = _mm_loadu_si128((const __m128i *)(const void *)bytes);
  size_t colons = (size_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_set1_epi8(':')));
  return colons | mote_line_at_most(some, 0x20);
}

static inline size_t mote_line_skip(size_t marks)
{
  return (size_t)__builtin_ctzll(marks);
}

/* Looks at fewer bytes than a step, by a step that ends with them. Here each mark is right, whatever bytes
 * come before it. */
static inline bool mote_line_rest(const char *bytes, size_t from, size_t end, size_t *control)
{
  size_t marks;
  if(end < MOTE_LINE_STEP)
    return false;
  marks = mote_line_controls(bytes + end - MOTE_LINE_STEP) >> (MOTE_LINE_STEP - (end - from));
  *control = marks ? from + mote_line_skip(marks) : end;
  return true;
}
#else
#define mote_line_rest(bytes, from, end, control) ((void)(bytes), (void)(control), false)

#define MOTE_LINE_STEP sizeof(size_t)

static inline size_t mote_line_word(const char *bytes)
{
  size_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static inline size_t mote_line_controls(const char *bytes)
{
  size_t word = mote_line_word(bytes);
  return MOTE_LINE_BELOW(word, 0x20u);
}

static inline size_t mote_line_name_ends(const char *bytes)
{
  size_t word = mote_line_word(bytes);
  return MOTE_LINE_BELOW(word, 0x21u) | MOTE_LINE_BELOW(word ^ MOTE_LINE_EACH(':'), 1u);
}

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MOTE_LINE_EXACT 1
static inline size_t mote_line_skip(size_t marks)
{
  return (size_t)__builtin_ctzll(marks) / 8;
}
#else
#define MOTE_LINE_EXACT 0
static inline size_t mote_line_skip(size_t marks)
{
  (void)marks;
  return 0;
}
#endif
#endif

/* Index of the first byte below 0x20 in [from, end), or end. */
static inline size_t mote_line_control(const char *bytes, size_t from, size_t end)
{
  size_t rest;
  while(end - from >= MOTE_LINE_STEP) {
    size_t marks = mote_line_controls(bytes + from);
    if(marks && MOTE_LINE_EXACT)
      return from + mote_line_skip(marks);
    if(marks)
      break;
    from += MOTE_LINE_STEP;
  }
  if(mote_line_rest(bytes, from, end, &rest))
    return rest;
  while(from < end && (unsigned char)bytes[from] >= 0x20)
    from++;
  return from;
}

/* Index of the first byte in [0, end) that is a colon, a blank or a control, or end. */
static inline size_t mote_line_name(const char *bytes, size_t end)
{
  size_t i = 0;
  while(end - i >= MOTE_LINE_STEP) {
    size_t marks = mote_line_name_ends(bytes + i);
    if(marks && MOTE_LINE_EXACT)
      return i + mote_line_skip(marks);
    if(marks)
      break;
    i += MOTE_LINE_STEP;
  }
  while(i < end && (unsigned char)bytes[i] > ' ' && bytes[i] != ':')
    i++;
  return i;
}

/* Searches [*pos, end) for the end of a line. True: *pos is the byte after its LF. False with WHY_NONE: *pos
 * is where to continue when there is more. False otherwise: *why is NUL or BARE_CR. */
static inline bool mote_line_end(const char *bytes, size_t *pos, size_t end, enum mote_http1_why *why)
{
  size_t i = *pos;
  *why = MOTE_HTTP1_WHY_NONE;
  for(;; i++) {
    i = mote_line_control(bytes, i, end);
    *pos = i;
    if(i == end)
      return false;
    if(bytes[i] == '\n') {
      *pos = i + 1;
      return true;
    }
    if(bytes[i] == '\r') {
      if(i + 1 == end)
        return false;
      *pos = i + 2;
      if(bytes[i + 1] == '\n')
        return true;
      *why = MOTE_HTTP1_WHY_BARE_CR;
      return false;
    }
    if(!bytes[i]) {
      *why = MOTE_HTTP1_WHY_NUL;
      return false;
    }
  }
}

#endif
