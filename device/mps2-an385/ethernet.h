/* ethernet.h: the driver, for the two ways to run lwIP (bare/network.c, freertos/network.c), each of which
 * has its own board_ethernet_interrupt() (board.h). */
#ifndef MOTE_BOARD_ETHERNET_H
#define MOTE_BOARD_ETHERNET_H

#include <lwip/netif.h>
#include <stdbool.h>

/* For netif_add(). Resets the chip, which receives then; its interrupt is off. */
err_t ethernet_start(struct netif *n);
/* True when there is a frame. */
bool ethernet_waits(void);
/* Hands all frames that are there to n->input. True when there was any. */
bool ethernet_take(struct netif *n);
/* Turns the interrupt on, which comes with the next frame, or soon for one that is there. */
void ethernet_interrupt_on(void);
void ethernet_interrupt_off(void);

#endif
