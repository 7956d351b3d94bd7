/* net/names/address_ip6.c: IPv6 addresses as text. */
#include <string.h>

#include "net/names/address_text.h"
#include "port/addr.h"
#include "port/interface.h"

enum {
  ZONE_NAME_MAX = 64 /* bytes of an interface's name, the NUL included; longer ones do not exist */
};

/* The text between two colons (or a colon and the end) at s: a group, or IPv4 in the last place. *filled
 * grows by 2 or 4, and *s moves past the text. */
static bool parse_group(struct mote_slice *s, uint8_t ip[16], size_t *filled)
{
  uint64_t v;
  size_t used;
  if(!mote_parse_hex_prefix(*s, 0xffff, &v, &used) || used > 4 || *filled > 14)
    return false;
  if(used < s->len && s->ptr[used] == '.') {
    if(*filled > 12 || !mote_addr_parse_ip4(*s, ip + *filled))
      return false;
    used = s->len;
    *filled += 4;
  }
  else {
    ip[(*filled)++] = (uint8_t)(v >> 8);
    ip[(*filled)++] = (uint8_t)v;
  }
  s->ptr += used;
  s->len -= used;
  return true;
}

static bool take_colons(struct mote_slice *s, size_t n)
{
  if(s->len < n || memcmp(s->ptr, "::", n))
    return false;
  s->ptr += n;
  s->len -= n;
  return true;
}

static bool parse_ip6(struct mote_slice s, uint8_t out[16])
{
  uint8_t ip[16];
  size_t filled = 0;
  size_t gap = 17; /* where "::" stood; 17: nowhere */
  bool first = true;
  while(s.len) {
    if(gap == 17 && take_colons(&s, 2)) {
      gap = filled;
      if(!s.len)
        break;
    }
    else if(!first && !take_colons(&s, 1))
      return false;
    if(!parse_group(&s, ip, &filled))
      return false;
    first = false;
  }
  if(gap == 17 ? filled != 16 : filled == 16)
    return false;
  memset(out, 0, 16);
  if(gap == 17)
    gap = 16;
  memcpy(out, ip, gap);
  if(gap < 16)
    memcpy(out + 16 - (filled - gap), ip + gap, filled - gap);
  return true;
}

static bool parse_zone(struct mote_slice zone, uint32_t *out)
{
  char name[ZONE_NAME_MAX];
  uint64_t v;
  if(mote_parse_dec(zone, UINT32_MAX, &v)) {
    *out = (uint32_t)v;
    return true;
  }
  if(!zone.len || zone.len >= sizeof name)
    return false;
  memcpy(name, zone.ptr, zone.len);
  name[zone.len] = 0;
  *out = mote_port_interface_index(name);
  return *out != 0;
}

/* Splits "address%zone" and "address%25zone". */
static bool split_zone(struct mote_slice *text, uint32_t *scope)
{
  const char *percent = text->len ? memchr(text->ptr, '%', text->len) : NULL;
  struct mote_slice zone;
  *scope = 0;
  if(!percent)
    return true;
  zone.ptr = percent + 1;
  zone.len = text->len - (size_t)(zone.ptr - text->ptr);
  text->len = (size_t)(percent - text->ptr);
  if(zone.len > 2 && zone.ptr[0] == '2' && zone.ptr[1] == '5') {
    zone.ptr += 2;
    zone.len -= 2;
  }
  return parse_zone(zone, scope);
}

bool mote_addr_parse_ip6(struct mote_slice text, struct mote_addr *a)
{
  if(!text.len || !memchr(text.ptr, ':', text.len))
    return false;
  if(!split_zone(&text, &a->scope) || !parse_ip6(text, a->ip))
    return false;
  a->family = MOTE_FAMILY_IP6;
  return true;
}

static unsigned group_at(const uint8_t ip[16], unsigned i)
{
  return ((unsigned)ip[2 * i] << 8) | ip[2 * i + 1];
}

static size_t print_group(unsigned v, char *out)
{
  size_t n = 0;
  int shift;
  for(shift = 12; shift >= 0; shift -= 4)
    if(n || v >> shift || !shift)
      out[n++] = "0123456789abcdef"[(v >> shift) & 15];
  return n;
}

/* The first longest run of at least two zero groups (RFC 5952 section 4.2); *len 0: none. */
static void longest_zeros(const uint8_t ip[16], unsigned *start, unsigned *len)
{
  unsigned i;
  unsigned run = 0;
  *start = 8;
  *len = 0;
  for(i = 0; i < 8; i++) {
    run = group_at(ip, i) ? 0 : run + 1;
    if(run > *len) {
      *len = run;
      *start = i + 1 - run;
    }
  }
  if(*len < 2)
    *len = 0;
}

size_t mote_addr_print_ip6(const uint8_t ip[16], char *out)
{
  unsigned start;
  unsigned len;
  unsigned i;
  size_t n = 0;
  longest_zeros(ip, &start, &len);
  for(i = 0; i < 8; i++) {
    if(len && i >= start && i < start + len) {
      if(i == start)
        out[n++] = ':';
      continue;
    }
    if(i)
      out[n++] = ':';
    /* ::1.2.3.4 and ::ffff:1.2.3.4 */
    if(i == 6 && len && !start && (len == 6 || (len == 5 && group_at(ip, 5) == 0xffff)))
      return n + mote_addr_print_ip4(ip + 12, out + n);
    n += print_group(group_at(ip, i), out + n);
  }
  if(len && start + len == 8)
    out[n++] = ':';
  out[n] = 0;
  return n;
}
