/* tests/unit/codec/url_case.h: rows of the URL tests' files: columns split by tabs, flags as letters, \xHH
 * for bytes. */
#ifndef MOTE_TEST_URL_CASE_H
#define MOTE_TEST_URL_CASE_H

#include <ctype.h>

#include "codec/url/url.h"
#include "test.h"

static const char *const url_part_names[] = { "whole", "scheme", "user",     "password", "options", "host",
                                              "port",  "path",   "query",    "fragment", "zoneid",  "ace" };

static inline unsigned url_flags(const char *s)
{
  static const char letters[] = "gdaseup";
  static const unsigned flags[] = { CURLU_GUESS_SCHEME, CURLU_DEFAULT_SCHEME, CURLU_NO_AUTHORITY,
                                    CURLU_ALLOW_SPACE,  CURLU_URLENCODE,      CURLU_DISALLOW_USER,
                                    CURLU_PATH_AS_IS };
  unsigned all = 0;
  for(; *s && *s != '-'; s++) {
    const char *at = strchr(letters, *s);
    if(*s == 'i')
      all |= MOTE_URL_IDN;
    else if(CHECK(at))
      all |= flags[at - letters];
  }
  return all;
}

/* The line's end is cut off; returns how many columns there are, the last has what is left. */
static inline unsigned url_columns(char *row, char **column, unsigned max)
{
  unsigned n = 0;
  row[strcspn(row, "\n")] = 0;
  while(n < max) {
    char *tab = n + 1 < max ? strchr(row, '\t') : NULL;
    column[n++] = row;
    if(!tab)
      break;
    *tab = 0;
    row = tab + 1;
  }
  return n;
}

/* Bytes from malloc() without a NUL, so that a read beyond them is found. */
static inline char *url_bytes(const char *s, size_t *len)
{
  char *bytes = malloc(strlen(s) + 1);
  char *exact;
  *len = 0;
  while(*s) {
    char hex[3] = { 0 };
    if(s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) && isxdigit((unsigned char)s[3])) {
      memcpy(hex, s + 2, 2);
      bytes[(*len)++] = (char)strtoul(hex, NULL, 16);
      s += 4;
    }
    else
      bytes[(*len)++] = *s++;
  }
  exact = malloc(*len ? *len : 1);
  memcpy(exact, bytes, *len);
  free(bytes);
  return exact;
}

static inline void url_append(char *out, struct mote_slice s)
{
  out += strlen(out);
  for(; s.len; s.ptr++, s.len--) {
    if((unsigned char)*s.ptr < 32 || *s.ptr == 127)
      out += sprintf(out, "\\x%02x", (unsigned char)*s.ptr);
    else
      *out++ = *s.ptr;
  }
  *out = 0;
}

#endif
