/* port/burst.h: many datagrams at a time, on a socket that is connected to one address (port/datagram.h).
 * Rules as in port/port.h.
 *
 * The datagrams of a burst lie one after the other. All have the same length, `segment`, but the last
 * one, which may be shorter. Linux takes and gives them in one call (UDP_GRO, UDP_SEGMENT: udp(7)); where
 * a system, a kernel or a device cannot, they go one by one, and none is lost.
 *
 * Tests: tests/unit/port/test_burst.c */
#ifndef MOTE_PORT_BURST_H
#define MOTE_PORT_BURST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "port/addr.h"

/* Most bytes of a burst: what an IPv4 datagram may have. */
#define MOTE_PORT_BURST_MOST 65535u
/* Bytes of the room of a datagram that is received alone: what a frame of Ethernet has. */
#define MOTE_PORT_DATAGRAM 1500u
/* Bursts that one call receives at most. */
#define MOTE_PORT_BURSTS 10u /* 15,000 bytes, which the usual buffer of 16,384 has */

/* Prepares a socket: its datagrams are never fragmented, so that the largest that a path takes can be
 * found out. What the platform lacks is left as it is. */
void mote_port_burst_prepare(curl_socket_t fd);
/* Connects the socket to its address again, from an address and port that the machine has now. What it was
 * bound to stays. Otherwise an error, and the socket is connected to none. */
int mote_port_burst_move(curl_socket_t fd, const struct mote_addr *to);
/* The datagrams of a burst that comes are given together from here on. False: the platform cannot. */
bool mote_port_burst_gather(curl_socket_t fd);

struct mote_burst {
  void *bytes;    /* in the room */
  size_t len;
  size_t segment; /* bytes of each datagram */
};

/* Takes what has come. gathered: mote_port_burst_gather() has succeeded; the room has MOTE_PORT_BURST_MOST
 * bytes then, and else room for at least one datagram. 0 with *count bursts, of which fewer than there is
 * room for say that nothing is left (not so with `gathered`); MOTE_PORT_AGAIN; ECONNREFUSED: the other
 * side answers that no one listens there; else an error. What does not fit into the room is lost. */
int mote_port_burst_recv(curl_socket_t fd, void *room, size_t size, bool gathered,
                         struct mote_burst bursts[MOTE_PORT_BURSTS], unsigned *count);

/* Sends datagrams of `segment` bytes. 0, MOTE_PORT_AGAIN, EMSGSIZE: they are longer than the path takes,
 * or an error; *n: bytes of those that are on their way. */
int mote_port_burst_send(curl_socket_t fd, const void *bytes, size_t len, size_t segment, size_t *n);

#endif
