/* port/freertos/sockopt.c: names and options of connections. */
#include <string.h>

#include "port/freertos/internal.h"

static int name(int result, const struct sockaddr_in *in, struct mote_addr *out)
{
  memset(out, 0, sizeof *out);
  if(result)
    return mote_freertos_error();
  out->family = MOTE_FAMILY_IP4;
  out->port = lwip_ntohs(in->sin_port);
  memcpy(out->ip, &in->sin_addr.s_addr, sizeof in->sin_addr.s_addr);
  return 0;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_in in;
  socklen_t size = sizeof in;
  return name(lwip_getsockname(fd, (struct sockaddr *)&in, &size), &in, out);
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_in in;
  socklen_t size = sizeof in;
  return name(lwip_getpeername(fd, (struct sockaddr *)&in, &size), &in, out);
}

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  int level = IPPROTO_TCP, number;
  switch(option) {
  case MOTE_SOCKOPT_NODELAY:
    number = TCP_NODELAY;
    break;
  case MOTE_SOCKOPT_KEEPALIVE:
    level = SOL_SOCKET;
    number = SO_KEEPALIVE;
    break;
  case MOTE_SOCKOPT_KEEPALIVE_IDLE:
    number = TCP_KEEPALIVE; /* milliseconds; TCP_KEEPIDLE needs LWIP_TCP_KEEPALIVE */
    value *= 1000;
    break;
  case MOTE_SOCKOPT_TOS:
    level = IPPROTO_IP;
    number = IP_TOS;
    break;
  default:
    return ENOPROTOOPT;
  }
  return lwip_setsockopt(fd, level, number, &value, sizeof value) ? mote_freertos_error() : 0;
}
