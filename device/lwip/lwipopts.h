/* lwipopts.h: lwIP as the port needs it: TCP and DNS over IPv4 and Ethernet, raw interface, static memory.
 *
 * -DMOTE_LWIP_DHCP: DHCP too. Sizes: lwipopts_small.h gives smaller ones (-DMOTE_LWIP_SMALL). Under FreeRTOS
 * (-DMOTE_LWIP_FREERTOS) there are sockets too. What is not set here is lwIP's default. */
#ifndef MOTE_LWIPOPTS_H
#define MOTE_LWIPOPTS_H

#ifdef MOTE_LWIP_SMALL
#include "lwipopts_small.h"
#endif
#ifdef MOTE_LWIP_FREERTOS
#include "lwipopts_freertos.h"
#endif

/* ---- no operating system (or lwipopts_freertos.h), no heap but lwIP's own ---- */

#ifndef NO_SYS
#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0 /* interrupts do not call lwIP */
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#endif
#ifndef LWIP_TIMERS
#define LWIP_TIMERS 0 /* the port has less code for the few that there are */
#endif
#define LWIP_STATS 0
#define LWIP_NOASSERT 1
#define LWIP_SINGLE_NETIF 1
#define MEM_LIBC_MALLOC 0
#define MEMP_MEM_MALLOC 0
#define MEM_ALIGNMENT 4
/* The driver's frames begin two bytes late, so that the words of IP and TCP heads are aligned. */
#define ETH_PAD_SIZE 2

/* ---- protocols ---- */

#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_RAW 0
#define LWIP_TCP 1
#define LWIP_UDP 1
#ifdef MOTE_LWIP_DHCP
#define LWIP_DHCP 1       /* 3,500 bytes of flash */
#else
#define LWIP_DHCP 0       /* the board has a fixed address */
#endif
#define LWIP_DNS 1
#ifndef LWIP_ICMP
#define LWIP_ICMP 1 /* who sets a device up wants it to answer a ping */
#endif
#define IP_FRAG 0         /* TCP fits its segments to the link, a DNS question is small */
#define IP_REASSEMBLY 0   /* and answers are at most 512 bytes */
#define IP_FORWARD 0
#define ARP_QUEUEING 0    /* the one packet that waits for ARP is kept, others are repeated */
#ifndef ARP_TABLE_SIZE
#define ARP_TABLE_SIZE 4  /* the gateway and a few neighbours */
#endif
#define DHCP_DOES_ARP_CHECK 0 /* trust the DHCP server: a second sooner */
#define LWIP_DHCP_DOES_ACD_CHECK 0 /* the same, from lwIP 2.2 on */
#define LWIP_DHCP_MAX_DNS_SERVERS DNS_MAX_SERVERS

/* ---- TCP ---- */

#ifndef TCP_MSS
#define TCP_MSS 1460      /* a whole Ethernet frame */
#endif
#ifndef TCP_WND
#define TCP_WND (4 * TCP_MSS) /* two segments on the way while two are read */
#endif
#ifndef TCP_SND_BUF
#define TCP_SND_BUF (2 * TCP_MSS) /* one is acknowledged late (RFC 1122, 4.2.3.2), two are at once */
#endif
#define TCP_SND_QUEUELEN 6
#ifndef MOTE_LWIP_SOCKETS
#define MOTE_LWIP_SOCKETS 2 /* one in use, and one kept or tried meanwhile; a multi takes more */
#endif
#define MEMP_NUM_TCP_SEG (TCP_SND_QUEUELEN + MOTE_LWIP_SOCKETS) /* and what closed connections still have to send */
#define MEMP_NUM_TCP_PCB (2 * MOTE_LWIP_SOCKETS) /* as many in use as are closing */
#define MEMP_NUM_TCP_PCB_LISTEN 1 /* no servers, but 0 does not compile */
#define TCP_QUEUE_OOSEQ 0 /* after a loss the sender repeats; 1,400 bytes of code smaller */
#define TCP_OVERSIZE 0    /* heads are written in one piece */
#define TCP_CALCULATE_EFF_SEND_MSS 0 /* TCP_MSS fits the one link that there is */
#define TCP_LISTEN_BACKLOG 0
#define LWIP_TCP_KEEPALIVE 0 /* idle time can be set, count and interval cannot */

/* ---- memory ---- */

/* Received frames: TCP_WND in pieces, a few for what else comes. So a short frame takes little. */
#ifndef PBUF_POOL_BUFSIZE
#define PBUF_POOL_BUFSIZE 512
#endif
#ifndef PBUF_POOL_SIZE
#define PBUF_POOL_SIZE 16
#endif
#define MEMP_NUM_PBUF 2   /* nothing is sent by reference but ARP's and ICMP's */
/* Sent frames: pools of two sizes instead of a heap, which could fragment. */
#define MEM_USE_POOLS 1
#define MEM_USE_POOLS_TRY_BIGGER_POOL 1
#define MEMP_USE_CUSTOM_POOLS 1
#ifndef MOTE_LWIP_POOL_SMALL
#define MOTE_LWIP_POOL_SMALL 8
#endif
#ifndef MOTE_LWIP_POOL_LARGE
#define MOTE_LWIP_POOL_LARGE 3 /* TCP_SND_BUF, and one of another connection or of DHCP */
#endif

/* ---- names ---- */

#ifndef DNS_TABLE_SIZE
#define DNS_TABLE_SIZE 1  /* lookups under way and answers kept; more than one takes 600 bytes of code more */
#endif
#ifndef DNS_MAX_NAME_LENGTH
#define DNS_MAX_NAME_LENGTH 256
#endif
#define DNS_MAX_SERVERS 1
#define MEMP_NUM_UDP_PCB (LWIP_DHCP + DNS_TABLE_SIZE) /* each question has a port of its own */

#endif
