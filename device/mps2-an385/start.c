/* start.c: vectors, and the way from reset to board_run(). */
#include <string.h>

#include "board.h"
#include "start.h"

extern uint32_t board_data_start[], board_data_end[], board_bss_start[], board_bss_end[];
extern const uint32_t board_data_from[];

_Noreturn void board_reset(void);

void board_fault(void)
{
  board_print("fault\n");
  board_exit(70);
}

union vector {
  uint32_t *stack;
  void (*handler)(void);
};

__attribute__((section(".vectors"), used)) static const union vector vectors[16 + BOARD_ETHERNET_IRQ + 1] = {
  [0] = {.stack = board_stack_high},
  [1] = {.handler = board_reset},
  [2] = {.handler = board_fault},
  [3] = {.handler = board_fault},
  [11] = {.handler = board_supervisor},
  [14] = {.handler = board_pending},
  [15] = {.handler = board_tick},
  [16 + BOARD_ETHERNET_IRQ] = {.handler = board_ethernet_interrupt},
};

#define RESET_CONTROL (*(volatile uint32_t *)0xe000ed0c) /* AIRCR: the key, SYSRESETREQ */

_Noreturn void board_restart(void)
{
  for(;;)
    RESET_CONTROL = 0x05fa0004;
}

_Noreturn void board_reset(void)
{
  uint32_t *p;
  for(p = board_stack_low; p < (uint32_t *)__builtin_frame_address(0) - 16; p++)
    *p = BOARD_STACK_PAINT;
  memcpy(board_data_start, board_data_from, (size_t)((char *)board_data_end - (char *)board_data_start));
  memset(board_bss_start, 0, (size_t)((char *)board_bss_end - (char *)board_bss_start));
  board_run();
}
