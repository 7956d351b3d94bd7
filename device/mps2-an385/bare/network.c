/* bare/network.c: lwIP without a system. The waiting code hands the frames over; the interrupt only ends a
 * sleep. */
#include <lwip/etharp.h>
#include <lwip/init.h>

#include "bare/network.h"
#include "board.h"
#include "ethernet.h"
#include "port/lwip/board.h"
#include "port/lwip/internal.h"

static struct netif netif;

void board_ethernet_interrupt(void)
{
  ethernet_interrupt_off(); /* until the frames are read */
}

void mote_lwip_wait(uint32_t ms)
{
  uint32_t start = (uint32_t)mote_lwip_ms();
  while(!ethernet_take(&netif) && (uint32_t)mote_lwip_ms() - start < ms) {
    ethernet_interrupt_on();
    __asm__ volatile("wfi"); /* the clock ends it each millisecond, so that a frame just missed does not wait long */
  }
}

void board_pause(uint32_t ms)
{
  uint32_t start = (uint32_t)mote_lwip_ms(), over;
  while((over = (uint32_t)mote_lwip_ms() - start) < ms)
    mote_lwip_turn(ms - over);
}

struct netif *board_netif(void)
{
  lwip_init();
  (void)netif_add_noaddr(&netif, NULL, ethernet_start, netif_input);
  netif_set_default(&netif);
  netif_set_up(&netif);
  return &netif;
}
