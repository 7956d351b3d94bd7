/* base/text/format_float.c: floats by the platform's snprintf, with a point whatever the locale. */
#include "base/text/format.h"

#include <stdio.h>

#include "base/text.h"

/* The radix is all that is no digit, letter or sign; it may be several bytes long. */
static size_t fix_radix(char *text)
{
  size_t from, to = 0;
  bool in_radix = false;
  for(from = 0; text[from]; from++) {
    bool plain = mote_is_alnum(text[from]) || text[from] == '+' || text[from] == '-' || text[from] == ' ';
    if(plain)
      text[to++] = text[from];
    else if(!in_radix)
      text[to++] = '.';
    in_radix = !plain;
  }
  text[to] = 0;
  return to;
}

int mote_format_float(char *out, const struct mote_float_style *style, double value)
{
  char spec[8];
  char *p = spec;
  int precision = style->precision;
  int len;
  if(precision > MOTE_FORMAT_FLOAT_DIGITS)
    precision = MOTE_FORMAT_FLOAT_DIGITS;
  *p++ = '%';
  if(style->plus)
    *p++ = '+';
  if(style->space)
    *p++ = ' ';
  if(style->alternate)
    *p++ = '#';
  if(precision >= 0) {
    *p++ = '.';
    *p++ = '*';
  }
  *p++ = style->conversion;
  *p = 0;
  if(precision >= 0)
    len = snprintf(out, MOTE_FORMAT_FLOAT_SIZE, spec, precision, value);
  else
    len = snprintf(out, MOTE_FORMAT_FLOAT_SIZE, spec, value);
  if(len < 0 || len >= MOTE_FORMAT_FLOAT_SIZE)
    return -1;
  return (int)fix_radix(out);
}
