/* port/windows/internal.h: what the files of this folder share with each other.
 *
 * Winsock has its own error numbers, and so has the system. A caller of the port gets neither, but errno
 * values of the C library (mote_windows_error). The system's calls have two forms, of which this port takes
 * the one with UTF-16, since the encoding of the other one is a setting of the machine. */
#ifndef MOTE_PORT_WINDOWS_INTERNAL_H
#define MOTE_PORT_WINDOWS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

struct mote_addr;
struct mote_target;

/* The errno value of what GetLastError() or WSAGetLastError() has returned; EIO: the number is not known. */
int mote_windows_error(unsigned long number);
/* Starts Winsock 2.2 unless it runs; 0 or an error. It runs until the process ends: a thread of a lookup may
 * still use it when the last handle has gone. */
int mote_windows_start(void);
/* The system's address inside t. */
void *mote_windows_sockaddr(struct mote_target *t);
/* false when it is no IP address; out->family is then NONE. */
bool mote_windows_to_addr(const void *sockaddr, size_t len, struct mote_addr *out);

#endif
