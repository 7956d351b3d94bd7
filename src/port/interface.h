/* port/interface.h: local addresses and network devices that a connection uses. Rules as in port/port.h.
 *
 * Without it: CURLOPT_INTERFACE, CURLOPT_LOCALPORT and zones by name are not in the build.
 * Memory:     what the C library allocates is freed before the call ends.
 * Tests:      tests/unit/port/test_socket.c */
#ifndef MOTE_PORT_INTERFACE_H
#define MOTE_PORT_INTERFACE_H

#include <curl/curl.h>
#include <errno.h>
#include <stdint.h>

#include "parts.h"

struct mote_addr;

#if MOTE_HAS_INTERFACES
/* Binds the socket to a local address. EADDRINUSE, EADDRNOTAVAIL, EACCES, ... */
int mote_port_bind(curl_socket_t fd, const struct mote_addr *local);
/* Binds the socket to this interface. EPERM: needs a privilege; ENODEV: no such interface; ENOSYS. */
int mote_port_bind_device(curl_socket_t fd, const char *interface_name);
/* Finds an address of the named interface that can reach `peer`: of its family, and for IPv6 of its kind
 * (link-local or not); port 0. ENODEV: no such interface; EADDRNOTAVAIL: it has no such address. */
int mote_port_interface_address(const char *name, const struct mote_addr *peer, struct mote_addr *out);
/* Index of the named interface (an IPv6 zone), 0: there is none. */
uint32_t mote_port_interface_index(const char *name);
#else
#define mote_port_bind(fd, local) ((void)(fd), (void)(local), ENOSYS)
#define mote_port_bind_device(fd, interface_name) ((void)(fd), (void)(interface_name), ENOSYS)
#define mote_port_interface_address(name, peer, out) ((void)(name), (void)(peer), (void)(out), ENOSYS)
#define mote_port_interface_index(name) ((void)(name), 0)
#endif

#endif
