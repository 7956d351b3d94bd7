/* port/windows/internal.h: what the files of this folder share with each other.
 *
 * Winsock has its own error numbers, and so has the system. A caller of the port gets neither, but errno
 * values of the C library (mote_windows_error). The system's calls have two forms, of which this port takes
 * the one with UTF-16, since the encoding of the other one is a setting of the machine. */
#ifndef MOTE_PORT_WINDOWS_INTERNAL_H
#define MOTE_PORT_WINDOWS_INTERNAL_H

/* The errno value of what GetLastError() or WSAGetLastError() has returned; EIO: the number is not known. */
int mote_windows_error(unsigned long number);

#endif
