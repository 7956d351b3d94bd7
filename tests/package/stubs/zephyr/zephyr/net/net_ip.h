#ifndef STUB_NET_IP_H
#define STUB_NET_IP_H
#include <stddef.h>
#include <stdint.h>
#define AF_UNSPEC 0
#define AF_INET 1
#define AF_INET6 2
enum net_sock_type { SOCK_STREAM = 1, SOCK_DGRAM, SOCK_RAW };
enum net_ip_protocol { IPPROTO_IP = 0, IPPROTO_TCP = 6, IPPROTO_UDP = 17 };
typedef unsigned short int sa_family_t;
typedef size_t socklen_t;
struct in_addr {
  uint32_t s_addr;
};
struct sockaddr_in {
  sa_family_t sin_family;
  uint16_t sin_port;
  struct in_addr sin_addr;
};
struct sockaddr {
  sa_family_t sa_family;
  char data[sizeof(struct sockaddr_in) - sizeof(sa_family_t)];
};
#define htons(x) ((uint16_t)((x) >> 8 | ((x) & 0xff) << 8))
#define ntohs(x) htons(x)
#endif
