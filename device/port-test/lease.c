/* lease.c: the minutes of DHCP's lease, with the board's clock put forward. */
#include "lease.h"

#include <lwip/dhcp.h>

#if LWIP_DHCP && !LWIP_TIMERS

#include "port/lwip/board.h"
#include "port/lwip/internal.h"
#include "start.h"

#define MINUTE DHCP_COARSE_TIMER_MSECS

static unsigned minutes_used(void)
{
  const struct dhcp *dhcp = netif_dhcp_data(netif_default);
  return dhcp->lease_used;
}

/* ms pass, after which the network is driven for a moment. */
static void put_forward(uint32_t ms)
{
  while(ms--)
    board_tick();
  mote_lwip_turn(0);
}

bool lease_is_counted(void)
{
  uint32_t begin = (uint32_t)mote_lwip_ms(), next = MINUTE - begin % MINUTE;
  unsigned before = minutes_used(), driven;
  while((uint32_t)mote_lwip_ms() - begin <= next)
    put_forward(500);
  driven = minutes_used() - before;
  put_forward(3 * MINUTE); /* while the application was busy */
  return driven == 1 && minutes_used() - before == 4;
}

#else

bool lease_is_counted(void)
{
  return true;
}

#endif
