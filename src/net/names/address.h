/* net/names/address.h: parses, prints and compares IP addresses; recognises names that have none.
 *
 * Ownership: everything is the caller's.
 * Failure:   parsing returns false and leaves *out alone.
 * Tests:     tests/unit/net/test_address.c */
#ifndef MOTE_NET_NAMES_ADDRESS_H
#define MOTE_NET_NAMES_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "port/addr.h"

/* "192.0.2.1" (four decimal numbers, no leading zeros) or "2001:db8::1" (RFC 4291 section 2.2, without
 * brackets), as inet_pton reads them. An IPv6 address may end in a zone: "%" or "%25" (RFC 6874) and an
 * interface's name or number; a zone that names no interface of this machine is false. The port is 0. */
bool mote_addr_parse(struct mote_slice text, struct mote_addr *out);

/* Writes what inet_ntop does (RFC 5952), without zone and port; an empty string for no address. Returns the
 * length. */
size_t mote_addr_print(const struct mote_addr *a, char out[MOTE_ADDR_TEXT_MAX]);

/* Same address and zone; the port does not count. */
bool mote_addr_same_host(const struct mote_addr *a, const struct mote_addr *b);

/* ".onion" and what is below it: names of a network of its own, which must not be looked up (RFC 7686). */
static inline bool mote_name_is_onion(const char *name, size_t len)
{
  if(len && name[len - 1] == '.')
    len--;
  return len >= 5 && mote_equal_nocase_n(name + len - 5, "onion", 5) && (len == 5 || name[len - 6] == '.');
}

#endif
