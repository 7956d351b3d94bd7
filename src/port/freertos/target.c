/* port/freertos/target.c: addresses to and from lwIP's struct sockaddr_in. IPv4 only. */
#include <stddef.h>
#include <string.h>

#include "port/embedded/ip4.h"
#include "port/freertos/internal.h"

/* As the other files have it (include/sys/socket.h). */
_Static_assert(sizeof(struct sockaddr) == 16 && offsetof(struct sockaddr, sa_family) == 1 &&
               offsetof(struct sockaddr, sa_data) == 2, "struct sockaddr is not lwIP's");
_Static_assert(AF_INET == 2 && SOCK_STREAM == 1 && SOCK_DGRAM == 2 && IPPROTO_TCP == 6, "not lwIP's numbers");

int mote_port_target_ip(struct mote_target *t, const struct mote_addr *a, enum mote_socket_type type)
{
  struct curl_sockaddr *sa = &t->u.sa;
  struct sockaddr_in in = {.sin_len = sizeof in, .sin_family = AF_INET, .sin_port = lwip_htons(a->port)};
  if(a->family != MOTE_FAMILY_IP4)
    return EAFNOSUPPORT;
  memcpy(&in.sin_addr.s_addr, a->ip, sizeof in.sin_addr.s_addr);
  memset(sa, 0, sizeof *sa);
  sa->family = AF_INET;
  sa->socktype = type == MOTE_SOCKET_STREAM ? SOCK_STREAM : SOCK_DGRAM;
  sa->protocol = type == MOTE_SOCKET_STREAM ? IPPROTO_TCP : 0;
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
  mote_addr_set_ip4(out, &in.sin_addr.s_addr, lwip_ntohs(in.sin_port));
  return true;
}
