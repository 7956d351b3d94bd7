/* base/text.c: ASCII text without a locale. */
#include "base/text.h"

#include <string.h>

int mote_hex_digit(char c)
{
  if(mote_is_digit(c))
    return c - '0';
  c = mote_to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool mote_equal_nocase(const char *a, const char *b)
{
  while(*a && mote_to_lower(*a) == mote_to_lower(*b)) {
    a++;
    b++;
  }
  return mote_to_lower(*a) == mote_to_lower(*b);
}

bool mote_equal_nocase_n(const char *a, const char *b, size_t n)
{
  for(; n; n--, a++, b++) {
    if(*a != *b && mote_to_lower(*a) != mote_to_lower(*b))
      return false;
    if(!*a)
      break;
  }
  return true;
}

bool mote_slice_is(struct mote_slice s, const char *word)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    if(!word[i] || (s.ptr[i] != word[i] && mote_to_lower(s.ptr[i]) != mote_to_lower(word[i])))
      return false;
  return !word[i];
}

unsigned mote_slice_among(struct mote_slice s, const char *words)
{
  unsigned place;
  for(place = 1; *words; place++) {
    if(mote_slice_is(s, words))
      return place;
    words += strlen(words) + 1;
  }
  return 0;
}

bool mote_slice_same(struct mote_slice a, struct mote_slice b)
{
  return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

struct mote_slice mote_slice_of(const char *s)
{
  struct mote_slice out = { s, strlen(s) };
  return out;
}

struct mote_slice mote_slice_trim(struct mote_slice s)
{
  while(s.len && mote_is_blank(s.ptr[0])) {
    s.ptr++;
    s.len--;
  }
  while(s.len && mote_is_blank(s.ptr[s.len - 1]))
    s.len--;
  return s;
}

/* Length of the list's first element: up to a comma outside of a quoted-string (RFC 9110 section 5.6.4). */
static size_t element_length(struct mote_slice s)
{
  bool quoted = false;
  size_t i;
  for(i = 0; i < s.len; i++) {
    char c = s.ptr[i];
    if(c == '"')
      quoted = !quoted;
    else if(c == '\\' && quoted && i + 1 < s.len)
      i++;
    else if(c == ',' && !quoted)
      break;
  }
  return i;
}

bool mote_list_has_token(struct mote_slice list, const char *word)
{
  while(list.len) {
    struct mote_slice element = { list.ptr, element_length(list) };
    if(mote_slice_is(mote_slice_trim(element), word))
      return true;
    if(element.len == list.len)
      break;
    list.ptr += element.len + 1;
    list.len -= element.len + 1;
  }
  return false;
}

static int digit_value(char c, unsigned base)
{
  if(base == 16)
    return mote_hex_digit(c);
  return mote_is_digit(c) ? c - '0' : -1;
}

static bool parse_prefix(struct mote_slice s, unsigned base, uint64_t max, uint64_t *out, size_t *used)
{
  uint64_t v = 0;
  size_t i;
  for(i = 0; i < s.len; i++) {
    int d = digit_value(s.ptr[i], base);
    if(d < 0)
      break;
    if(v > max / base || (uint64_t)d > max - v * base)
      return false;
    v = v * base + (uint64_t)d;
  }
  if(!i)
    return false;
  *out = v;
  *used = i;
  return true;
}

bool mote_parse_dec_prefix(struct mote_slice s, uint64_t max, uint64_t *out, size_t *used)
{
  return parse_prefix(s, 10, max, out, used);
}

bool mote_parse_hex_prefix(struct mote_slice s, uint64_t max, uint64_t *out, size_t *used)
{
  return parse_prefix(s, 16, max, out, used);
}

bool mote_parse_dec(struct mote_slice s, uint64_t max, uint64_t *out)
{
  uint64_t v;
  size_t used;
  if(!parse_prefix(s, 10, max, &v, &used) || used != s.len)
    return false;
  *out = v;
  return true;
}

const char *mote_numbered_find(const struct mote_numbered *rows, size_t count, int number,
                               const char *otherwise)
{
  size_t i;
  for(i = 0; i < count; i++)
    if(rows[i].number == number)
      return rows[i].text;
  return otherwise;
}

/* Two digits at a time, which a small device has no room for. */
static char *put_pairs(char *end, uint64_t *v)
{
  static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                              "3536373839404142434445464748495051525354555657585960616263646566676869"
                              "707172737475767778798081828384858687888990919293949596979899";
  uint32_t low;
  for(; *v > UINT32_MAX; *v /= 100)
    memcpy(end -= 2, pairs + *v % 100 * 2, 2);
  for(low = (uint32_t)*v; low >= 100; low /= 100)
    memcpy(end -= 2, pairs + low % 100 * 2, 2);
  *v = low;
  return end;
}

size_t mote_print_dec(char *out, uint64_t v)
{
  char digits[20], *at = digits + sizeof digits;
  size_t n;
  if(sizeof(size_t) > 4)
    at = put_pairs(at, &v);
  do
    *--at = (char)('0' + (int)(v % 10));
  while((v /= 10) != 0);
  n = (size_t)(digits + sizeof digits - at);
  memcpy(out, at, n);
  out[n] = 0;
  return n;
}
