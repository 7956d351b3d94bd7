/* winsock2.h for the library's own files on Windows: what <curl/curl.h> asks of it, and no more. The system's
 * header brings some ten thousand names along, macros such as TEXT, IN and interface among them.
 *
 * A file that has included <windows.h> gets the system's: those of port/windows, and none else. This folder
 * is in the include path of the library alone, so that programs have the system's header. */
#pragma GCC system_header
#ifdef _WINDOWS_
#include_next <winsock2.h>
#elif !defined(MOTE_PORT_WINDOWS_WINSOCK2_H)
#define MOTE_PORT_WINDOWS_WINSOCK2_H

typedef unsigned __int64 SOCKET;
#define INVALID_SOCKET ((SOCKET)~(SOCKET)0)

#define AF_UNSPEC 0
#define AF_INET 2
#define AF_INET6 23
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17

struct sockaddr {
  unsigned short sa_family; /* AF_ */
  char sa_data[14];
};

#define FD_SETSIZE 64
typedef struct fd_set {
  unsigned fd_count;
  SOCKET fd_array[FD_SETSIZE];
} fd_set;

#endif
