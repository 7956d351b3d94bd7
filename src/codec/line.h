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

/* Index of the first byte below 0x20 in [from, end), or end. */
static inline size_t mote_line_control(const char *bytes, size_t from, size_t end)
{
  while(end - from >= sizeof(size_t)) {
    size_t word;
    memcpy(&word, bytes + from, sizeof word);
    if((word - MOTE_LINE_EACH(0x20u)) & ~word & MOTE_LINE_EACH(0x80u))
      break;
    from += sizeof word;
  }
  while(from < end && (unsigned char)bytes[from] >= 0x20)
    from++;
  return from;
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
