/* port/lwip/system.c: clock and random bytes, as the board has them; no locks, because there is one
 * thread. */
#include <lwip/sys.h>

#include "port/lwip/board.h"
#include "port/lock.h"
#include "port/port.h"

mote_time mote_port_now(void)
{
  return (mote_time)mote_lwip_ms() * MOTE_MS + 1;
}

/* lwIP's clock. */
u32_t sys_now(void)
{
  return (u32_t)mote_lwip_ms();
}

int64_t mote_port_wall(void)
{
  return mote_lwip_wall();
}

CURLcode mote_port_random(void *p, size_t n)
{
  return mote_lwip_random(p, n) ? CURLE_OK : CURLE_FAILED_INIT;
}

void mote_port_lock(struct mote_mutex *m)
{
  (void)m;
}

void mote_port_unlock(struct mote_mutex *m)
{
  (void)m;
}
