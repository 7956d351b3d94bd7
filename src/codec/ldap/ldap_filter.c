/* codec/ldap/ldap_filter.c: search filters, from text to BER (RFC 4515, RFC 4511 section 4.5.1.7). */
#include <string.h>

#include "base/buf.h"
#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"

#define TAG_AND 0xa0
#define TAG_OR 0xa1
#define TAG_NOT 0xa2
#define TAG_EQUAL 0xa3
#define TAG_SUBSTRINGS 0xa4
#define TAG_AT_LEAST 0xa5
#define TAG_AT_MOST 0xa6
#define TAG_PRESENT 0x87
#define TAG_APPROXIMATE 0xa8
#define TAG_EXTENSIBLE 0xa9

enum substring { INITIAL = 0x80, ANY = 0x81, FINAL = 0x82 };
enum extension { RULE = 0x81, TYPE = 0x82, VALUE = 0x83, OF_NAME = 0x84 };

/* Writes a value, in which "\" and two digits are a byte. */
static bool ldap_filter_put_value(struct mote_ber_writer *w, uint8_t tag, struct mote_slice text)
{
  size_t begun = mote_ber_begin(w, tag), i;
  for(i = 0; i < text.len && !w->rc; i++) {
    char c = text.ptr[i];
    if(c == '\\') {
      if(text.len - i < 3 || mote_hex_digit(text.ptr[i + 1]) < 0 || mote_hex_digit(text.ptr[i + 2]) < 0)
        return false;
      c = (char)(mote_hex_digit(text.ptr[i + 1]) << 4 | mote_hex_digit(text.ptr[i + 2]));
      i += 2;
    }
    w->rc = mote_buf_add(w->out, &c, 1);
  }
  mote_ber_end(w, begun);
  return true;
}

/* A name of an attribute, with options, or of a matching rule (RFC 4512 section 2.5). */
static bool ldap_filter_is_name(struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++) {
    char c = s.ptr[i], low = (char)(c | 0x20);
    if(!(low >= 'a' && low <= 'z') && !(c >= '0' && c <= '9') && (!c || !strchr("-.;_", c)))
      return false;
  }
  return s.len > 0;
}

/* Writes the parts of a value between its asterisks. */
static bool put_substrings(struct mote_ber_writer *w, struct mote_slice name, struct mote_slice value)
{
  size_t filter = mote_ber_begin(w, TAG_SUBSTRINGS), parts;
  uint8_t tag = INITIAL;
  bool good = true;
  mote_ber_put(w, MOTE_BER_OCTETS, name);
  parts = mote_ber_begin(w, MOTE_BER_SEQUENCE);
  while(good && tag != FINAL) {
    const char *star = value.len ? memchr(value.ptr, '*', value.len) : NULL;
    struct mote_slice part = {value.ptr, star ? (size_t)(star - value.ptr) : value.len};
    tag = star ? tag : FINAL;
    if(part.len)
      good = ldap_filter_put_value(w, tag, part);
    if(star) {
      mote_slice_skip(&value, part.len + 1);
      tag = ANY;
    }
  }
  mote_ber_end(w, parts);
  mote_ber_end(w, filter);
  return good;
}

/* Writes "attribute:dn:rule:=value", of which each of the first three may be missing, but not attribute and
 * rule both. `left` is what stands before ":=". */
static bool put_extensible(struct mote_ber_writer *w, struct mote_slice left, struct mote_slice value)
{
  const char *colon = left.len ? memchr(left.ptr, ':', left.len) : NULL;
  struct mote_slice name = {left.ptr, colon ? (size_t)(colon - left.ptr) : left.len};
  struct mote_slice rule = {left.ptr + name.len, left.len - name.len};
  bool of_name = rule.len >= 3 && mote_slice_is((struct mote_slice){rule.ptr, 3}, ":dn") &&
                 (rule.len == 3 || rule.ptr[3] == ':');
  size_t filter = mote_ber_begin(w, TAG_EXTENSIBLE);
  bool good;
  if(of_name)
    mote_slice_skip(&rule, 3);
  if(rule.len) {
    mote_slice_skip(&rule, 1);
    if(!ldap_filter_is_name(rule))
      return false;
    mote_ber_put(w, RULE, rule);
  }
  if(name.len ? !ldap_filter_is_name(name) : !rule.len)
    return false;
  if(name.len)
    mote_ber_put(w, TYPE, name);
  good = ldap_filter_put_value(w, VALUE, value);
  if(of_name)
    mote_ber_put(w, OF_NAME, (struct mote_slice){"\xff", 1});
  mote_ber_end(w, filter);
  return good;
}

