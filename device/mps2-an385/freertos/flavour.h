/* flavour.h: what the port's test has to know of lwIP under FreeRTOS. */
#ifndef MOTE_BOARD_FLAVOUR_H
#define MOTE_BOARD_FLAVOUR_H

#include <lwip/tcpip.h>

#define BOARD_SOCKETS MEMP_NUM_NETCONN     /* at once */
#define BOARD_SEND_AFTER_RESET ENOTCONN    /* a socket reports its error once */

/* Around what looks into lwIP. */
static inline void board_lock_network(void)
{
  LOCK_TCPIP_CORE();
}

static inline void board_unlock_network(void)
{
  UNLOCK_TCPIP_CORE();
}

#endif
