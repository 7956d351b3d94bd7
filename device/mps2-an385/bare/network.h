/* bare/network.h: between lwIP without a system and who gives it an address.
 *
 * address_dhcp.c or address_static.c is board_network_up(), as LWIP_DHCP says. */
#ifndef MOTE_BOARD_BARE_NETWORK_H
#define MOTE_BOARD_BARE_NETWORK_H

#include <lwip/netif.h>

/* lwIP started, the controller under it, no address yet. Once. */
struct netif *board_netif(void);

#endif
