/* main.h: stands for the firmware's, which includes the chip's library. The library's files need nothing of
 * it. */
#ifndef __MAIN_H
#define __MAIN_H

#include <stdint.h>

void Error_Handler(void);

#endif
