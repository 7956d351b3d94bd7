/* start.c: vectors, the way from reset to main, and the clock. */
#include <string.h>

#include "board.h"
#include "port/lwip/board.h"

#define STACK_PAINT 0x5aa5c33cu
#define CLOCK_HZ 25000000u

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xe000e010)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xe000e014)
#define SYSTICK_VALUE (*(volatile uint32_t *)0xe000e018)

extern uint32_t board_stack_low[], board_stack_high[];
extern uint32_t board_data_start[], board_data_end[], board_bss_start[], board_bss_end[];
extern const uint32_t board_data_from[];

int main(void);
_Noreturn void board_reset(void);

static volatile uint64_t milliseconds;

static void tick(void)
{
  milliseconds++;
}

static void fault(void)
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
  [2] = {.handler = fault},
  [3] = {.handler = fault},
  [15] = {.handler = tick},
  [16 + BOARD_ETHERNET_IRQ] = {.handler = board_ethernet_interrupt},
};

_Noreturn void board_reset(void)
{
  uint32_t *p;
  for(p = board_stack_low; p < (uint32_t *)__builtin_frame_address(0) - 16; p++)
    *p = STACK_PAINT;
  memcpy(board_data_start, board_data_from, (size_t)((char *)board_data_end - (char *)board_data_start));
  memset(board_bss_start, 0, (size_t)((char *)board_bss_end - (char *)board_bss_start));
  SYSTICK_RELOAD = CLOCK_HZ / 1000 - 1;
  SYSTICK_VALUE = 0;
  SYSTICK_CONTROL = 7; /* the processor's clock, with interrupt */
  board_exit(main());
}

size_t board_stack_used(void)
{
  const uint32_t *p = board_stack_low;
  while(p < board_stack_high && *p == STACK_PAINT)
    p++;
  return (size_t)((const char *)board_stack_high - (const char *)p);
}

/* Two words that an interrupt changes: read until they stay. */
uint64_t mote_lwip_ms(void)
{
  uint64_t now;
  do
    now = milliseconds;
  while(now != milliseconds);
  return now;
}
