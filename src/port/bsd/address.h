/* port/bsd/address.h: IP addresses as the sockaddr of Berkeley sockets, which POSIX and Winsock both have.
 *
 * Tests: tests/unit/port/ */
#ifndef MOTE_PORT_BSD_ADDRESS_H
#define MOTE_PORT_BSD_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef _WIN32
#include <windows.h>
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <netinet/in.h>
#include <sys/socket.h>
#endif

struct mote_addr;
struct mote_target;

/* The system's address inside t. */
void *mote_bsd_sockaddr(struct mote_target *t);
/* false when it is no IP address; out->family is then NONE or UNIX. */
bool mote_bsd_to_addr(const void *sockaddr, size_t len, struct mote_addr *out);

/* Starts Winsock 2.2 unless it runs; 0 or an error. It runs until the process ends: a thread of a lookup may
 * still use it when the last handle has gone. Other systems have nothing to start. */
#ifdef _WIN32
int mote_bsd_start(void);
#else
static inline int mote_bsd_start(void)
{
  return 0;
}
#endif

#endif
