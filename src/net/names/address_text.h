/* net/names/address_text.h: the text of each family, shared by address.c and address_ip6.c, which implement
 * net/names/address.h.
 *
 * Tests: tests/unit/net/test_address.c */
#ifndef MOTE_NET_NAMES_ADDRESS_TEXT_H
#define MOTE_NET_NAMES_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"

struct mote_addr;

/* Dotted, which an IPv6 address may end in. */
static inline bool mote_addr_parse_ip4(struct mote_slice s, uint8_t ip[4])
{
  int i;
  for(i = 0; i < 4; i++) {
    uint64_t v;
    size_t used;
    if(i) {
      if(!s.len || *s.ptr != '.')
        return false;
      s.ptr++;
      s.len--;
    }
    if(!mote_parse_dec_prefix(s, 255, &v, &used) || (used > 1 && *s.ptr == '0'))
      return false;
    ip[i] = (uint8_t)v;
    s.ptr += used;
    s.len -= used;
  }
  return !s.len;
}

static inline size_t mote_addr_print_ip4(const uint8_t ip[4], char *out)
{
  size_t n = 0;
  int i;
  for(i = 0; i < 4; i++) {
    if(i)
      out[n++] = '.';
    n += mote_print_dec(out + n, ip[i]);
  }
  return n;
}

/* The caller has zeroed *a. */
#if MOTE_HAS_IPV6
bool mote_addr_parse_ip6(struct mote_slice text, struct mote_addr *a);
size_t mote_addr_print_ip6(const uint8_t ip[16], char *out);
#else
#define mote_addr_parse_ip6(text, a) ((void)(text), (void)(a), false)

static inline size_t mote_addr_print_ip6(const uint8_t ip[16], char *out)
{
  (void)ip;
  out[0] = 0;
  return 0;
}
#endif

#endif
