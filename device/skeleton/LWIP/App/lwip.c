/* lwip.c: as STM32CubeMX writes it: starts lwIP's task, adds the interface and asks DHCP for an address. */
#include <FreeRTOS.h>
#include <task.h>

#include <lwip/dhcp.h>
#include <lwip/tcpip.h>

#include "ethernet.h"
#include "main.h"

#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(0xe000e400 + (irq)))
#define PRIORITY 0xc0 /* may call the kernel */

struct netif gnetif;
static struct tcpip_callback_msg *take;
static volatile bool sent; /* the message is under way and the interrupt off */

static void take_frames(void *argument)
{
  (void)argument;
  (void)ethernet_take(&gnetif);
  sent = false;
  ethernet_interrupt_on();
}

void board_ethernet_interrupt(void)
{
  ethernet_interrupt_off();
  sent = take && tcpip_callbackmsg_trycallback_fromisr(take) == ERR_OK;
}

void ethernetif_tick(void)
{
  if(take && !sent && ethernet_waits())
    board_ethernet_interrupt();
}

static void start(void *argument)
{
  (void)argument;
  (void)netif_add_noaddr(&gnetif, NULL, ethernet_start, netif_input);
  netif_set_default(&gnetif);
  netif_set_up(&gnetif);
  take = tcpip_callbackmsg_new(take_frames, NULL);
  NVIC_PRIORITY(BOARD_ETHERNET_IRQ) = PRIORITY;
  ethernet_interrupt_on();
  (void)dhcp_start(&gnetif);
}

void MX_LWIP_Init(void)
{
  tcpip_init(start, NULL);
  while(!dhcp_supplied_address(&gnetif))
    vTaskDelay(1);
}
