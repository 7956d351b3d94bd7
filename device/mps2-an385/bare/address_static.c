/* address_static.c: a fixed address, of the emulator's own network; DHCP would take 3,500 bytes of flash. */
#include <lwip/dns.h>

#include "board.h"
#include "bare/network.h"

#if !LWIP_DHCP

bool board_network_up(uint32_t ms)
{
  static const ip4_addr_t address = BOARD_ADDRESS(IPADDR4_INIT_BYTES);
  static const ip4_addr_t mask = BOARD_MASK(IPADDR4_INIT_BYTES);
  static const ip4_addr_t gateway = BOARD_GATEWAY(IPADDR4_INIT_BYTES);
  static const ip4_addr_t server = BOARD_NAME_SERVER(IPADDR4_INIT_BYTES);
  (void)ms;
  netif_set_addr(board_netif(), &address, &mask, &gateway);
  dns_setserver(0, &server);
  return true;
}

#endif
