/* codec/dns.c: DNS messages (codec/dns.h). */
#include "codec/dns.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "port/addr.h"

#define HEADER 12u        /* bytes, RFC 1035 section 4.1.1 */
#define LABEL_MAX 63u
#define NAME_MAX_WIRE 255u
#define CLASS_IN 1u
#define TYPE_CNAME 5u

static uint16_t get16(const uint8_t *p)
{
  return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t get32(const uint8_t *p)
{
  return (uint32_t)get16(p) << 16 | get16(p + 2);
}

static void put16(uint8_t *p, uint16_t v)
{
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
}

/* ---- the query ---- */

size_t mote_dns_query(const char *name, size_t name_len, enum mote_dns_type type,
                      uint8_t out[MOTE_DNS_QUERY_MAX])
{
  uint8_t *at = out + HEADER;
  size_t i = 0;
  if(name_len && name[name_len - 1] == '.')
    name_len--;
  if(!name_len || name_len + 2 > NAME_MAX_WIRE)
    return 0;
  memset(out, 0, HEADER);
  out[2] = 1; /* RD: the server does the whole work */
  out[5] = 1; /* one question */
  for(;;) {
    const char *dot = memchr(name + i, '.', name_len - i);
    size_t label = dot ? (size_t)(dot - name) - i : name_len - i;
    if(!label || label > LABEL_MAX)
      return 0;
    *at++ = (uint8_t)label;
    memcpy(at, name + i, label);
    at += label;
    i += label + 1;
    if(!dot)
      break;
  }
  *at++ = 0;
  put16(at, (uint16_t)type);
  put16(at + 2, CLASS_IN);
  return (size_t)(at + 4 - out);
}

void mote_dns_set_type(uint8_t *query, size_t query_len, enum mote_dns_type type)
{
  put16(query + query_len - 4, (uint16_t)type);
}

/* ---- names ---- */

/* Where a name is read. A pointer must lead before `limit`, which then moves there. */
struct reader {
  const uint8_t *bytes; /* of the message that the name is in */
  size_t len;           /* of the message */
  size_t at;            /* next label */
  size_t limit;
  size_t total;         /* bytes of labels so far */
};

static struct reader read_at(const uint8_t *bytes, size_t len, size_t at)
{
  return (struct reader){.bytes = bytes, .len = len, .at = at, .limit = at};
}

/* Follows pointers to the next label and passes over it. *label has its length byte in front; a length of 0
 * ends the name. */
static enum mote_dns_result dns_next_label(struct reader *r, const uint8_t **label)
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
    r->at = get16(r->bytes + r->at) & 0x3fffu;
    if(r->at >= r->limit)
      return MOTE_DNS_MALFORMED;
    r->limit = r->at;
  }
  if(n > LABEL_MAX)
    return MOTE_DNS_MALFORMED;
  r->total += n + 1u;
  if(r->total > NAME_MAX_WIRE)
    return MOTE_DNS_MALFORMED;
  if(r->at + 1 + n > r->len)
    return MOTE_DNS_SHORT;
  *label = r->bytes + r->at;
  r->at += 1u + n;
  return MOTE_DNS_OK;
}

/* Compares all bytes, since a label may have a NUL (RFC 2181 section 11). */
static bool same_label(const uint8_t *a, const uint8_t *b)
{
  unsigned i;
  for(i = 0; i <= a[0]; i++)
    if(mote_to_lower((char)a[i]) != mote_to_lower((char)b[i]))
      return false;
  return true;
}

/* Reports whether two names are the same; case does not count. A malformed name is none. */
static bool same_name(struct reader a, struct reader b)
{
  for(;;) {
    const uint8_t *x, *y;
    if(dns_next_label(&a, &x) || dns_next_label(&b, &y) || *x != *y || !same_label(x, y))
      return false;
    if(!*x)
      return true;
  }
}

/* Passes over the name at *at, which ends with a pointer or an empty label. */
static enum mote_dns_result skip_name(const uint8_t *m, size_t len, size_t *at)
{
  struct reader r = read_at(m, len, *at);
  const uint8_t *label;
  size_t end = 0;
  do {
    enum mote_dns_result rc;
    if(!end && r.at < len && m[r.at] >= 0xc0)
      end = r.at + 2;
    rc = dns_next_label(&r, &label);
    if(rc)
      return rc;
  } while(*label);
  *at = end ? end : r.at;
  return MOTE_DNS_OK;
}

/* ---- records ---- */

struct record {
  size_t name; /* offset of its owner's name */
  size_t data; /* offset of its data */
  uint32_t ttl; /* seconds */
  uint16_t type;
  uint16_t class;
  uint16_t size; /* bytes of data */
};

static enum mote_dns_result next_record(const uint8_t *m, size_t len, size_t *at, struct record *out)
{
  enum mote_dns_result rc;
  out->name = *at;
  rc = skip_name(m, len, at);
  if(rc)
    return rc;
  if(*at + 10 > len)
    return MOTE_DNS_SHORT;
  out->type = get16(m + *at);
  out->class = get16(m + *at + 2);
  out->ttl = get32(m + *at + 4);
  if(out->ttl > INT32_MAX) /* RFC 2181 section 8 */
    out->ttl = 0;
  out->size = get16(m + *at + 8);
  out->data = *at + 10;
  *at = out->data + out->size;
  return *at > len ? MOTE_DNS_SHORT : MOTE_DNS_OK;
}

