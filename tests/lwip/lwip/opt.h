/* lwip/opt.h in place of lwIP's, for src/port/freertos: with a system, sockets and their poll(). */
#ifndef MOTE_TESTS_LWIP_OPT_H
#define MOTE_TESTS_LWIP_OPT_H

#define NO_SYS 0
#define LWIP_IPV4 1
#define LWIP_TCP 1
#define LWIP_DNS 1
#define LWIP_SOCKET 1
#define LWIP_SOCKET_POLL 1
#define LWIP_TCPIP_CORE_LOCKING 1
#define MEMP_NUM_NETCONN 4

#endif
