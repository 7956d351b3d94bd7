/* bare/network.h: between lwIP without a system and the file that gives it an address.
 *
 * LWIP_DHCP chooses whether address_dhcp.c or address_static.c defines board_network_up(). */
#ifndef MOTE_BOARD_BARE_NETWORK_H
#define MOTE_BOARD_BARE_NETWORK_H

#include <lwip/netif.h>

/* Starts lwIP on the controller, without an address yet. Call it once. */
struct netif *board_netif(void);

#endif
