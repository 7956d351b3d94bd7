/* port/addr.h: an IP address with port, independent of the platform's sockaddr.
 *
 * Parsing and printing: net/names/address.h. To and from a sockaddr: port/port.h.
 * Tests: tests/unit/net/test_address.c */
#ifndef MOTE_PORT_ADDR_H
#define MOTE_PORT_ADDR_H

#include <stdint.h>

#define MOTE_ADDR_TEXT_MAX 46 /* bytes for any address as text, the NUL included (INET6_ADDRSTRLEN) */

enum mote_family {
  MOTE_FAMILY_NONE = 0, /* no address; as a wish: any family */
  MOTE_FAMILY_UNIX = 1, /* only from mote_port_local_name and mote_port_peer_name; no address in it */
  MOTE_FAMILY_IP4 = 4,
  MOTE_FAMILY_IP6 = 6
};

struct mote_addr {
  uint8_t family; /* enum mote_family */
  uint8_t zero;   /* 0 */
  uint16_t port;  /* host order */
  uint32_t scope; /* IPv6 zone (interface index), 0: none */
  uint8_t ip[16]; /* network order; IPv4: the first four, the others 0 */
};

#endif
