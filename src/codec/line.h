/* codec/line.h: searching lines of an HTTP/1 message.
 *
 * Tests: tests/unit/codec/test_http1.c, test_chunked.c */
#ifndef MOTE_CODEC_LINE_H
#define MOTE_CODEC_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "codec/http1.h"

/* A size_t with every byte c. */
#define MOTE_LINE_EACH(c) ((size_t)-1 / 255u * (c))

/* The high bit of each byte of the word that is below c (1 to 0x80). Bits above the lowest may be wrong. */
#define MOTE_LINE_BELOW(word, c) (((word) - MOTE_LINE_EACH(c)) & ~(word) & MOTE_LINE_EACH(0x80u))

/* Bytes before the first one in memory that is marked by MOTE_LINE_BELOW, if that can be had cheaply. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline size_t mote_line_skip(size_t marks)
{
  return (size_t)__builtin_ctzll(marks) / 8;
}
#else
static inline size_t mote_line_skip(size_t marks)
{
  (void)marks;
  return 0;
}
#endif

/* Index of the first byte below 0x20 in [from, end), or end. */
static inline size_t mote_line_control(const char *bytes, size_t from, size_t end)
{
  while(end - from >= sizeof(size_t)) {
    size_t word;
    size_t marks;
    memcpy(&word, bytes + from, sizeof word);
    marks = MOTE_LINE_BELOW(word, 0x20u);
    if(marks) {
      from += mote_line_skip(marks);
      break;
    }
    from += sizeof word;
  }
  while(from < end && (unsigned char)bytes[from] >= 0x20)
    from++;
  return from;
}

/* Index of the first byte in [0, end) that is a colon, a blank or a control, or end. */
static inline size_t mote_line_name(const char *bytes, size_t end)
{
  size_t i = 0;
  while(end - i >= sizeof(size_t)) {
    size_t word;
    size_t marks;
    memcpy(&word, bytes + i, sizeof word);
    marks = MOTE_LINE_BELOW(word, 0x21u) | MOTE_LINE_BELOW(word ^ MOTE_LINE_EACH(':'), 1u);
    if(marks) {
      i += mote_line_skip(marks);
      break;
    }
    i += sizeof word;
  }
  while(i < end && (unsigned char)bytes[i] > ' ' && bytes[i] != ':')
    i++;
  return i;
}

/* Search [*pos, end) for the end of a line. true: *pos is behind its LF. false with WHY_NONE: *pos is where
 * to go on when there is more; otherwise *why is NUL or BARE_CR. */
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
