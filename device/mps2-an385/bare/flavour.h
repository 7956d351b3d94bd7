/* flavour.h: what the port's test has to know of lwIP without a system. */
#ifndef MOTE_BOARD_FLAVOUR_H
#define MOTE_BOARD_FLAVOUR_H

#include "port/lwip/internal.h"

#define BOARD_SOCKETS MOTE_LWIP_SOCKETS    /* at once */
#define BOARD_SEND_AFTER_RESET ECONNRESET

/* Around what looks into lwIP. */
static inline void board_lock_network(void)
{
}

static inline void board_unlock_network(void)
{
}

#endif
