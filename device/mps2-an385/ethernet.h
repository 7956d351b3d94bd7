/* ethernet.h: the driver, as the two ways to run lwIP use it (bare/network.c, freertos/network.c).
 *
 * board_ethernet_interrupt() (board.h) is theirs. */
#ifndef MOTE_BOARD_ETHERNET_H
#define MOTE_BOARD_ETHERNET_H

#include <lwip/netif.h>
#include <stdbool.h>

/* For netif_add(): the chip is reset and receives; its interrupt is off. */
err_t ethernet_start(struct netif *n);
/* Is there a frame? */
bool ethernet_waits(void);
/* Hands all frames that are there to n->input. Was there any? */
bool ethernet_take(struct netif *n);
/* On: an interrupt comes at the next frame, or soon for one that is there. */
void ethernet_interrupt_on(void);
void ethernet_interrupt_off(void);

#endif
