/* port/posix/names.c: blocking name lookup. getaddrinfo takes memory from the C library.
 *
 * No AI_ADDRCONFIG: it leaves out loopback addresses and costs a netlink dialogue. IPv6 is asked for when a
 * socket of that family can be made. */
#define _GNU_SOURCE /* EAI_NODATA, EAI_ADDRFAMILY */
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/bsd/address.h"
#include "port/port.h"
#include "port/posix/internal.h"

static const struct {
  int gai;
  int error;
} errors[] = {
  { EAI_NONAME, MOTE_PORT_NO_NAME },
#ifdef EAI_NODATA
  { EAI_NODATA, MOTE_PORT_NO_NAME },
#endif
#ifdef EAI_ADDRFAMILY
  { EAI_ADDRFAMILY, MOTE_PORT_NO_NAME },
#endif
  { EAI_AGAIN, EAGAIN },
  { EAI_MEMORY, MOTE_PORT_NO_MEMORY },
};

static int to_error(int gai, int system_error)
{
  size_t i;
  if(gai == EAI_SYSTEM)
    return system_error ? system_error : EIO;
  for(i = 0; i < sizeof errors / sizeof *errors; i++)
    if(errors[i].gai == gai)
      return errors[i].error;
  return EIO;
}

static bool have_ip6(void)
{
  int fd;
  if(mote_posix_socket(AF_INET6, SOCK_DGRAM, 0, &fd))
    return false;
  (void)close(fd);
  return true;
}

static int wanted_family(enum mote_family family)
{
  if(family == MOTE_FAMILY_IP4)
    return AF_INET;
  if(family == MOTE_FAMILY_IP6)
    return AF_INET6;
  return have_ip6() ? AF_UNSPEC : AF_INET;
}

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  struct addrinfo hints;
  struct addrinfo *all = NULL;
  const struct addrinfo *entry;
  size_t n = 0;
  int gai;
  *count = 0;
  memset(&hints, 0, sizeof hints);
  hints.ai_family = wanted_family(family);
  hints.ai_socktype = SOCK_STREAM;
  errno = 0;
  gai = getaddrinfo(name, NULL, &hints, &all);
  if(gai)
    return to_error(gai, errno);
  for(entry = all; entry && n < max; entry = entry->ai_next)
    if(entry->ai_addr && mote_bsd_to_addr(entry->ai_addr, entry->ai_addrlen, &out[n]))
      n++;
  freeaddrinfo(all);
  *count = n;
  return n || !max ? 0 : MOTE_PORT_NO_NAME;
}
