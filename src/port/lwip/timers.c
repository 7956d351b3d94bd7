/* port/lwip/timers.c: lwIP's timers: its own list, or (LWIP_TIMERS 0) those of the protocols that the port
 * needs, and DHCP's.
 * Tests: device/port-test, tests/unit/port/test_lwip.c */
#include <lwip/timeouts.h>

#include "port/lwip/board.h"
#include "port/lwip/internal.h"

#if LWIP_TIMERS

uint32_t mote_lwip_timer(void)
{
  return sys_timeouts_sleeptime();
}

void mote_lwip_run_timers(void)
{
  sys_check_timeouts();
}

#else

#include <lwip/dhcp.h>
#include <lwip/dns.h>
#include <lwip/etharp.h>
#include <lwip/priv/tcp_priv.h>

#if LWIP_AUTOIP || LWIP_IGMP || IP_REASSEMBLY || LWIP_IPV6
#error "these need LWIP_TIMERS"
#endif

#define TURNS (DNS_TMR_INTERVAL / TCP_TMR_INTERVAL) /* ARP's interval is that of DNS */
#define DHCP_TURNS (DHCP_FINE_TIMER_MSECS / TCP_TMR_INTERVAL)

static uint32_t due;
static uint8_t turn;

/* However long the pause was: half of a clock of 32 bits is 25 days. */
uint32_t mote_lwip_timer(void)
{
  uint32_t left = due - (uint32_t)mote_lwip_ms();
  return left <= TCP_TMR_INTERVAL ? left : 0;
}

#if LWIP_DHCP

/* A lease ends by the clock: its minutes count, too, that pass while the network is not driven. */
static void lwip_timers_of_dhcp(void)
{
  static uint32_t counted;
  uint32_t now = (uint32_t)mote_lwip_ms();
  if(turn % DHCP_TURNS == 0)
    dhcp_fine_tmr();
  for(; now - counted >= DHCP_COARSE_TIMER_MSECS; counted += DHCP_COARSE_TIMER_MSECS)
    dhcp_coarse_tmr();
}

#else

static void lwip_timers_of_dhcp(void)
{
}

#endif

/* After a long pause once, not as often as it would have been. */
void mote_lwip_run_timers(void)
{
  if(mote_lwip_timer())
    return;
  due = (uint32_t)mote_lwip_ms() + TCP_TMR_INTERVAL;
  tcp_tmr();
  turn++;
  lwip_timers_of_dhcp();
  if(turn % TURNS)
    return;
  etharp_tmr();
  dns_tmr();
}

#endif
