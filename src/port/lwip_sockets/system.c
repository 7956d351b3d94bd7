/* port/lwip_sockets/system.c: the clock and a delay by lwIP's own layer over whatever system there is; random
 * bytes and the time of day, as the board has them. The port's other files are port/freertos's and
 * port/embedded's (cmake/select.cmake). */
#include <lwip/sys.h>

#include "port/freertos/task.h"
#include "port/lock.h"
#include "port/lwip_sockets/board.h"
#include "port/port.h"
#include "port/spin/nap.h"

static struct mote_mutex guard;
static uint32_t last; /* sys_now() when it was asked last */
static uint64_t wrapped; /* milliseconds that its 32 bits have lost: looked at less often than every 49 days,
                            the clock loses time, but never goes back */

/* lwIP's layer does not distinguish tasks. */
const void *mote_freertos_task(void)
{
  return NULL;
}

mote_time mote_port_now(void)
{
  uint64_t ms;
  uint32_t now;
  mote_port_lock(&guard);
  now = sys_now();
  if(now < last)
    wrapped += UINT64_C(1) << 32;
  last = now;
  ms = wrapped + now;
  mote_port_unlock(&guard);
  return (mote_time)(ms * 1000) + 1;
}

int64_t mote_port_wall(void)
{
  return mote_lwip_sockets_wall();
}

CURLcode mote_port_random(void *p, size_t n)
{
  return mote_lwip_sockets_random(p, n) ? CURLE_OK : CURLE_FAILED_INIT;
}

void mote_port_nap(unsigned tries)
{
  (void)tries;
  sys_msleep(1);
}
