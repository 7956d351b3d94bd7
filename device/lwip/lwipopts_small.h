/* lwipopts_small.h: what a device with 64 KB of flash and little RAM does without (see lwipopts.h). */
#ifndef MOTE_LWIPOPTS_SMALL_H
#define MOTE_LWIPOPTS_SMALL_H

#define LWIP_ICMP 0       /* no ping */
#define ARP_TABLE_SIZE 2  /* the gateway and a neighbour */
#define TCP_MSS 536       /* every host can send as little (RFC 9293, 3.7.1) */
#define TCP_WND (4 * TCP_MSS)
#define TCP_SND_BUF (2 * TCP_MSS)
#define PBUF_POOL_BUFSIZE 304 /* a full segment is two of them */
#define PBUF_POOL_SIZE 10
#define MOTE_LWIP_POOL_SMALL 6
#define MOTE_LWIP_POOL_LARGE 3
#define DNS_MAX_NAME_LENGTH 128 /* longer names are not found */

#endif
