/* ethernet.c: the LAN9118 Ethernet controller under lwIP (SMSC's data sheet, revision 1.5; sections by name).
 *
 * Frames pass through the chip's FIFOs word by word. A frame in lwIP begins with ETH_PAD_SIZE bytes that the
 * chip adds to what comes and leaves out of what goes. The waiting code turns the interrupt on; the first
 * frame turns it off. */
#include <lwip/etharp.h>
#include <string.h>

#include "board.h"
#include "ethernet.h"

#define NVIC_ENABLE (*(volatile uint32_t *)0xe000e100)
#define REGISTER(offset) (*(volatile uint32_t *)(0x40200000 + (offset)))
#define RX_DATA REGISTER(0x00)
#define TX_DATA REGISTER(0x20)
#define RX_STATUS REGISTER(0x40)
#define INT_STATUS REGISTER(0x58)
#define INT_ENABLE REGISTER(0x5c)
#define IRQ_CONFIG REGISTER(0x54)
#define FIFO_INT REGISTER(0x68)
#define RX_CONFIG REGISTER(0x6c)
#define TX_CONFIG REGISTER(0x70)
#define HW_CONFIG REGISTER(0x74)
#define RX_INFO REGISTER(0x7c)
#define TX_INFO REGISTER(0x80)
#define MAC_COMMAND REGISTER(0xa4)
#define MAC_DATA REGISTER(0xa8)

#define HW_RESET 1u
#define HW_MUST_BE_ONE (1u << 20)
#define HW_TX_FIFO (5u << 16)     /* 5 of 16 KB, the default */
#define IRQ_ON 0x111u             /* enabled, active high, push-pull */
#define INT_RX_STATUS (1u << 3)   /* there are more frames than FIFO_INT says */
#define RX_OFFSET (ETH_PAD_SIZE << 8)
#define RX_ERROR (1u << 15)
#define TX_ON 2u
#define TX_STATUS_OVERRUN 4u      /* the status of sent frames is never read */
#define TX_FIRST (1u << 13)
#define TX_LAST (1u << 12)
#define MAC_BUSY (1u << 31)
#define MAC_READ (1u << 30)
#define MAC_CONTROL 1u            /* registers that MAC_COMMAND reaches */
#define MAC_HIGH 2u
#define MAC_LOW 3u
#define MAC_RX_TX 0xcu            /* of MAC_CONTROL: receiver and transmitter on */

static void mac_write(uint32_t index, uint32_t value)
{
  MAC_DATA = value;
  MAC_COMMAND = MAC_BUSY | index;
  while(MAC_COMMAND & MAC_BUSY)
    ;
}

static uint32_t mac_read(uint32_t index)
{
  MAC_COMMAND = MAC_BUSY | MAC_READ | index;
  while(MAC_COMMAND & MAC_BUSY)
    ;
  return MAC_DATA;
}

void ethernet_interrupt_off(void)
{
  INT_ENABLE = 0;
}

void ethernet_interrupt_on(void)
{
  INT_STATUS = INT_RX_STATUS;
  INT_ENABLE = INT_RX_STATUS;
}

bool ethernet_waits(void)
{
  return RX_INFO & 0xff0000;
}

/* Each pbuf becomes one buffer of the chip, which takes whole words and skips what is before and after. */
static err_t send(struct netif *n, struct pbuf *p)
{
  uint32_t length = p->tot_len - ETH_PAD_SIZE, first = TX_FIRST;
  const struct pbuf *q;
  (void)n;
  if((TX_INFO & 0xffff) < p->tot_len + 16u * pbuf_clen(p))
    return ERR_MEM;
  for(q = p; q; q = q->next) {
    const uint8_t *from = q->payload;
    uint32_t size = q->len;
    uint32_t words;
    if(first) {
      from += ETH_PAD_SIZE;
      size -= ETH_PAD_SIZE;
    }
    words = ((uintptr_t)from & 3) + size;
    TX_DATA = first | (q->next ? 0 : TX_LAST) | ((uintptr_t)from & 3) << 16 | size;
    TX_DATA = length;
    from -= (uintptr_t)from & 3;
    for(words = (words + 3) / 4; words; words--, from += 4)
      TX_DATA = *(const uint32_t *)(const void *)from;
    first = 0;
  }
  return ERR_OK;
}

/* Takes the next frame of the chip; NULL when lwIP has no room for it or it is broken. */
static struct pbuf *receive(void)
{
  uint32_t status = RX_STATUS;
  uint32_t length = (status >> 16) & 0x3fff;          /* with four bytes of checksum */
  uint32_t words = (length + ETH_PAD_SIZE + 3) / 4;
  struct pbuf *p = NULL, *q;
  if(!(status & RX_ERROR) && length > 4)
    p = pbuf_alloc(PBUF_RAW, (u16_t)(length - 4 + ETH_PAD_SIZE), PBUF_POOL);
  for(q = p; q; q = q->next) {
    uint32_t *to = q->payload;
    uint32_t n = (q->len + 3u) / 4;
    words -= n;
    while(n--)
      *to++ = RX_DATA;
  }
  while(words--)
    (void)RX_DATA;
  return p;
}

bool ethernet_take(struct netif *n)
{
  bool any = false;
  while(ethernet_waits()) {
    struct pbuf *p = receive();
    any = true;
    if(p && n->input(p, n))
      pbuf_free(p);
  }
  return any;
}

err_t ethernet_start(struct netif *n)
{
  uint32_t low, high;
  HW_CONFIG = HW_RESET;
  while(HW_CONFIG & HW_RESET)
    ;
  HW_CONFIG = HW_MUST_BE_ONE | HW_TX_FIFO;
  FIFO_INT = 0;
  IRQ_CONFIG = IRQ_ON; /* before that the line is active low, so always on */
  NVIC_ENABLE = 1u << BOARD_ETHERNET_IRQ;
  RX_CONFIG = RX_OFFSET;
  TX_CONFIG = TX_ON | TX_STATUS_OVERRUN;
  mac_write(MAC_CONTROL, MAC_RX_TX);
  low = mac_read(MAC_LOW);
  high = mac_read(MAC_HIGH);
  memcpy(n->hwaddr, &low, 4);
  memcpy(n->hwaddr + 4, &high, 2);
  n->hwaddr_len = ETH_HWADDR_LEN;
  n->mtu = 1500;
  n->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_LINK_UP;
  n->output = etharp_output;
  n->linkoutput = send;
  return ERR_OK;
}
