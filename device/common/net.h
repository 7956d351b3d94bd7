/* net.h: shortcuts through the port's functions, for images that test it without the library.
 *
 * Errors: the port's numbers, and ETIMEDOUT when nothing happened within WAIT_MS. */
#ifndef MOTE_DEVICE_NET_H
#define MOTE_DEVICE_NET_H

#include "port/port.h"

#define WAIT_MS 20000 /* the machine may be slow, and lwIP sends lost segments again after 3 seconds or more */

/* Waits for one of the events (CURL_WAIT_*). */
int net_wait(curl_socket_t fd, short events);
/* Finds the first address of a name; its port is 0. */
int net_find(const char *name, struct mote_addr *out);
/* Connects; after an error *fd is CURL_SOCKET_BAD. */
int net_connect(const struct mote_addr *to, curl_socket_t *fd);
int net_send(curl_socket_t fd, const void *p, size_t len);
/* Receives at least one byte, or *n == 0 at the end. */
int net_receive(curl_socket_t fd, void *p, size_t cap, size_t *n);

/* Cuts the next word out of a text with spaces; "" at its end. */
char *net_word(char **rest);
unsigned net_number(const char *p);

#endif
