/* freertos/network.h: between the kernel's tick and the driver. */
#ifndef MOTE_BOARD_FREERTOS_NETWORK_H
#define MOTE_BOARD_FREERTOS_NETWORK_H

/* For the tick's interrupt. Notifies lwIP's task of frames whose message found no room. */
void network_tick(void);

#endif
