/* port/lwip_sockets/board.h: what a board gives the port for lwIP's sockets under any system: two functions.
 *
 * lwIP's own layer (sys_arch) gives the clock and a delay.
 * Threads: any may call them.
 * Tests:   device/port-test */
#ifndef MOTE_PORT_LWIP_SOCKETS_BOARD_H
#define MOTE_PORT_LWIP_SOCKETS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unix time in seconds; certificates are judged by it. */
int64_t mote_lwip_sockets_wall(void);
/* n bytes fit for keys. false: there are none, and *p is not to be used. */
bool mote_lwip_sockets_random(void *p, size_t n);

#endif
