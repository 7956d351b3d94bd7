/* port/freertos/board.h: what a board gives the port for FreeRTOS with lwIP's sockets: two functions.
 *
 * The kernel gives the clock; lwIP's own layer (sys_arch), its driver and its task are the firmware's, as in
 * any firmware with lwIP.
 * Threads: any task may call them.
 * Tests:   device/port-test, tests/unit/port/test_freertos.c */
#ifndef MOTE_PORT_FREERTOS_BOARD_H
#define MOTE_PORT_FREERTOS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unix time in seconds; certificates are judged by it. */
int64_t mote_freertos_wall(void);
/* n bytes fit for keys. false: there are none, and *p is not to be used. */
bool mote_freertos_random(void *p, size_t n);

#endif