/* What is looked at of a message once its form is known to be right. */
struct answers {
  const uint8_t *m;
  size_t len;
  size_t first;      /* offset of the first answer */
  unsigned count;
  struct reader name; /* what the query's name is called now */
  uint32_t ttl;       /* least of all that was used */
};

static void use_ttl(struct answers *a, uint32_t ttl)
{
  if(ttl < a->ttl)
    a->ttl = ttl;
}

/* Reports whether an answer is of the name, a class that is used and this type. */
static bool is_of_name(const struct answers *a, const struct record *r, uint16_t type)
{
  return r->type == type && r->class == CLASS_IN && same_name(read_at(a->m, a->len, r->name), a->name);
}

/* Makes a->name what it is an alias of. False: it is no alias. */
static bool follow_alias(struct answers *a)
{
  size_t at = a->first;
  unsigned i;
  for(i = 0; i < a->count; i++) {
    struct record r;
    (void)next_record(a->m, a->len, &at, &r);
    if(!is_of_name(a, &r, TYPE_CNAME))
      continue;
    use_ttl(a, r.ttl);
    a->name = read_at(a->m, r.data + r.size, r.data);
    return true;
  }
  return false;
}

static void add_address(struct mote_dns_found *found, enum mote_family family, const uint8_t *ip, size_t size)
{
  struct mote_addr *out;
  if(found->count == found->max)
    return;
  out = &found->addrs[found->count++];
  memset(out, 0, sizeof *out);
  out->family = (uint8_t)family;
  memcpy(out->ip, ip, size);
}

static void take_addresses(struct answers *a, uint16_t type, struct mote_dns_found *found)
{
  const uint16_t size = type == MOTE_DNS_A ? 4 : 16;
  size_t at = a->first;
  unsigned i;
  for(i = 0; i < a->count; i++) {
    struct record r;
    (void)next_record(a->m, a->len, &at, &r);
    if(r.size != size || !is_of_name(a, &r, type))
      continue;
    use_ttl(a, r.ttl);
    add_address(found, type == MOTE_DNS_A ? MOTE_FAMILY_IP4 : MOTE_FAMILY_IP6, a->m + r.data, size);
  }
}

/* ---- the response ---- */

/* The question of the response is that of the query, in any case of letters; some servers leave it out. */
static enum mote_dns_result check_question(const uint8_t *m, size_t len, const uint8_t *query,
                                           size_t query_len, size_t *at)
{
  enum mote_dns_result rc;
  size_t name = *at;
  if(!get16(m + 4))
    return MOTE_DNS_OK;
  if(get16(m + 4) != 1)
    return MOTE_DNS_MALFORMED;
  rc = skip_name(m, len, at);
  if(rc)
    return rc;
  if(*at + 4 > len)
    return MOTE_DNS_SHORT;
  if(!same_name(read_at(m, len, name), read_at(query, query_len, HEADER)) ||
     memcmp(m + *at, query + query_len - 4, 4) != 0)
    return MOTE_DNS_MALFORMED;
  *at += 4;
  return MOTE_DNS_OK;
}

/* Passes over all records. Nothing may follow them. */
static enum mote_dns_result check_records(const uint8_t *m, size_t len, size_t at)
{
  unsigned count = (unsigned)get16(m + 6) + get16(m + 8) + get16(m + 10);
  struct record r;
  if(count > MOTE_DNS_RECORDS)
    return MOTE_DNS_MALFORMED;
  for(; count; count--) {
    enum mote_dns_result rc = next_record(m, len, &at, &r);
    if(rc)
      return rc;
  }
  return at == len ? MOTE_DNS_OK : MOTE_DNS_MALFORMED;
}

static enum mote_dns_result dns_check(const uint8_t *m, size_t len, const uint8_t *query, size_t query_len,
                                      size_t *first)
{
  enum mote_dns_result rc;
  if(len > MOTE_DNS_RESPONSE_MAX)
    return MOTE_DNS_MALFORMED;
  if(len < HEADER)
    return MOTE_DNS_SHORT;
  if(get16(m) || (m[2] & 0xf8) != 0x80) /* the identifier; a response, opcode 0 */
    return MOTE_DNS_MALFORMED;
  *first = HEADER;
  rc = check_question(m, len, query, query_len, first);
  return rc ? rc : check_records(m, len, *first);
}

enum mote_dns_result mote_dns_read(const uint8_t *message, size_t len, const uint8_t *query,
                                   size_t query_len, struct mote_dns_found *found)
{
  struct answers a = {.m = message, .len = len, .ttl = found->ttl};
  enum mote_dns_result rc = dns_check(message, len, query, query_len, &a.first);
  unsigned aliases = 0;
  size_t before = found->count;
  if(rc)
    return rc;
  if(message[3] & 0x0f)
    return (message[3] & 0x0f) == 3 ? MOTE_DNS_NO_NAME : MOTE_DNS_REFUSED;
  a.count = get16(message + 6);
  a.name = read_at(query, query_len, HEADER);
  while(follow_alias(&a))
    if(++aliases > MOTE_DNS_ALIASES)
      return MOTE_DNS_MALFORMED;
  take_addresses(&a, get16(query + query_len - 4), found);
  if(found->count > before)
    found->ttl = a.ttl;
  return MOTE_DNS_OK;
}
