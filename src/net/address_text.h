/* net/address_text.h: the text of each family, shared by the files that implement net/address.h.
 *
 * Tests: tests/unit/net/test_address.c */
#ifndef MOTE_NET_ADDRESS_TEXT_H
#define MOTE_NET_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"
#include "port/addr.h"

bool mote_addr_parse_ip4(struct mote_slice s, uint8_t ip[4]);
size_t mote_addr_print_ip4(const uint8_t ip[4], char *out);

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
