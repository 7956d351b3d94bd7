#include "tool/numbers.h"

#include "tool/messages.h"

#include <stdint.h>

/* Digits at *text, which is moved past them. False: there are none, or more than fit. */
static bool digits(const char **text, curl_off_t *n)
{
  const char *p = *text;
  curl_off_t sum = 0;
  if(*p < '0' || *p > '9')
    return false;
  for(; *p >= '0' && *p <= '9'; p++) {
    if(sum > (INT64_MAX - (*p - '0')) / 10)
      return false;
    sum = sum * 10 + (*p - '0');
  }
  *text = p;
  *n = sum;
  return true;
}

enum param mote_cli_number(const char *text, curl_off_t least, curl_off_t *n)
{
  bool minus = *text == '-';
  if(*text == '-' || *text == '+')
    text++;
  if(!digits(&text, n) || *text)
    return PARAM_NUMBER;
  if(minus)
    *n = -*n;
  return *n < least ? PARAM_NEGATIVE : PARAM_OK;
}

enum param mote_cli_seconds(const char *text, curl_off_t *ms)
{
  curl_off_t seconds, scale = 100, fraction = 0;
  bool minus = *text == '-';
  if(minus)
    text++;
  if(!digits(&text, &seconds))
    return PARAM_NUMBER;
  if(minus)
    return PARAM_NEGATIVE;
  if(*text == '.')
    for(text++; *text >= '0' && *text <= '9'; text++) {
      fraction += (*text - '0') * scale;
      scale /= 10;
    }
  if(*text || seconds > INT32_MAX / 1000)
    return PARAM_NUMBER;
  *ms = seconds * 1000 + fraction;
  return PARAM_OK;
}

enum param mote_cli_size(const char *text, curl_off_t *n)
{
  static const char units[] = "bkmgtp";
  int shift = 0;
  if(!digits(&text, n))
    return PARAM_NUMBER;
  if(*text) {
    const char *u = units;
    while(*u && *u != (*text | 0x20)) {
      u++;
      shift += 10;
    }
    if(!*u || text[1]) {
      mote_cli_help("\"%s\" is not a unit: use B, K, M, G, T or P", text);
      return PARAM_BAD_USE;
    }
  }
  if(*n > INT64_MAX >> shift)
    return PARAM_NUMBER;
  *n <<= shift;
  return PARAM_OK;
}

enum param mote_cli_rate(const char *text, long *ms)
{
  curl_off_t n, unit = 3600000;
  if(!digits(&text, &n) || !n)
    return PARAM_NUMBER;
  if(*text == '/') {
    switch(text[1]) {
    case 's': unit = 1000; break;
    case 'm': unit = 60000; break;
    case 'h': unit = 3600000; break;
    case 'd': unit = 86400000; break;
    default: unit = 0; break;
    }
    text += text[1] ? 2 : 1;
  }
  if(!unit || *text) {
    mote_cli_help("a rate ends in /s, /m, /h or /d");
    return PARAM_BAD_USE;
  }
  *ms = (long)(unit / n);
  return PARAM_OK;
}
