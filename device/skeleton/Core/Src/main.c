/* main.c: as STM32CubeMX writes it: the default task brings up lwIP and goes on in a section of the user's. */
#include <FreeRTOS.h>
#include <task.h>

#include "main.h"

/* USER CODE BEGIN Includes */

/* USER CODE END Includes */

static StaticTask_t defaultTask;

/* USER CODE BEGIN 0 */

/* USER CODE END 0 */

static void StartDefaultTask(void *argument)
{
  (void)argument;
  MX_LWIP_Init();
  /* USER CODE BEGIN 5 */

  /* USER CODE END 5 */
  for(;;)
    vTaskDelay(1);
}

/* Called by the board's start code when memory is set up; its stack becomes the default task's. */
_Noreturn void board_run(void)
{
  uint32_t words = (uint32_t)(board_stack_end - board_stack_low);
  (void)xTaskCreateStatic(StartDefaultTask, "defaultTask", words, NULL, 24, board_stack_low, &defaultTask);
  vTaskStartScheduler();
  Error_Handler();
  for(;;)
    ;
}

void Error_Handler(void)
{
  board_exit(70);
}

void vApplicationIdleHook(void);
void vApplicationIdleHook(void)
{
  __asm__ volatile("wfi");
}

void vApplicationTickHook(void);
void vApplicationTickHook(void)
{
  ethernetif_tick();
}
