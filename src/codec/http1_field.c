/* codec/http1_field.c: names of the fields that the library looks at. */
#include "codec/http1.h"

#include <string.h>

#define LONGEST 25

/* All names in the order of enum mote_http1_field, that is of their length. */
static const char names[] =
  "date" "etag"
  "alt-svc" "refresh" "trailer" "upgrade"
  "location"
  "connection" "keep-alive" "set-cookie"
  "retry-after"
  "content-type"
  "accept-ranges" "content-range" "last-modified"
  "content-length"
  "persistent-auth"
  "content-encoding" "proxy-connection" "www-authenticate"
  "transfer-encoding"
  "proxy-authenticate"
  "content-disposition"
  "strict-transport-security";

/* first[n]: first field whose name has n bytes or more. */
static const uint8_t first[LONGEST + 2] = {
  1, 1, 1, 1, 1,                       /* 0 to 4 */
  3, 3, 3,                             /* 5 to 7 */
  7,                                   /* 8 */
  8, 8,                                /* 9, 10 */
  11, 12, 13, 16, 17, 18, 21, 22, 23,  /* 11 to 19 */
  24, 24, 24, 24, 24, 24, 25           /* 20 to 26 */
};

/* start[n]: where those names begin. */
static const uint16_t start[LONGEST + 1] = {
  0, 0, 0, 0, 0, 8, 8, 8, 36, 44, 44, 74, 85, 97, 136, 150, 165, 213, 230, 248, 267, 267, 267, 267, 267, 267
};

/* name and word, both len bytes (4 or more), are the same but for the case of letters: setting bit 5 makes a
 * capital small; what becomes a hyphen besides a hyphen is a control. */
static bool same(const char *name, const char *word, size_t len)
{
  uint64_t a, b;
  uint32_t c, d;
  size_t i;
  if(len < 8) { /* two halves that may overlap */
    memcpy(&c, name, 4);
    memcpy(&d, word, 4);
    if((c | 0x20202020u) != d)
      return false;
    memcpy(&c, name + len - 4, 4);
    memcpy(&d, word + len - 4, 4);
    return (c | 0x20202020u) == d;
  }
  for(i = 0;; i = i + 16 <= len ? i + 8 : len - 8) { /* the last one may overlap the one before */
    memcpy(&a, name + i, 8);
    memcpy(&b, word + i, 8);
    if((a | 0x2020202020202020u) != b)
      return false;
    if(i + 8 == len)
      return true;
  }
}

enum mote_http1_field mote_http1_field_of(struct mote_slice name)
{
  const char *word;
  unsigned id;
  if(name.len > LONGEST)
    return MOTE_FIELD_OTHER;
  word = names + start[name.len];
  for(id = first[name.len]; id < first[name.len + 1]; id++, word += name.len)
    if(same(name.ptr, word, name.len))
      return (enum mote_http1_field)id;
  return MOTE_FIELD_OTHER;
}
