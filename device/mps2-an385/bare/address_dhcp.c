/* address_dhcp.c: the address by DHCP. */
#include <lwip/dhcp.h>

#include "board.h"
#include "bare/network.h"
#include "port/lwip/board.h"
#include "port/lwip/internal.h"

#if LWIP_DHCP

bool board_network_up(uint32_t ms)
{
  struct netif *n = board_netif();
  uint32_t start = (uint32_t)mote_lwip_ms();
  (void)dhcp_start(n);
  while(!dhcp_supplied_address(n)) {
    if((uint32_t)mote_lwip_ms() - start >= ms)
      return false;
    mote_lwip_turn(ms);
  }
  return true;
}

#endif
