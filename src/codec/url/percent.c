/* codec/url/percent.c: percent-encoding. */
#include "base/text.h"
#include "codec/url/percent.h"

#include <string.h>

int mote_percent_byte(const char *p, const char *end)
{
  int high;
  int low;
  if(end - p < 3 || *p != '%')
    return -1;
  high = mote_hex_digit(p[1]);
  low = mote_hex_digit(p[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

CURLcode mote_percent_decode(struct mote_slice in, unsigned flags, char *out, size_t cap, size_t *len)
{
  const char *p = in.ptr, *end;
  size_t n = 0;
  if(!in.len) { /* then it may have no pointer, to which nothing may be added */
    *len = 0;
    return CURLE_OK;
  }
  end = p + in.len;
  if(!flags && in.len <= cap && !memchr(p, '%', in.len)) { /* as most are */
    memmove(out, p, in.len);
    *len = in.len;
    return CURLE_OK;
  }
  while(p < end) {
    char c = *p;
    int byte = c == '%' ? mote_percent_byte(p, end) : -1;
    if(byte >= 0) {
      c = (char)byte;
      p += 2;
    }
    else if(c == '+' && (flags & MOTE_PERCENT_PLUS))
      c = ' ';
    p++;
    if((!c && (flags & MOTE_PERCENT_REJECT_NUL)) ||
       ((unsigned char)c < 32 && (flags & MOTE_PERCENT_REJECT_CTRL)))
      return CURLE_URL_MALFORMAT;
    if(n == cap)
      return CURLE_TOO_LARGE;
    out[n++] = c;
  }
  *len = n;
  return CURLE_OK;
}

bool mote_percent_has_control(struct mote_slice word, bool coded)
{
  size_t i;
  for(i = 0; i < word.len; i++) {
    const char *at = word.ptr + i;
    int byte = coded && *at == '%' ? mote_percent_byte(at, word.ptr + word.len) : (unsigned char)*at;
    if(byte >= 0 && byte < 32)
      return true;
  }
  return false;
}

static bool percent_stays(char c, unsigned flags, const char *keep)
{
  if(flags & MOTE_PERCENT_LENIENT)
    return c > ' ' && c < 127;
  return mote_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || (c && keep && strchr(keep, c));
}

/* Copies the beginning that stays as it is, and returns its length: most paths are plain to their end. */
static size_t plain_start(struct mote_slice in, unsigned flags, char *out, size_t cap)
{
  size_t most = in.len < cap ? in.len : cap;
  size_t i = 0;
  if(flags & MOTE_PERCENT_LENIENT)
    for(; i < most && in.ptr[i] > '%' && in.ptr[i] < 127; i++)
      out[i] = in.ptr[i];
  return i;
}

size_t mote_percent_encode(struct mote_slice in, unsigned flags, const char *keep, char *out, size_t cap)
{
  static const char digits[] = "0123456789ABCDEF";
  size_t n = plain_start(in, flags, out, cap);
  size_t i;
  for(i = n; i < in.len; i++) {
    char c = in.ptr[i];
    int byte = (unsigned char)c;
    int escape = -1; /* the byte that an escape stands for */
    if(c == '%' && (flags & MOTE_PERCENT_LENIENT))
      escape = mote_percent_byte(in.ptr + i, in.ptr + in.len);
    if(c == ' ' && (flags & MOTE_PERCENT_PLUS))
      c = '+';
    else if(escape >= 0 || !percent_stays(c, flags, keep)) {
      if(escape >= 0) {
        byte = escape;
        i += 2;
      }
      if(n + 3 <= cap) {
        out[n] = '%';
        out[n + 1] = digits[byte >> 4];
        out[n + 2] = digits[byte & 15];
      }
      n += 3;
      continue;
    }
    if(n < cap)
      out[n] = c;
    n++;
  }
  return n;
}

void mote_percent_raise(char *text, size_t len)
{
  const char *end = text + len;
  char *p = text;
  while(end - p >= 3 && (p = memchr(p, '%', (size_t)(end - p - 2))) != NULL) {
    if(mote_percent_byte(p, end) >= 0) {
      p[1] = mote_to_upper(p[1]);
      p[2] = mote_to_upper(p[2]);
      p += 2;
    }
    p++;
  }
}
