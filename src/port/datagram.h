/* port/datagram.h: datagrams to and from any address, on a socket that is not connected. Rules as in
 * port/port.h.
 *
 * mote_port_socket() makes the socket, of a target of MOTE_SOCKET_DATAGRAM. mote_port_connect() never waits
 * there: from then on the socket takes datagrams of that address alone, and mote_port_recv() and
 * mote_port_send() are for it.
 *
 * Without it: tftp: URLs are not in the build.
 * Tests:      tests/unit/port/test_datagram.c */
#ifndef MOTE_PORT_DATAGRAM_H
#define MOTE_PORT_DATAGRAM_H

#include <curl/curl.h>
#include <stddef.h>

struct mote_addr;

/* Sends one datagram. 0: it is on its way, which says nothing of its arrival; MOTE_PORT_AGAIN; EMSGSIZE,
 * ENETUNREACH, … */
int mote_port_send_to(curl_socket_t fd, const struct mote_addr *to, const void *bytes, size_t len);

/* Takes one datagram, of which the bytes that do not fit are lost. 0 with its length in *n, which may be 0,
 * and *from, family NONE: not an IP address; MOTE_PORT_AGAIN; else an error, *n is 0. */
int mote_port_recv_from(curl_socket_t fd, void *room, size_t len, size_t *n, struct mote_addr *from);

#endif
