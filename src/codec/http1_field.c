/* codec/http1_field.c: names of the fields that the library looks at. */
#include "codec/http1.h"

#include <string.h>

#include "codec/line.h"

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

/* name and word, both len bytes, are the same but for the case of letters: setting bit 5 makes a capital
 * small; what becomes a hyphen besides a hyphen is a control. */
static bool same(const char *name, const char *word, size_t len)
{
  size_t i = 0;
  while(i < len) {
    size_t a;
    size_t b;
    if(len < sizeof a) {
      if((name[i] | 0x20) != word[i])
        return false;
      i++;
      continue;
    }
    if(len - i < sizeof a)
      i = len - sizeof a; /* the last word overlaps the one before */
    memcpy(&a, name + i, sizeof a);
    memcpy(&b, word + i, sizeof b);
    if((a | MOTE_LINE_EACH(0x20u)) != b)
      return false;
    i += sizeof a;
  }
  return true;
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
