/* codec/dns.c: DNS messages (codec/dns.h). */
#include "codec/dns.h"

#include <string.h>

#include "base/text.h"
#include "codec/dns_message.h"
#include "port/addr.h"

static void put16(uint8_t *p, uint16_t v)
{
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
}

/* ---- the query ---- */

size_t mote_dns_query(const char *name, size_t name_len, enum mote_dns_type type,
                      uint8_t out[MOTE_DNS_QUERY_MAX])
{
  uint8_t *at = out + MOTE_DNS_HEADER;
  size_t i = 0;
  if(name_len && name[name_len - 1] == '.')
    name_len--;
  if(!name_len || name_len + 2 > MOTE_DNS_NAME_MAX)
    return 0;
  memset(out, 0, MOTE_DNS_HEADER);
  out[2] = 1; /* RD: the server does the whole work */
  out[5] = 1; /* one question */
  for(;;) {
    const char *dot = memchr(name + i, '.', name_len - i);
    size_t label = dot ? (size_t)(dot - name) - i : name_len - i;
    if(!label || label > MOTE_DNS_LABEL_MAX)
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
  put16(at + 2, MOTE_DNS_CLASS_IN);
  return (size_t)(at + 4 - out);
}

void mote_dns_set_type(uint8_t *query, size_t query_len, enum mote_dns_type type)
{
  put16(query + query_len - 4, (uint16_t)type);
}

/* ---- addresses ---- */

/* Makes a->name what it is an alias of. False: it is no alias. */
static bool follow_alias(struct mote_dns_answers *a)
{
  size_t at = a->first;
  unsigned i;
  for(i = 0; i < a->count; i++) {
    struct mote_dns_record r;
    (void)mote_dns_next_record(a->m, a->len, &at, &r);
    if(!mote_dns_is_of_name(a, &r, MOTE_DNS_TYPE_CNAME))
      continue;
    mote_dns_use_ttl(a, r.ttl);
    a->name = mote_dns_read_at(a->m, r.data + r.size, r.data);
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

static void take_addresses(struct mote_dns_answers *a, uint16_t type, struct mote_dns_found *found)
{
  const uint16_t size = type == MOTE_DNS_A ? 4 : 16;
  size_t at = a->first;
  unsigned i;
  for(i = 0; i < a->count; i++) {
    struct mote_dns_record r;
    (void)mote_dns_next_record(a->m, a->len, &at, &r);
    if(r.size != size || !mote_dns_is_of_name(a, &r, type))
      continue;
    mote_dns_use_ttl(a, r.ttl);
    add_address(found, type == MOTE_DNS_A ? MOTE_FAMILY_IP4 : MOTE_FAMILY_IP6, a->m + r.data, size);
  }
}

/* ---- the response ---- */

enum mote_dns_result mote_dns_read(const uint8_t *message, size_t len, const uint8_t *query,
                                   size_t query_len, struct mote_dns_found *found)
{
  struct mote_dns_answers a = {.m = message, .len = len, .ttl = found->ttl};
  enum mote_dns_result rc = mote_dns_check(message, len, query, query_len, &a.first);
  unsigned aliases = 0;
  size_t before = found->count;
  if(rc)
    return rc;
  if(message[3] & 0x0f)
    return (message[3] & 0x0f) == 3 ? MOTE_DNS_NO_NAME : MOTE_DNS_REFUSED;
  a.count = mote_dns_get16(message + 6);
  a.name = mote_dns_read_at(query, query_len, MOTE_DNS_HEADER);
  while(follow_alias(&a))
    if(++aliases > MOTE_DNS_ALIASES)
      return MOTE_DNS_MALFORMED;
  take_addresses(&a, mote_dns_get16(query + query_len - 4), found);
  if(found->count > before)
    found->ttl = a.ttl;
  return MOTE_DNS_OK;
}
