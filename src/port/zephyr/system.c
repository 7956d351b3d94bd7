/* port/zephyr/system.c: the clock and random bytes are the kernel's, the time of day the application's; no
 * error texts; a mutex. */
#include <zephyr/kernel.h>
#include <zephyr/random/random.h>

#include "port/lock.h"
#include "port/port.h"
#include "port/zephyr/board.h"

mote_time mote_port_now(void)
{
  return (mote_time)k_uptime_get() * 1000 + 1;
}

int64_t mote_port_wall(void)
{
  return mote_zephyr_wall();
}

CURLcode mote_port_random(void *p, size_t n)
{
  return sys_csrand_get(p, n) ? CURLE_FAILED_INIT : CURLE_OK;
}

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  (void)error;
  (void)cap;
  out[0] = 0;
  return 0;
}

/* A waiting thread sleeps, because yielding alone would never let one of lower priority go on. */
void mote_port_lock(struct mote_mutex *m)
{
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire))
    k_msleep(1);
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
}
