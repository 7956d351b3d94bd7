/* freertos/network.c: lwIP in a task of its own. The controller's interrupt sends it a message, and it takes
 * the frames itself, without another task or a queue of frames. */
#include <FreeRTOS.h>
#include <task.h>

#include <lwip/dhcp.h>
#include <lwip/dns.h>
#include <lwip/etharp.h>
#include <lwip/tcpip.h>

#include "board.h"
#include "ethernet.h"
#include "freertos/network.h"

#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(0xe000e400 + (irq)))

static struct netif netif;
static struct tcpip_callback_msg *take;
static volatile bool sent; /* the message is under way and the interrupt off */

/* In lwIP's task. */
static void take_frames(void *argument)
{
  (void)argument;
  (void)ethernet_take(&netif);
  sent = false;
  ethernet_interrupt_on();
}

void board_ethernet_interrupt(void)
{
  ethernet_interrupt_off();
  sent = tcpip_callbackmsg_trycallback_fromisr(take) == ERR_OK;
}

/* Sends the message again when it found no room, since the interrupt stays off until then. */
void network_tick(void)
{
  if(take && !sent && ethernet_waits())
    board_ethernet_interrupt();
}

/* ---- the address ---- */

#if LWIP_DHCP

static void find_address(void)
{
  (void)dhcp_start(&netif);
}

static bool has_address(void)
{
  return dhcp_supplied_address(&netif);
}

#else

static void find_address(void)
{
  static const ip4_addr_t address = BOARD_ADDRESS(IPADDR4_INIT_BYTES);
  static const ip4_addr_t mask = BOARD_MASK(IPADDR4_INIT_BYTES);
  static const ip4_addr_t gateway = BOARD_GATEWAY(IPADDR4_INIT_BYTES);
  static const ip4_addr_t server = BOARD_NAME_SERVER(IPADDR4_INIT_BYTES);
  netif_set_addr(&netif, &address, &mask, &gateway);
  dns_setserver(0, &server);
}

static bool has_address(void)
{
  return !ip4_addr_isany(netif_ip4_addr(&netif));
}

#endif

/* In lwIP's task. */
static void start(void *argument)
{
  (void)argument;
  (void)netif_add_noaddr(&netif, NULL, ethernet_start, netif_input);
  netif_set_default(&netif);
  netif_set_up(&netif);
  take = tcpip_callbackmsg_new(take_frames, NULL);
  NVIC_PRIORITY(BOARD_ETHERNET_IRQ) = BOARD_ETHERNET_PRIORITY;
  ethernet_interrupt_on();
  find_address();
}

bool board_network_up(uint32_t ms)
{
  TickType_t begun = xTaskGetTickCount();
  tcpip_init(start, NULL);
  while(!has_address()) {
    if(xTaskGetTickCount() - begun >= ms)
      return false;
    vTaskDelay(1);
  }
  return true;
}
