/* codec/ftp/wildcard.c: patterns of file names (codec/ftp/wildcard.h). */
#include "codec/ftp/wildcard.h"

#include <string.h>

#define CLASS_NAME_MAX 6u

static bool is_graph(char c) { return c > ' ' && c < 0x7f; }
static bool is_print(char c) { return c == ' ' || is_graph(c); }
static bool is_punct(char c) { return is_graph(c) && !mote_is_alnum(c); }
static bool wildcard_is_control(char c) { return (unsigned char)c < ' ' || c == 0x7f; }
static bool is_xdigit(char c) { return mote_hex_digit(c) >= 0; }
static bool is_lower(char c) { return mote_is_lower(c); }
static bool is_upper(char c) { return mote_is_upper(c); }
static bool is_alpha(char c) { return mote_is_alpha(c); }
static bool is_alnum(char c) { return mote_is_alnum(c); }
static bool is_digit(char c) { return mote_is_digit(c); }
static bool is_blank(char c) { return mote_is_blank(c); }
static bool is_space(char c) { return mote_is_space(c); }

static const struct {
  char name[CLASS_NAME_MAX + 1];
  bool (*has)(char c);
} classes[] = {
  {"alnum", is_alnum}, {"alpha", is_alpha}, {"blank", is_blank}, {"cntrl", wildcard_is_control},
  {"digit", is_digit}, {"graph", is_graph}, {"lower", is_lower}, {"print", is_print},
  {"punct", is_punct}, {"space", is_space}, {"upper", is_upper}, {"xdigit", is_xdigit},
};

/* Length of a class "[:name:]" at the start of s, or 0. */
static size_t class_length(struct mote_slice s)
{
  size_t i = 2;
  if(s.len < 5 || s.ptr[0] != '[' || s.ptr[1] != ':')
    return 0;
  while(i < s.len && mote_is_alpha(s.ptr[i]))
    i++;
  return s.len - i >= 2 && s.ptr[i] == ':' && s.ptr[i + 1] == ']' ? i + 2 : 0;
}

/* A class that is unknown has no bytes. */
static bool class_has(const char *name, size_t len, char c)
{
  size_t i;
  for(i = 0; i < sizeof classes / sizeof *classes; i++)
    if(strlen(classes[i].name) == len && !memcmp(classes[i].name, name, len))
      return classes[i].has(c);
  return false;
}

/* Takes one byte of a set, which may be escaped. False: the pattern is over. */
static bool wildcard_take(struct mote_slice p, size_t *at, char *c)
{
  if(*at < p.len && p.ptr[*at] == '\\')
    ++*at;
  if(*at >= p.len)
    return false;
  *c = p.ptr[(*at)++];
  return true;
}

/* Compares c with the set whose `[` p begins with. Returns the set's length, or 0 for a `[` without its
 * end. */
static size_t match_set(struct mote_slice p, char c, bool *matches)
{
  size_t at = 1, first;
  bool negated = p.len > 1 && (p.ptr[1] == '^' || p.ptr[1] == '!');
  bool found = false;
  if(p.len > MOTE_WILDCARD_SET_MAX)
    p.len = MOTE_WILDCARD_SET_MAX;
  at += negated;
  for(first = at; at < p.len && (p.ptr[at] != ']' || at == first);) {
    struct mote_slice rest = {p.ptr + at, p.len - at};
    size_t len = class_length(rest);
    char from, to;
    if(len) {
      found = class_has(rest.ptr + 2, len - 4, c) || found;
      at += len;
      continue;
    }
    if(!wildcard_take(p, &at, &from))
      return 0;
    to = from;
    if(p.len - at >= 2 && p.ptr[at] == '-' && p.ptr[at + 1] != ']') {
      at++;
      if(!wildcard_take(p, &at, &to))
        return 0;
    }
    found = found || ((unsigned char)from <= (unsigned char)c && (unsigned char)c <= (unsigned char)to);
  }
  *matches = found != negated;
  return at < p.len ? at + 1 : 0;
}

/* Compares c with what p, which is not empty, begins with. Returns how much of p that was; 0: it does not
 * match. */
static size_t match_one(struct mote_slice p, char c)
{
  bool matches = false;
  size_t used;
  switch(*p.ptr) {
  case '?':
    return 1;
  case '[':
    used = match_set(p, c, &matches);
    if(used)
      return matches ? used : 0;
    return c == '[';
  case '\\':
    return p.len > 1 && p.ptr[1] == c ? 2 : 0;
  default:
    return *p.ptr == c;
  }
}

/* After a mismatch only the last star takes a byte more. What the stars before it took need not change: the
 * last one can take any bytes that they could. */
bool mote_wildcard_match(struct mote_slice pattern, struct mote_slice name)
{
  struct mote_slice rest = {NULL, 0}; /* of the pattern, after the last star */
  size_t at = 0, taken = 0;           /* of the name; by the time of that star, and what it took */
  while(at < name.len || pattern.len) {
    size_t used;
    if(pattern.len && *pattern.ptr == '*') {
      pattern.ptr++;
      pattern.len--;
      rest = pattern;
      taken = at;
      continue;
    }
    used = pattern.len && at < name.len ? match_one(pattern, name.ptr[at]) : 0;
    if(used) {
      pattern.ptr += used;
      pattern.len -= used;
      at++;
      continue;
    }
    if(!rest.ptr || taken >= name.len)
      return false;
    pattern = rest;
    at = ++taken;
  }
  return true;
}
