/* port/lwip/target.c: addresses to and from struct curl_sockaddr (include/sys/socket.h). IPv4 only. */
#include <lwip/def.h>
#include <string.h>

#include "port/embedded/ip4.h"
#include "port/port.h"

int mote_port_target_ip(struct mote_target *t, const struct mote_addr *a, enum mote_socket_type type)
{
  struct curl_sockaddr *sa = &t->u.sa;
  if(a->family != MOTE_FAMILY_IP4)
    return EAFNOSUPPORT;
  memset(sa, 0, sizeof *sa);
  sa->family = AF_INET;
  sa->socktype = type == MOTE_SOCKET_STREAM ? SOCK_STREAM : SOCK_DGRAM;
  sa->protocol = type == MOTE_SOCKET_STREAM ? IPPROTO_TCP : 0;
  sa->addrlen = sizeof sa->addr;
  sa->addr.sa_family = AF_INET;
  sa->addr.sin_port = lwip_htons(a->port);
  memcpy(&sa->addr.sin_addr, a->ip, sizeof sa->addr.sin_addr);
  return 0;
}

bool mote_port_target_addr(const struct curl_sockaddr *sa, struct mote_addr *out)
{
  memset(out, 0, sizeof *out);
  if(sa->addr.sa_family != AF_INET)
    return false;
  mote_addr_set_ip4(out, &sa->addr.sin_addr, lwip_ntohs(sa->addr.sin_port));
  return true;
}
