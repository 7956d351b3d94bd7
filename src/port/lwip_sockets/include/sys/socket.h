/* sys/socket.h for <curl/curl.h>: lwIP's. Put this folder into the include path.
 *
 * The library's own files get no more than the interface needs. <lwip/sockets.h> also defines macros named
 * send, close or TCP_NODELAY, as lwipopts.h says, and only the port's files are written for that. */
#ifndef MOTE_LWIP_SOCKETS_SYS_SOCKET_H
#define MOTE_LWIP_SOCKETS_SYS_SOCKET_H

#ifndef MOTE_BUILDING
#include <lwip/sockets.h>
#elif !defined(LWIP_HDR_SOCKETS_H)
#include <stdint.h>

typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;

#define AF_UNSPEC 0
#define AF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define IPPROTO_TCP 6

/* As lwIP's; port/freertos/target.c compares them. */
struct sockaddr {
  uint8_t sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
#endif

#endif
