/* port/embedded/ip4.h: IPv4, which is all that ports for devices speak.
 *
 * Their lookups give one address. port/embedded/lookup.c makes mote_port_lookup() (port/port.h) of it.
 * Tests: tests/package/test_systems.py; device/ */
#ifndef MOTE_PORT_EMBEDDED_IP4_H
#define MOTE_PORT_EMBEDDED_IP4_H

#include <stdint.h>
#include <string.h>

#include "port/addr.h"

/* Makes an address of four bytes in network order. */
static inline void mote_addr_set_ip4(struct mote_addr *out, const void *ip, uint16_t port)
{
  memset(out, 0, sizeof *out);
  out->family = MOTE_FAMILY_IP4;
  out->port = port;
  memcpy(out->ip, ip, 4);
}

/* The port's: looks a name up without blocking. ip: four bytes in network order. Returns 0, or an error as
 * mote_port_lookup() does. */
int mote_embedded_lookup(const char *name, void *ip);

#endif
