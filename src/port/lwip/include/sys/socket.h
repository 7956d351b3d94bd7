/* sys/socket.h for platforms without sockets: what <curl/curl.h> asks of it, and what struct curl_sockaddr
 * then holds. Put this folder into the include path. */
#ifndef MOTE_LWIP_SYS_SOCKET_H
#define MOTE_LWIP_SYS_SOCKET_H

#include <stdint.h>

typedef unsigned socklen_t;
typedef uint16_t sa_family_t;

#define AF_UNSPEC 0
#define AF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define IPPROTO_TCP 6

/* As sockaddr_in elsewhere: IPv4. */
struct sockaddr {
  sa_family_t sa_family; /* AF_INET */
  uint16_t sin_port;     /* network order */
  uint32_t sin_addr;     /* network order */
  uint8_t sin_zero[8];
};

#endif
