/* port/zephyr/board.h: what an application gives the port for Zephyr: one function. Zephyr gives the clock,
 * random bytes (CSPRNG_ENABLED), sockets and the resolver.
 *
 * Threads: any may call it.
 * Tests:   tests/package/test_systems.py compiles the port with stub headers; it has not run on hardware */
#ifndef MOTE_PORT_ZEPHYR_BOARD_H
#define MOTE_PORT_ZEPHYR_BOARD_H

#include <stdint.h>

/* Unix time in seconds; certificates are judged by it. */
int64_t mote_zephyr_wall(void);

#endif
