/* port/zephyr/system.c: the clock and random bytes are the kernel's, the time of day the application's. */
#include <zephyr/kernel.h>
#include <zephyr/random/random.h>

#include "port/port.h"
#include "port/spin/nap.h"
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

void mote_port_nap(unsigned tries)
{
  (void)tries;
  k_msleep(1);
}
