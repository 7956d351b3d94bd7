/* lwipopts_freertos.h: lwIP in a task, sockets in the others (see lwipopts.h). Static memory too. */
#ifndef MOTE_LWIPOPTS_FREERTOS_H
#define MOTE_LWIPOPTS_FREERTOS_H

#include <sys/select.h> /* fd_set and struct timeval are the C library's */
#include <sys/time.h>

#define NO_SYS 0
#define LWIP_TIMERS 1
#define SYS_LIGHTWEIGHT_PROT 1
#define LWIP_NETCONN 1
#define LWIP_SOCKET 1
#ifdef MOTE_LWIP_SELECT                 /* as ESP-IDF has them, for a test */
#define LWIP_TCPIP_CORE_LOCKING 0
#define LWIP_SOCKET_SELECT 1
#define LWIP_SOCKET_POLL 0
#define LWIP_SOCKET_OFFSET (FD_SETSIZE - MEMP_NUM_NETCONN)
#else
#define LWIP_TCPIP_CORE_LOCKING 1       /* a socket's call runs in the caller's task, under one mutex */
#define LWIP_SOCKET_SELECT 0            /* poll is enough */
#endif
#define LWIP_COMPAT_SOCKETS 0           /* no macros named send, recv, ... */
#define LWIP_POSIX_SOCKETS_IO_NAMES 0
#define LWIP_DONT_PROVIDE_BYTEORDER_FUNCTIONS
#define LWIP_TIMEVAL_PRIVATE 0
#define LWIP_TCP_CLOSE_TIMEOUT_MS_DEFAULT 500 /* a close that finds no room for its segment */

/* Error numbers are the C library's; the last one of a task is the kernel's, for errno is thread-local. */
#define LWIP_ERRNO_STDINCLUDE
extern int FreeRTOS_errno;
#define set_errno(error) ((void)(FreeRTOS_errno = (error)))
#define MOTE_FREERTOS_ERRNO FreeRTOS_errno

#define MEMP_NUM_NETCONN MEMP_NUM_TCP_PCB
#define MEMP_NUM_NETBUF 1               /* no datagrams */
#define MEMP_NUM_TCPIP_MSG_API 2
#define MEMP_NUM_TCPIP_MSG_INPKT 1      /* frames are taken in lwIP's task */
/* Messages to lwIP's task are few; a connection gets one per segment. */
#define MOTE_LWIP_MBOX 10
#define TCPIP_MBOX_SIZE 4
#define DEFAULT_TCP_RECVMBOX_SIZE MOTE_LWIP_MBOX
#define DEFAULT_ACCEPTMBOX_SIZE 1
#define TCPIP_THREAD_STACKSIZE 1024     /* bytes; twice of what was seen */
#define TCPIP_THREAD_PRIO 2             /* above main()'s */
#define TCPIP_THREAD_NAME "t"

#endif
