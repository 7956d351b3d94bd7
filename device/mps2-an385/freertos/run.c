/* freertos/run.c: main() as a task under the kernel, and the kernel's and the port's hooks. */
#include <FreeRTOS.h>
#include <task.h>

#include <lwip/sys.h>

#include "board.h"
#include "freertos/network.h"
#include "port/freertos/board.h"
#include "start.h"

#define MAIN_PRIORITY 1

static StaticTask_t task;

static void run_main(void *argument)
{
  int status;
  (void)argument;
  status = main();
  board_print("stack of lwIP's task ");
  board_print_number((uint32_t)sys_arch_stack_used());
  board_print(" of ");
  board_print_number(TCPIP_THREAD_STACKSIZE);
  board_print("\n");
  board_exit(status);
}

/* The painted stack becomes the task's: the kernel does not paint it again. */
_Noreturn void board_run(void)
{
  uint32_t words = (uint32_t)(board_stack_end - board_stack_low);
  (void)xTaskCreateStatic(run_main, "m", words, NULL, MAIN_PRIORITY, board_stack_low, &task);
  vTaskStartScheduler();
  board_exit(70);
}

void board_pause(uint32_t ms)
{
  vTaskDelay(pdMS_TO_TICKS(ms));
}

size_t board_stack_used(void)
{
  const uint32_t *p = board_stack_low;
  while(p < board_stack_end && *p == BOARD_STACK_PAINT)
    p++;
  return (size_t)((const char *)board_stack_end - (const char *)p);
}

void vApplicationIdleHook(void);
void vApplicationIdleHook(void)
{
  __asm__ volatile("wfi");
}

void vApplicationTickHook(void);
void vApplicationTickHook(void)
{
  network_tick();
}

int64_t mote_freertos_wall(void)
{
  return board_wall();
}

bool mote_freertos_random(void *p, size_t n)
{
  return board_random(p, n);
}
