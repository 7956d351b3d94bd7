/* lwippools.h: the pools that lwIP takes memory from, for ARP and bare TCP frames and for full ones.
 * It has no guard, since lwIP includes it several times. The sizes are names because lwIP makes names of
 * them. */
#define MOTE_LWIP_SHORT 96
#define MOTE_LWIP_FRAME (16 + 8 + 16 + 20 + 24 + TCP_MSS) /* struct pbuf, alignment, Ethernet, IP, TCP */

LWIP_MALLOC_MEMPOOL_START
LWIP_MALLOC_MEMPOOL(MOTE_LWIP_POOL_SMALL, MOTE_LWIP_SHORT)
LWIP_MALLOC_MEMPOOL(MOTE_LWIP_POOL_LARGE, MOTE_LWIP_FRAME)
LWIP_MALLOC_MEMPOOL_END
