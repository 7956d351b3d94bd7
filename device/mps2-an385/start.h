/* start.h: between the start of the board and the two ways to run an image (bare/, freertos/). */
#ifndef MOTE_BOARD_START_H
#define MOTE_BOARD_START_H

#include <stdint.h>

#define BOARD_CLOCK_HZ 25000000u
#define BOARD_STACK_PAINT 0x5aa5c33cu /* of the stack's words that were never used */

/* main()'s stack is from low to end; what runs before it, and interrupts under a system, from end to high. */
extern uint32_t board_stack_low[], board_stack_end[], board_stack_high[]; /* link.ld */

int main(void);
void board_fault(void);

/* Memory is set up, interrupts of devices are off. Runs main() and ends the image with its result. */
_Noreturn void board_run(void);
/* Vectors 11, 14 and 15. */
void board_supervisor(void);
void board_pending(void);
void board_tick(void);

#endif
