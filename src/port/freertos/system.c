/* port/freertos/system.c: the clock by the kernel's ticks; random bytes and the time of day, as the board
 * has them; no error texts; a mutex. */
#include <FreeRTOS.h>
#include <task.h>

#include "port/freertos/board.h"
#include "port/freertos/task.h"
#include "port/lock.h"
#include "port/port.h"

mote_time mote_port_now(void)
{
  TimeOut_t now; /* the ticks, and how often they have begun again */
  vTaskSetTimeOutState(&now);
  return (mote_time)((uint64_t)(uint32_t)now.xOverflowCount << 32 | now.xTimeOnEntering) *
         (1000000 / configTICK_RATE_HZ) + 1;
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

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  (void)error;
  (void)cap;
  out[0] = 0;
  return 0;
}

/* A mutex that needs no memory of the kernel. A waiting task sleeps for a tick, because yielding alone
 * would never let a task of lower priority go on. It is held for moments only, so no priority is lent. */
void mote_port_lock(struct mote_mutex *m)
{
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire))
    vTaskDelay(1);
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
}
