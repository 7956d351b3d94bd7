#include "tool/options/numbers.h"

#include "tool/show/messages.h"

#include <stdint.h>

/* ms: a longer time is shortened to this, so that times can be added to it and doubled in microseconds. */
#define LONGEST_TIME (INT64_MAX / 4000)

/* Digits at *text, which is moved past them. False: there are none, or more than fit. */
static bool numbers_digits(const char **text, curl_off_t *n)
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
  if(!numbers_digits(&text, n) || *text)
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
  if(!numbers_digits(&text, &seconds))
    return PARAM_NUMBER;
  if(minus)
    return PARAM_NEGATIVE;
  if(*text == '.')
    for(text++; *text >= '0' && *text <= '9'; text++) {
      fraction += (*text - '0') * scale;
      scale /= 10;
    }
  if(*text)
    return PARAM_NUMBER;
  if(seconds > INT64_MAX / 1000)
    return PARAM_TOO_LARGE;
  *ms = seconds >= LONGEST_TIME / 1000 ? LONGEST_TIME : seconds * 1000 + fraction;
  return PARAM_OK;
}

/* ".5" of "1.5k": at *text, which is moved past it, in parts of 10,000. What is less is lost. */
static bool fraction(const char **text, unsigned long long *parts)
{
  unsigned long long worth = 1000;
  const char *p = *text + 1;
  *parts = 0;
  if(**text != '.' || *p < '0' || *p > '9')
    return false;
  for(; *p >= '0' && *p <= '9'; p++) {
    *parts += (unsigned)(*p - '0') * worth;
    worth /= 10;
  }
  *text = p;
  return true;
}

enum param mote_cli_size(const char *text, curl_off_t *n)
{
  static const char units[] = "bkmgtp";
  unsigned long long parts = 0;
  bool broken;
  int shift = 0;
  if(!numbers_digits(&text, n))
    return PARAM_NUMBER;
  broken = fraction(&text, &parts);
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
  if(broken && !shift)
    return PARAM_NUMBER; /* of a byte */
  if(*n > INT64_MAX >> shift)
    return PARAM_TOO_LARGE;
  *n = (*n << shift) + (curl_off_t)((parts << shift) / 10000);
  return PARAM_OK;
}

enum param mote_cli_rate(const char *text, curl_off_t *ms)
{
  curl_off_t n, unit = 3600000, units = 1;
  if(!numbers_digits(&text, &n) || !n)
    return PARAM_NUMBER;
  if(*text == '/') {
    const char *after = text + 1;
    if(numbers_digits(&after, &units)) /* "5/2s": of several units */
      text = after - 1;
    switch(text[1]) {
    case 's': unit = 1000; break;
    case 'm': unit = 60000; break;
    case 'h': unit = 3600000; break;
    case 'd': unit = 86400000; break;
    default: unit = 0; break;
    }
    text += text[1] ? 2 : 1;
  }
  if(!units || units > INT32_MAX)
    return PARAM_TOO_LARGE;
  if(!unit || *text) {
    mote_cli_help("a rate ends in /s, /m, /h or /d");
    return PARAM_BAD_USE;
  }
  *ms = unit * units / n;
  return *ms > LONGEST_TIME ? PARAM_TOO_LARGE : PARAM_OK;
}