static uint8_t comparison(char before_equals)
{
  switch(before_equals) {
  case '~':
    return TAG_APPROXIMATE;
  case '>':
    return TAG_AT_LEAST;
  case '<':
    return TAG_AT_MOST;
  default:
    return TAG_EQUAL;
  }
}

/* Writes a comparison: "name=value" and its like. */
static bool put_item(struct mote_ber_writer *w, struct mote_slice text)
{
  const char *equals = text.len ? memchr(text.ptr, '=', text.len) : NULL;
  struct mote_slice name = {text.ptr, equals ? (size_t)(equals - text.ptr) : 0}, value;
  uint8_t tag;
  size_t filter;
  bool good;
  if(!name.len)
    return false;
  value.ptr = equals + 1;
  value.len = text.len - name.len - 1;
  if(equals[-1] == ':')
    return put_extensible(w, (struct mote_slice){name.ptr, name.len - 1}, value);
  tag = comparison(equals[-1]);
  name.len -= tag != TAG_EQUAL;
  if(!ldap_filter_is_name(name))
    return false;
  if(tag == TAG_EQUAL && mote_slice_is(value, "*")) {
    mote_ber_put(w, TAG_PRESENT, name);
    return true;
  }
  if(tag == TAG_EQUAL && value.len && memchr(value.ptr, '*', value.len))
    return put_substrings(w, name, value);
  filter = mote_ber_begin(w, tag);
  mote_ber_put(w, MOTE_BER_OCTETS, name);
  good = ldap_filter_put_value(w, MOTE_BER_OCTETS, value);
  mote_ber_end(w, filter);
  return good;
}

static bool put_in_brackets(struct mote_ber_writer *w, struct mote_slice *rest, int depth);

/* Writes the filters that stand one after the other, up to a closing bracket. */
static bool put_list(struct mote_ber_writer *w, uint8_t tag, struct mote_slice *rest, int depth)
{
  size_t filter = mote_ber_begin(w, tag);
  int count = 0;
  for(; rest->len && rest->ptr[0] == '('; count++)
    if(!put_in_brackets(w, rest, depth))
      return false;
  mote_ber_end(w, filter);
  return tag != TAG_NOT || count == 1;
}

/* Takes "(", a filter and ")" off. */
static bool put_in_brackets(struct mote_ber_writer *w, struct mote_slice *rest, int depth)
{
  static const char lists[] = "&|!";
  const char *list, *end;
  if(depth >= MOTE_LDAP_FILTER_DEPTH || rest->len < 2)
    return false;
  mote_slice_skip(rest, 1);
  list = rest->ptr[0] ? strchr(lists, rest->ptr[0]) : NULL;
  if(list) {
    mote_slice_skip(rest, 1);
    if(!put_list(w, (uint8_t)(TAG_AND + (list - lists)), rest, depth + 1))
      return false;
  }
  else {
    end = memchr(rest->ptr, ')', rest->len);
    if(!end || !put_item(w, (struct mote_slice){rest->ptr, (size_t)(end - rest->ptr)}))
      return false;
    mote_slice_skip(rest, (size_t)(end - rest->ptr));
  }
  if(!rest->len || rest->ptr[0] != ')')
    return false;
  mote_slice_skip(rest, 1);
  return true;
}

/* A comparison alone may do without brackets. */
bool mote_ldap_put_filter(struct mote_ber_writer *w, struct mote_slice text)
{
  if(!text.len || text.ptr[0] != '(')
    return put_item(w, text);
  return put_in_brackets(w, &text, 0) && !text.len;
}
