/* port/freertos/system.c: the clock by the kernel's ticks; random bytes and the time of day, as the board
 * has them. */
#include <FreeRTOS.h>
#include <task.h>

#include "port/freertos/board.h"
#include "port/freertos/task.h"
#include "port/port.h"
#include "port/spin/nap.h"

#define TICK_BITS (sizeof(TickType_t) * 8) /* 16, 32 or 64, by the kernel's configuration */

mote_time mote_port_now(void)
{
  TimeOut_t now; /* the ticks, and how often they have begun again */
  uint64_t before;
  vTaskSetTimeOutState(&now);
  before = (uint64_t)(uint32_t)now.xOverflowCount << (TICK_BITS - 1) << 1; /* 64: no shift by all bits */
  return (mote_time)(before | now.xTimeOnEntering) * (1000000 / configTICK_RATE_HZ) + 1;
}

const void *mote_freertos_task(void)
{
  return xTaskGetCurrentTaskHandle();
}

int64_t mote_port_wall(void)
{
  return mote_freertos_wall();
}

CURLcode mote_port_random(void *p, size_t n)
{
  return mote_freertos_random(p, n) ? CURLE_OK : CURLE_FAILED_INIT;
}

void mote_port_nap(unsigned tries)
{
  (void)tries;
  vTaskDelay(1);
}
