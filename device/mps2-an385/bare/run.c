/* bare/run.c: the image without a system, with its clock and its only stack. */
#include "board.h"
#include "port/lwip/board.h"
#include "start.h"

#define SYSTICK_CONTROL (*(volatile uint32_t *)0xe000e010)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xe000e014)
#define SYSTICK_VALUE (*(volatile uint32_t *)0xe000e018)

static volatile uint64_t milliseconds;

void board_tick(void)
{
  milliseconds++;
}

void board_supervisor(void)
{
  board_fault();
}

void board_pending(void)
{
  board_fault();
}

_Noreturn void board_run(void)
{
  SYSTICK_RELOAD = BOARD_CLOCK_HZ / 1000 - 1;
  SYSTICK_VALUE = 0;
  SYSTICK_CONTROL = 7; /* the processor's clock, with interrupt */
  board_exit(main());
}

size_t board_stack_used(void)
{
  const uint32_t *p = board_stack_low;
  while(p < board_stack_end && *p == BOARD_STACK_PAINT)
    p++;
  return (size_t)((const char *)board_stack_end - (const char *)p);
}

/* An interrupt changes these two words, so they are read until they stay. */
uint64_t mote_lwip_ms(void)
{
  uint64_t now;
  do
    now = milliseconds;
  while(now != milliseconds);
  return now;
}

/* ---- the port's other hooks ---- */

int64_t mote_lwip_wall(void)
{
  return board_wall();
}

bool mote_lwip_random(void *p, size_t n)
{
  return board_random(p, n);
}
