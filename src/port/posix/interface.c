/* port/posix/interface.c: local addresses and network devices. getifaddrs takes memory from the C library. */
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "port/bsd/address.h"
#include "port/interface.h"
#include "port/port.h"

int mote_port_bind(curl_socket_t fd, const struct mote_addr *local)
{
  struct mote_target t;
  int error = mote_port_target_ip(&t, local, MOTE_SOCKET_STREAM);
  if(error)
    return error;
  return bind(fd, mote_bsd_sockaddr(&t), (socklen_t)t.u.sa.addrlen) ? errno : 0;
}

static bool link_local(const struct mote_addr *a)
{
  return a->family == MOTE_FAMILY_IP6 && a->ip[0] == 0xfe && (a->ip[1] & 0xc0) == 0x80;
}

static bool interface_fits(const struct ifaddrs *entry, const struct mote_addr *peer, struct mote_addr *out)
{
  size_t len = peer->family == MOTE_FAMILY_IP6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  int family = peer->family == MOTE_FAMILY_IP6 ? AF_INET6 : AF_INET;
  if(!entry->ifa_addr || entry->ifa_addr->sa_family != family)
    return false;
  if(!mote_bsd_to_addr(entry->ifa_addr, len, out))
    return false;
  out->port = 0;
  return link_local(out) == link_local(peer);
}

int mote_port_interface_address(const char *name, const struct mote_addr *peer, struct mote_addr *out)
{
  struct ifaddrs *all;
  const struct ifaddrs *entry;
  int error = ENODEV;
  if(getifaddrs(&all))
    return errno;
  for(entry = all; entry; entry = entry->ifa_next) {
    struct mote_addr found;
    if(strcmp(entry->ifa_name, name))
      continue;
    error = EADDRNOTAVAIL;
    if(interface_fits(entry, peer, &found)) {
      *out = found;
      error = 0;
      break;
    }
  }
  freeifaddrs(all);
  return error;
}

uint32_t mote_port_interface_index(const char *name)
{
  return if_nametoindex(name);
}
