/* codec/mail/dots.c: dots in front of a mail's lines, and the line that ends it (codec/mail/dots.h). */
#include "codec/mail/dots.h"

#include <string.h>

#include "codec/mail/dots_find.h"

/* Where [0, i) leave the line; i > 0. `before`: where they found it. */
static uint8_t left_at(uint8_t before, const char *bytes, size_t i)
{
  char last = bytes[i - 1];
  bool cr = i > 1 ? bytes[i - 2] == '\r' : before == MOTE_DOTS_CR;
  if(last == '\r')
    return MOTE_DOTS_CR;
  return last == '\n' && cr ? MOTE_DOTS_LINE : MOTE_DOTS_TEXT;
}

size_t mote_dots_plain(uint8_t *at, const char *bytes, size_t len)
{
  size_t i = 0;
  if(!len || (*at == MOTE_DOTS_LINE && bytes[0] == '.'))
    return 0;
  for(;;) {
    i = mote_dots_find(bytes, i, len);
    if(i == len)
      break;
    i++;
    if(i > 1 ? bytes[i - 2] == '\r' : *at == MOTE_DOTS_CR)
      break;
  }
  *at = left_at(*at, bytes, i);
  return i;
}

/* ---- receiving ---- */

/* What a dot at the beginning of a line is. */
enum dot {
  DOT_UNKNOWN, /* until more bytes come */
  DOT_STUFFED, /* the sender has put it there */
  DOT_OWN,     /* the mail's */
  DOT_END      /* the end of the mail */
};

static enum dot dots_judge(const char *bytes, size_t len)
{
  if(len < 2 || (len < 3 && bytes[1] == '\r'))
    return DOT_UNKNOWN;
  if(bytes[1] == '.')
    return DOT_STUFFED;
  return bytes[1] == '\r' && bytes[2] == '\n' ? DOT_END : DOT_OWN;
}

size_t mote_dots_undo(uint8_t *at, char *bytes, size_t len, size_t *out)
{
  size_t i = 0, o = 0;
  while(i < len && *at != MOTE_DOTS_OVER) {
    size_t n = mote_dots_plain(at, bytes + i, len - i);
    enum dot dot = n < len - i ? dots_judge(bytes + i + n, len - i - n) : DOT_UNKNOWN;
    if(n && o != i)
      memmove(bytes + o, bytes + i, n);
    i += n;
    o += n;
    if(dot == DOT_UNKNOWN)
      break;
    if(dot == DOT_END) {
      *at = MOTE_DOTS_OVER;
      i += 3;
      break;
    }
    i += dot == DOT_STUFFED;
    bytes[o++] = '.';
    i++;
    *at = MOTE_DOTS_TEXT;
  }
  *out = o;
  return i;
}

/* ---- sending ---- */

size_t mote_dots_put(uint8_t *at, char *to, size_t room, struct mote_slice from, size_t *used)
{
  size_t i = 0, o = 0;
  while(i < from.len) {
    size_t n = from.len - i < room - o ? from.len - i : room - o;
    n = mote_dots_plain(at, from.ptr + i, n);
    memmove(to + o, from.ptr + i, n);
    i += n;
    o += n;
    if(i == from.len || room - o < 2)
      break;
    to[o++] = '.';
    to[o++] = '.';
    i++;
    *at = MOTE_DOTS_TEXT;
  }
  *used = i;
  return o;
}

size_t mote_dots_crlf(bool *cr, char *to, size_t room, struct mote_slice from, size_t *used)
{
  size_t i = 0, o = 0;
  while(i < from.len && o < room) {
    size_t n = from.len - i < room - o ? from.len - i : room - o;
    const char *lf = memchr(from.ptr + i, '\n', n);
    if(lf)
      n = (size_t)(lf - (from.ptr + i));
    if(n) {
      *cr = from.ptr[i + n - 1] == '\r';
      memmove(to + o, from.ptr + i, n);
      i += n;
      o += n;
    }
    if(!lf)
      continue;
    if(room - o < (*cr ? 1u : 2u))
      break;
    if(!*cr)
      to[o++] = '\r';
    to[o++] = '\n';
    i++;
    *cr = false;
  }
  *used = i;
  return o;
}
