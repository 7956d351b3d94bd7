/* address_static.c: a fixed address, of the emulator's own network; DHCP would take 3,900 bytes of flash. */
#include <lwip/dns.h>

#include "board.h"
#include "bare/network.h"

#if !LWIP_DHCP

bool board_network_up(uint32_t ms)
{
  static const ip4_addr_t address = IPADDR4_INIT_BYTES(10, 0, 2, 15);
  static const ip4_addr_t mask = IPADDR4_INIT_BYTES(255, 255, 255, 0);
  static const ip4_addr_t gateway = IPADDR4_INIT_BYTES(10, 0, 2, 2);
  static const ip4_addr_t server = IPADDR4_INIT_BYTES(10, 0, 2, 3);
  (void)ms;
  netif_set_addr(board_netif(), &address, &mask, &gateway);
  dns_setserver(0, &server);
  return true;
}

#endif
