/* port/lwip/sockopt.c: names and options of connections. */
#include <string.h>

#include "port/lwip/internal.h"

static int name(struct mote_addr *out, const ip_addr_t *ip, u16_t port)
{
  out->family = MOTE_FAMILY_IP4;
  out->port = port;
  memcpy(out->ip, &ip_2_ip4(ip)->addr, 4);
  return 0;
}

static struct tcp_pcb *pcb_of(curl_socket_t fd, struct mote_addr *out)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  memset(out, 0, sizeof *out);
  return s ? s->pcb : NULL;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  const struct tcp_pcb *pcb = pcb_of(fd, out);
  return pcb ? name(out, &pcb->local_ip, pcb->local_port) : ENOTCONN;
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  const struct tcp_pcb *pcb = pcb_of(fd, out);
  return pcb ? name(out, &pcb->remote_ip, pcb->remote_port) : ENOTCONN;
}

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  if(!s || !s->pcb)
    return EBADF;
  if(option == MOTE_SOCKOPT_NODELAY) {
    if(value)
      tcp_nagle_disable(s->pcb);
    else
      tcp_nagle_enable(s->pcb);
  }
  else if(option == MOTE_SOCKOPT_KEEPALIVE) {
    if(value)
      ip_set_option(s->pcb, SOF_KEEPALIVE);
    else
      ip_reset_option(s->pcb, SOF_KEEPALIVE);
  }
  else if(option == MOTE_SOCKOPT_KEEPALIVE_IDLE)
    s->pcb->keep_idle = (u32_t)value * 1000;
  else
    return ENOPROTOOPT;
  return 0;
}
