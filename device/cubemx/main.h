/* main.h: the firmware's, with the chip's library behind it: nothing that the library's files need. */
#ifndef __MAIN_H
#define __MAIN_H

#include <stdint.h>

void Error_Handler(void);

#endif
