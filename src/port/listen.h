/* port/listen.h: sockets that wait for connections which others begin. Rules as in port/port.h.
 *
 * Without it: a data connection that the server begins (active FTP) is not in the build.
 * Tests:      tests/unit/port/test_listen.c */
#ifndef MOTE_PORT_LISTEN_H
#define MOTE_PORT_LISTEN_H

#include <curl/curl.h>

struct mote_addr;

/* Makes a bound socket wait for connections. EADDRINUSE, ... */
int mote_port_listen(curl_socket_t fd);
/* Takes the first connection that waits; *out is its socket, and *peer where it comes from (family NONE: no
 * IP address). MOTE_PORT_AGAIN: there is none now, or the one that there was has gone. Else an error, and
 * *out is CURL_SOCKET_BAD. */
int mote_port_accept(curl_socket_t fd, curl_socket_t *out, struct mote_addr *peer);

#endif
