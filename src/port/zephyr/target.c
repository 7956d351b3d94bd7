/* port/zephyr/target.c: addresses to and from Zephyr's struct sockaddr_in. IPv4 only. */
#include <string.h>

#include "port/embedded/ip4.h"
#include "port/zephyr/internal.h"

int mote_port_target_ip(struct mote_target *t, const struct mote_addr *a, enum mote_socket_type type)
{
  struct curl_sockaddr *sa = &t->u.sa;
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(a->port)};
  if(a->family != MOTE_FAMILY_IP4)
    return EAFNOSUPPORT;
  memcpy(&in.sin_addr, a->ip, 4);
  memset(sa, 0, sizeof *sa);
  sa->family = AF_INET;
  sa->socktype = type == MOTE_SOCKET_STREAM ? SOCK_STREAM : SOCK_DGRAM;
  sa->protocol = type == MOTE_SOCKET_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
  sa->addrlen = sizeof in;
  memcpy(&sa->addr, &in, sizeof in);
  return 0;
}

bool mote_port_target_addr(const struct curl_sockaddr *sa, struct mote_addr *out)
{
  struct sockaddr_in in;
  memset(out, 0, sizeof *out);
  if(sa->addr.sa_family != AF_INET)
    return false;
  memcpy(&in, &sa->addr, sizeof in);
  mote_addr_set_ip4(out, &in.sin_addr, ntohs(in.sin_port));
  return true;
}
