/* main.h: as STM32CubeMX writes it. */
#ifndef __MAIN_H
#define __MAIN_H

#include "board.h"

void MX_LWIP_Init(void);
/* Calls the Ethernet driver's message again that found no room. From the tick. */
void ethernetif_tick(void);
void Error_Handler(void);

#endif
