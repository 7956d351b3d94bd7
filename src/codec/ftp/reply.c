/* codec/ftp/reply.c: reads replies a line at a time (codec/ftp/reply.h). */
#include "codec/ftp/reply.h"

#include <string.h>

#include "base/text/date.h"

/* ---- lines ---- */

/* Returns the number in the first three bytes, 100 to 999, or 0. */
static unsigned reply_code_of(struct mote_slice line)
{
  if(line.len < 3 || !mote_is_digit(line.ptr[0]) || line.ptr[0] == '0' || !mote_is_digit(line.ptr[1]) ||
     !mote_is_digit(line.ptr[2]))
    return 0;
  return (unsigned)(line.ptr[0] - '0') * 100 + (unsigned)(line.ptr[1] - '0') * 10 +
         (unsigned)(line.ptr[2] - '0');
}

unsigned mote_reply_take(uint16_t *open, struct mote_slice line)
{
  unsigned code = reply_code_of(line);
  bool last = code && (line.len == 3 || line.ptr[3] == ' ');
  if(*open)
    last = last && code == *open;
  else if(code && !last && line.ptr[3] == '-')
    *open = (uint16_t)code;
  if(!last)
    return 0;
  *open = 0;
  return code;
}

static bool reply_begins(struct mote_slice line, const char *word, size_t len, struct mote_slice *text)
{
  if(line.len < len || memcmp(line.ptr, word, len) || (line.len > len && line.ptr[len] != ' '))
    return false;
  text->ptr = line.ptr + len;
  text->len = line.len - len;
  if(text->len) {
    text->ptr++;
    text->len--;
  }
  return true;
}

enum mote_reply_word mote_reply_word(struct mote_slice line, struct mote_slice *text)
{
  if(reply_begins(line, "+OK", 3, text))
    return MOTE_REPLY_OK;
  if(reply_begins(line, "-ERR", 4, text))
    return MOTE_REPLY_ERR;
  return reply_begins(line, "+", 1, text) ? MOTE_REPLY_GO_ON : MOTE_REPLY_OTHER;
}

/* ---- what FTP's replies carry ---- */

/* Takes a number up to max off the front. */
static bool reply_take_number(struct mote_slice *text, uint64_t max, uint64_t *out)
{
  size_t used;
  if(!mote_parse_dec_prefix(*text, max, out, &used))
    return false;
  text->ptr += used;
  text->len -= used;
  return true;
}

static bool reply_take_char(struct mote_slice *text, char c)
{
  if(!text->len || *text->ptr != c)
    return false;
  text->ptr++;
  text->len--;
  return true;
}

static bool six_numbers(struct mote_slice text, uint64_t n[6])
{
  int i;
  for(i = 0; i < 6; i++)
    if((i && !reply_take_char(&text, ',')) || !reply_take_number(&text, 255, &n[i]))
      return false;
  return true;
}

/* Each number may be the first of six. The search goes on after the number that was not, so that its time
 * grows with the length alone. */
bool mote_reply_passive(struct mote_slice text, uint8_t address[4], uint16_t *port)
{
  uint64_t n[6];
  int i;
  for(;;) {
    while(text.len && !mote_is_digit(*text.ptr)) {
      text.ptr++;
      text.len--;
    }
    if(!text.len)
      return false;
    if(six_numbers(text, n))
      break;
    while(text.len && mote_is_digit(*text.ptr)) {
      text.ptr++;
      text.len--;
    }
  }
  for(i = 0; i < 4; i++)
    address[i] = (uint8_t)n[i];
  *port = (uint16_t)(n[4] * 256 + n[5]);
  return true;
}

bool mote_reply_extended(struct mote_slice text, uint16_t *port)
{
  const char *at = memchr(text.ptr, '(', text.len);
  uint64_t number;
  char mark;
  if(!at || text.len - (size_t)(at - text.ptr) < 5)
    return false;
  text.len -= (size_t)(at - text.ptr) + 4;
  text.ptr = at + 4;
  mark = at[1];
  if(mark < 33 || mark > 126 || mote_is_digit(mark) || at[2] != mark || at[3] != mark ||
     !reply_take_number(&text, 65535, &number) || !reply_take_char(&text, mark))
    return false;
  *port = (uint16_t)number;
  return true;
}

bool mote_reply_path(struct mote_slice text, char *out, size_t *len)
{
  const char *from = memchr(text.ptr, '"', text.len), *end = text.ptr + text.len;
  char *to = out;
  *len = 0;
  if(!from)
    return true;
  for(from++; from < end && (unsigned char)*from >= ' ' && *from != 127; from++) {
    if(*from == '"' && (from + 1 == end || *++from != '"')) {
      *len = (size_t)(to - out);
      return true;
    }
    *to++ = *from;
  }
  return false;
}

bool mote_reply_size(struct mote_slice text, int64_t *size)
{
  struct mote_slice digits;
  uint64_t number;
  while(text.len && !mote_is_digit(text.ptr[text.len - 1]))
    text.len--;
  digits.ptr = text.ptr + text.len;
  while(digits.ptr > text.ptr && mote_is_digit(digits.ptr[-1]))
    digits.ptr--;
  digits.len = (size_t)(text.ptr + text.len - digits.ptr);
  if(!mote_parse_dec(digits, INT64_MAX, &number))
    return false;
  *size = (int64_t)number;
  return true;
}

/* Returns the number in n digits. */
static int digits_of(const char *at, int n)
{
  int number = 0;
  for(; n; n--)
    number = number * 10 + *at++ - '0';
  return number;
}

bool mote_reply_time(struct mote_slice text, int64_t *seconds)
{
  struct mote_date d;
  size_t i;
  text = mote_slice_trim(text);
  for(i = 0; i < 14; i++)
    if(i >= text.len || !mote_is_digit(text.ptr[i]))
      return false;
  if(text.len > 14 && mote_is_digit(text.ptr[14]))
    return false;
  d.year = digits_of(text.ptr, 4);
  d.month = digits_of(text.ptr + 4, 2);
  d.day = digits_of(text.ptr + 6, 2);
  d.hour = digits_of(text.ptr + 8, 2);
  d.minute = digits_of(text.ptr + 10, 2);
  d.second = digits_of(text.ptr + 12, 2);
  if(d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 || d.hour > 23 || d.minute > 59 || d.second > 60)
    return false;
  *seconds = mote_date_join(&d);
  return true;
}
