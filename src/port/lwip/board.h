/* port/lwip/board.h: what a board gives the lwIP port: five functions.
 *
 * Errors:  only mote_lwip_random can fail.
 * Threads: none. lwIP and the library run in one thread; an interrupt handler calls neither.
 * Memory:  nothing is allocated.
 * Tests:   device/port-test, tests/unit/port/test_lwip.c */
#ifndef MOTE_PORT_LWIP_BOARD_H
#define MOTE_PORT_LWIP_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Milliseconds since the start. lwIP's own clock too: sys_now() is its low half. */
uint64_t mote_lwip_ms(void);
/* Unix time in seconds; certificates are judged by it. */
int64_t mote_lwip_wall(void);
/* n bytes fit for keys. false: there are none, and *p is not to be used. */
bool mote_lwip_random(void *p, size_t n);
/* lwIP's LWIP_RAND(): ports, DNS ids, sequence numbers. Must not be guessed by others. */
uint32_t mote_lwip_rand(void);
/* Hands the frames that have come to lwIP (netif->input). Where there is none it sleeps, at most ms, until
 * one comes, and hands it over. 0: does not sleep. May always return early. */
void mote_lwip_wait(uint32_t ms);

#endif
