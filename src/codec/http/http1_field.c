/* codec/http/http1_field.c: names of the fields that the library looks at or meets often. */
#include "codec/http/http1.h"

#include <stddef.h>
#include <string.h>

#define LONGEST 25

#define FIRST_20 MOTE_FIELD_OF_20_LETTERS
#define FIRST_21 MOTE_FIELD_STRICT_TRANSPORT_SECURITY

/* In the order of enum mote_http1_field, that is of their length: the name in lower case, and as most servers
 * write it. */
#define NAMES(F) \
  F(DATE, "date", "Date") \
  F(ETAG, "etag", "ETag") \
  F(VARY, "vary", "Vary") \
  F(SERVER, "server", "Server") \
  F(ALT_SVC, "alt-svc", "Alt-Svc") \
  F(EXPIRES, "expires", "Expires") \
  F(REFRESH, "refresh", "Refresh") \
  F(TRAILER, "trailer", "Trailer") \
  F(UPGRADE, "upgrade", "Upgrade") \
  F(X_CACHE, "x-cache", "X-Cache") \
  F(LOCATION, "location", "Location") \
  F(CONNECTION, "connection", "Connection") \
  F(KEEP_ALIVE, "keep-alive", "Keep-Alive") \
  F(SET_COOKIE, "set-cookie", "Set-Cookie") \
  F(RETRY_AFTER, "retry-after", "Retry-After") \
  F(CONTENT_TYPE, "content-type", "Content-Type") \
  F(LAST_MODIFIED, "last-modified", "Last-Modified") \
  F(ACCEPT_RANGES, "accept-ranges", "Accept-Ranges") \
  F(CACHE_CONTROL, "cache-control", "Cache-Control") \
  F(CONTENT_RANGE, "content-range", "Content-Range") \
  F(CONTENT_LENGTH, "content-length", "Content-Length") \
  F(X_CACHE_LOOKUP, "x-cache-lookup", "X-Cache-Lookup") \
  F(PERSISTENT_AUTH, "persistent-auth", "Persistent-Auth") \
  F(CONTENT_ENCODING, "content-encoding", "Content-Encoding") \
  F(PROXY_CONNECTION, "proxy-connection", "Proxy-Connection") \
  F(WWW_AUTHENTICATE, "www-authenticate", "WWW-Authenticate") \
  F(TRANSFER_ENCODING, "transfer-encoding", "Transfer-Encoding") \
  F(PROXY_AUTHENTICATE, "proxy-authenticate", "Proxy-Authenticate") \
  F(CONTENT_DISPOSITION, "content-disposition", "Content-Disposition") \
  MOTE_HTTP1_WEBSOCKET_NAMES(F) \
  F(STRICT_TRANSPORT_SECURITY, "strict-transport-security", "Strict-Transport-Security")

struct names {
#define MEMBER(field, lower, usual) char field[sizeof(lower)];
  NAMES(MEMBER)
};

#define LOWER(field, lower, usual) lower,
#define USUAL(field, lower, usual) usual,
static const struct names lower_names = {NAMES(LOWER)};
static const struct names usual_names = {NAMES(USUAL)};

/* By field: where its name is in both. */
#define PLACE(field, lower, usual) [MOTE_FIELD_##field] = offsetof(struct names, field),
static const uint16_t place[MOTE_FIELD_LAST] = {NAMES(PLACE)};

/* first[n]: first field whose name has n bytes or more. */
static const uint8_t first[LONGEST + 2] = {
  1, 1, 1, 1, 1,                            /* 0 to 4 */
  4, 4, 5,                                  /* 5 to 7 */
  11,                                       /* 8 */
  12, 12,                                   /* 9, 10 */
  15, 16, 17, 21, 23, 24, 27, 28, 29,       /* 11 to 19 */
  FIRST_20, FIRST_21, FIRST_21,             /* 20 to 22 */
  FIRST_21, FIRST_21, FIRST_21,             /* 23 to 25 */
  MOTE_FIELD_LAST                           /* 26 */
};

static inline bool same_4(const char *name, const char *word, uint64_t fold)
{
  uint32_t a, b;
  memcpy(&a, name, 4);
  memcpy(&b, word, 4);
  return (a | (uint32_t)fold) == b;
}

static inline bool same_8(const char *name, const char *word, uint64_t fold)
{
  uint64_t a, b;
  memcpy(&a, name, 8);
  memcpy(&b, word, 8);
  return (a | fold) == b;
}

/* Compares name and word, both len bytes (4 or more). With `fold`, bit 5 of every byte, word is in lower case
 * and the case of letters in name does not matter: setting bit 5 makes a capital small, and what becomes a
 * hyphen besides a hyphen is a control. */
static inline bool http_http1_field_same(const char *name, const char *word, size_t len, uint64_t fold)
{
  if(len < 8) /* two halves that may overlap */
    return same_4(name, word, fold) && same_4(name + len - 4, word + len - 4, fold);
  for(; len > 16; len -= 8, name += 8, word += 8)
    if(!same_8(name, word, fold))
      return false;
  return same_8(name, word, fold) && same_8(name + len - 8, word + len - 8, fold);
}

/* Returns the field that has this name, or OTHER. */
static inline unsigned http_http1_field_find(const struct names *names, struct mote_slice name, uint64_t fold)
{
  const char *word;
  unsigned id;
  if(name.len > LONGEST)
    return MOTE_FIELD_OTHER;
  word = (const char *)names + place[first[name.len]];
  for(id = first[name.len]; id < first[name.len + 1]; id++, word += name.len + 1)
    if(http_http1_field_same(name.ptr, word, name.len, fold))
      return id;
  return MOTE_FIELD_OTHER;
}

/* A spelling is twice the field, plus 1 for lower case. */
struct mote_http1_name mote_http1_name_of(struct mote_slice name)
{
  unsigned id = http_http1_field_find(&usual_names, name, 0);
  if(!id)
    return mote_http1_name_any_case(name);
  return (struct mote_http1_name){(uint8_t)id, (uint8_t)(id << 1)};
}

struct mote_http1_name mote_http1_name_lower(struct mote_slice name)
{
  unsigned id = http_http1_field_find(&lower_names, name, 0);
  return (struct mote_http1_name){(uint8_t)id, id ? (uint8_t)(id << 1 | 1u) : 0};
}

struct mote_http1_name mote_http1_name_any_case(struct mote_slice name)
{
  unsigned id = http_http1_field_find(&lower_names, name, 0x2020202020202020u);
  bool lower = id && http_http1_field_find(&lower_names, name, 0) == id;
  return (struct mote_http1_name){(uint8_t)id, lower ? (uint8_t)(id << 1 | 1u) : 0};
}

const char *mote_http1_spelled(uint8_t spelling)
{
  const struct names *names = spelling & 1u ? &lower_names : &usual_names;
  return (const char *)names + place[spelling >> 1];
}
