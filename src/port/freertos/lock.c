/* port/freertos/lock.c: a mutex that needs no memory of the kernel's. Who waits sleeps for a tick: yielding
 * alone would never let a task of lower priority go on. Held for moments only; no priority is lent. */
#include <FreeRTOS.h>
#include <task.h>

#include "port/lock.h"

void mote_port_lock(struct mote_mutex *m)
{
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire))
    vTaskDelay(1);
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
}
