/* base/digest/base64.c: base 64. */
#include "base/digest/base64.h"

#include <stdint.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t mote_base64_encode(char *out, const void *bytes, size_t len)
{
  const unsigned char *p = bytes;
  char *at = out;
  for(; len; len -= 3, p += 3) {
    uint32_t v = (uint32_t)p[0] << 16;
    if(len > 1)
      v |= (uint32_t)p[1] << 8;
    if(len > 2)
      v |= p[2];
    *at++ = alphabet[v >> 18];
    *at++ = alphabet[v >> 12 & 63];
    *at++ = len > 1 ? alphabet[v >> 6 & 63] : '=';
    *at++ = len > 2 ? alphabet[v & 63] : '=';
    if(len < 3)
      break;
  }
  *at = 0;
  return (size_t)(at - out);
}

int mote_base64_digit(char c)
{
  if(mote_is_upper(c))
    return c - 'A';
  if(mote_is_lower(c))
    return c - 'a' + 26;
  if(mote_is_digit(c))
    return c - '0' + 52;
  if(c == '+')
    return 62;
  return c == '/' ? 63 : -1;
}

/* Four characters, `pad` of them padding, as 24 bits; -1: not base 64. */
static int32_t quantum(const char *text, unsigned pad)
{
  int32_t v = 0;
  unsigned i;
  for(i = 0; i < 4; i++) {
    int digit = i < 4 - pad ? mote_base64_digit(text[i]) : 0;
    if(digit < 0)
      return -1;
    v = v << 6 | digit;
  }
  return v & ((1 << 8 * pad) - 1) ? -1 : v;
}

bool mote_base64_decode(struct mote_slice text, void *out, size_t *len)
{
  unsigned char *at = out;
  size_t i;
  if(text.len % 4)
    return false;
  for(i = 0; i < text.len; i += 4) {
    unsigned pad = 0;
    int32_t v;
    if(i + 4 == text.len && text.ptr[i + 3] == '=')
      pad = text.ptr[i + 2] == '=' ? 2 : 1;
    v = quantum(text.ptr + i, pad);
    if(v < 0)
      return false;
    *at++ = (unsigned char)(v >> 16);
    if(pad < 2)
      *at++ = (unsigned char)(v >> 8 & 255);
    if(pad < 1)
      *at++ = (unsigned char)(v & 255);
  }
  *len = (size_t)(at - (unsigned char *)out);
  return true;
}
