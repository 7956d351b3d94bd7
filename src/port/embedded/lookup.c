/* port/embedded/lookup.c: lookups where a name has one address of IPv4 (port/embedded/ip4.h). */
#include "port/embedded/ip4.h"
#include "port/port.h"

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  uint8_t ip[4];
  int error = !max || family == MOTE_FAMILY_IP6 ? MOTE_PORT_NO_NAME : mote_embedded_lookup(name, ip);
  *count = !error;
  if(!error)
    mote_addr_set_ip4(out, ip, 0);
  return error;
}
