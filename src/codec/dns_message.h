/* codec/dns_message.h: the parts of a DNS message, for the files that read one (codec/dns.h): names, records,
 * and what a response must have in common with its query.
 *
 * The functions are here, and not in a file of their own, as a build without HTTPS records has one reader
 * alone.
 *
 * Tests: tests/unit/codec/test_dns.c, test_dns_https.c; fuzz/fuzz_dns.c, fuzz_dns_https.c */
#ifndef MOTE_CODEC_DNS_MESSAGE_H
#define MOTE_CODEC_DNS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "codec/dns.h"

#define MOTE_DNS_HEADER 12u        /* bytes, RFC 1035 section 4.1.1 */
#define MOTE_DNS_LABEL_MAX 63u
#define MOTE_DNS_NAME_MAX 255u
#define MOTE_DNS_CLASS_IN 1u
#define MOTE_DNS_TYPE_CNAME 5u

static inline uint16_t mote_dns_get16(const uint8_t *p)
{
  return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t mote_dns_get32(const uint8_t *p)
{
  return (uint32_t)mote_dns_get16(p) << 16 | mote_dns_get16(p + 2);
}

/* ---- names ---- */

/* Where a name is read. A pointer must lead before `limit`, which then moves there. */
struct mote_dns_reader {
  const uint8_t *bytes; /* of the message that the name is in */
  size_t len;           /* of the message */
  size_t at;            /* next label */
  size_t limit;
  size_t total;         /* bytes of labels so far */
};

static inline struct mote_dns_reader mote_dns_read_at(const uint8_t *bytes, size_t len, size_t at)
{
  return (struct mote_dns_reader){.bytes = bytes, .len = len, .at = at, .limit = at};
}

/* Follows pointers to the next label and passes over it. *label has its length byte in front; a length of 0
 * ends the name. */
static inline enum mote_dns_result mote_dns_next_label(struct mote_dns_reader *r, const uint8_t **label)
{
  uint8_t n;
  for(;;) {
    if(r->at >= r->len)
      return MOTE_DNS_SHORT;
    n = r->bytes[r->at];
    if(n < 0xc0)
      break;
    if(r->at + 2 > r->len)
      return MOTE_DNS_SHORT;
    r->at = mote_dns_get16(r->bytes + r->at) & 0x3fffu;
    if(r->at >= r->limit)
      return MOTE_DNS_MALFORMED;
    r->limit = r->at;
  }
  if(n > MOTE_DNS_LABEL_MAX)
    return MOTE_DNS_MALFORMED;
  r->total += n + 1u;
  if(r->total > MOTE_DNS_NAME_MAX)
    return MOTE_DNS_MALFORMED;
  if(r->at + 1 + n > r->len)
    return MOTE_DNS_SHORT;
  *label = r->bytes + r->at;
  r->at += 1u + n;
  return MOTE_DNS_OK;
}

/* Compares all bytes, since a label may have a NUL (RFC 2181 section 11). */
static inline bool mote_dns_same_label(const uint8_t *a, const uint8_t *b)
{
  unsigned i;
  for(i = 0; i <= a[0]; i++)
    if(mote_to_lower((char)a[i]) != mote_to_lower((char)b[i]))
      return false;
  return true;
}

/* Reports whether two names are the same; case does not count. A malformed name is none. */
static inline bool mote_dns_same_name(struct mote_dns_reader a, struct mote_dns_reader b)
{
  for(;;) {
    const uint8_t *x, *y;
    if(mote_dns_next_label(&a, &x) || mote_dns_next_label(&b, &y) || *x != *y || !mote_dns_same_label(x, y))
      return false;
    if(!*x)
      return true;
  }
}

/* Passes over the name at *at, which ends with a pointer or an empty label. */
static inline enum mote_dns_result mote_dns_skip_name(const uint8_t *m, size_t len, size_t *at)
{
  struct mote_dns_reader r = mote_dns_read_at(m, len, *at);
  const uint8_t *label;
  size_t end = 0;
  do {
    enum mote_dns_result rc;
    if(!end && r.at < len && m[r.at] >= 0xc0)
      end = r.at + 2;
    rc = mote_dns_next_label(&r, &label);
    if(rc)
      return rc;
  } while(*label);
  *at = end ? end : r.at;
  return MOTE_DNS_OK;
}

/* ---- records ---- */

struct mote_dns_record {
  size_t name; /* offset of its owner's name */
  size_t data; /* offset of its data */
  uint32_t ttl; /* seconds */
  uint16_t type;
  uint16_t class;
  uint16_t size; /* bytes of data */
};

static inline enum mote_dns_result mote_dns_next_record(const uint8_t *m, size_t len, size_t *at,
                                                        struct mote_dns_record *out)
{
  enum mote_dns_result rc;
  out->name = *at;
  rc = mote_dns_skip_name(m, len, at);
  if(rc)
    return rc;
  if(*at + 10 > len)
    return MOTE_DNS_SHORT;
  out->type = mote_dns_get16(m + *at);
  out->class = mote_dns_get16(m + *at + 2);
  out->ttl = mote_dns_get32(m + *at + 4);
  if(out->ttl > INT32_MAX) /* RFC 2181 section 8 */
    out->ttl = 0;
  out->size = mote_dns_get16(m + *at + 8);
  out->data = *at + 10;
  *at = out->data + out->size;
  return *at > len ? MOTE_DNS_SHORT : MOTE_DNS_OK;
}

/* What is looked at of a message once its form is known to be right. */
struct mote_dns_answers {
  const uint8_t *m;
  size_t len;
  size_t first;      /* offset of the first answer */
  unsigned count;
  struct mote_dns_reader name; /* what the query's name is called now */
  uint32_t ttl;       /* least of all that was used */
};

static inline void mote_dns_use_ttl(struct mote_dns_answers *a, uint32_t ttl)
{
  if(ttl < a->ttl)
    a->ttl = ttl;
}

/* Reports whether an answer is of the name, a class that is used and this type. */
static inline bool mote_dns_is_of_name(const struct mote_dns_answers *a, const struct mote_dns_record *r,
                                       uint16_t type)
{
  return r->type == type && r->class == MOTE_DNS_CLASS_IN &&
         mote_dns_same_name(mote_dns_read_at(a->m, a->len, r->name), a->name);
}

/* ---- the response ---- */

/* The question of the response is that of the query, in any case of letters; some servers leave it out. */
static inline enum mote_dns_result mote_dns_check_question(const uint8_t *m, size_t len, const uint8_t *query,
                                           size_t query_len, size_t *at)
{
  enum mote_dns_result rc;
  size_t name = *at;
  if(!mote_dns_get16(m + 4))
    return MOTE_DNS_OK;
  if(mote_dns_get16(m + 4) != 1)
    return MOTE_DNS_MALFORMED;
  rc = mote_dns_skip_name(m, len, at);
  if(rc)
    return rc;
  if(*at + 4 > len)
    return MOTE_DNS_SHORT;
  if(!mote_dns_same_name(mote_dns_read_at(m, len, name),
                         mote_dns_read_at(query, query_len, MOTE_DNS_HEADER)) ||
     memcmp(m + *at, query + query_len - 4, 4) != 0)
    return MOTE_DNS_MALFORMED;
  *at += 4;
  return MOTE_DNS_OK;
}

/* Passes over all records. Nothing may follow them. */
static inline enum mote_dns_result mote_dns_check_records(const uint8_t *m, size_t len, size_t at)
{
  unsigned count = (unsigned)mote_dns_get16(m + 6) + mote_dns_get16(m + 8) + mote_dns_get16(m + 10);
  struct mote_dns_record r;
  if(count > MOTE_DNS_RECORDS)
    return MOTE_DNS_MALFORMED;
  for(; count; count--) {
    enum mote_dns_result rc = mote_dns_next_record(m, len, &at, &r);
    if(rc)
      return rc;
  }
  return at == len ? MOTE_DNS_OK : MOTE_DNS_MALFORMED;
}

static inline enum mote_dns_result mote_dns_check(const uint8_t *m, size_t len, const uint8_t *query,
                                                  size_t query_len, size_t *first)
{
  enum mote_dns_result rc;
  if(len > MOTE_DNS_RESPONSE_MAX)
    return MOTE_DNS_MALFORMED;
  if(len < MOTE_DNS_HEADER)
    return MOTE_DNS_SHORT;
  if(mote_dns_get16(m) || (m[2] & 0xf8) != 0x80) /* the identifier; a response, opcode 0 */
    return MOTE_DNS_MALFORMED;
  *first = MOTE_DNS_HEADER;
  rc = mote_dns_check_question(m, len, query, query_len, first);
  return rc ? rc : mote_dns_check_records(m, len, *first);
}

#endif
