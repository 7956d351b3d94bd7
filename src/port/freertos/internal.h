/* port/freertos/internal.h: what the files of this folder share.
 *
 * Sockets are lwIP's (lwip_socket, lwip_recv, ...): they may be called from any task. Lookups are asked of
 * lwIP's resolver under its core lock and never block. What of lwipopts.h must be otherwise for that is an
 * #error below; docs/porting.md lists it. */
#ifndef MOTE_PORT_FREERTOS_INTERNAL_H
#define MOTE_PORT_FREERTOS_INTERNAL_H

#include <lwip/opt.h>

#if NO_SYS
#error "lwipopts.h: NO_SYS must be 0 for port/freertos (without a system: port/lwip)"
#endif
#if !LWIP_TCPIP_CORE_LOCKING
#error "lwipopts.h: LWIP_TCPIP_CORE_LOCKING must be 1: lookups take lwIP's core lock"
#endif
#if !LWIP_IPV4
#error "lwipopts.h: LWIP_IPV4 must be 1"
#endif
#if !LWIP_TCP
#error "lwipopts.h: LWIP_TCP must be 1"
#endif
#if !LWIP_DNS
#error "lwipopts.h: LWIP_DNS must be 1: names are looked up by lwIP's resolver"
#endif
#if !LWIP_SOCKET
#error "lwipopts.h: LWIP_SOCKET must be 1"
#endif
#if !LWIP_SOCKET_POLL
#error "lwipopts.h: LWIP_SOCKET_POLL must be 1"
#endif
#if LWIP_SOCKET_OFFSET
#error "lwipopts.h: LWIP_SOCKET_OFFSET must be 0"
#endif
#if LWIP_COMPAT_SOCKETS == 2
#error "lwipopts.h: LWIP_COMPAT_SOCKETS must be 0 or 1: with 2 lwIP's functions have other names"
#endif

/* In these files lwIP's functions have their own names, and fd_set, struct timeval and error numbers are the
 * C library's, whatever the firmware has chosen for its own. */
#include <errno.h>
#include <sys/select.h>
#include <sys/time.h>
#undef LWIP_COMPAT_SOCKETS
#define LWIP_COMPAT_SOCKETS 0
#undef LWIP_TIMEVAL_PRIVATE
#define LWIP_TIMEVAL_PRIVATE 0
#define LWIP_HDR_ERRNO_H /* nothing of <lwip/errno.h> */
#include <lwip/sockets.h>
#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

/* Names looked up at once. Others that are asked for meanwhile take a place over, and are asked for again. */
#ifndef MOTE_FREERTOS_LOOKUPS
#define MOTE_FREERTOS_LOOKUPS 1
#endif

/* Milliseconds that a wait may miss the end of a lookup, which no descriptor reports. */
#define MOTE_FREERTOS_LOOKUP_MS 10

/* Our number for the last error of the calling task: AGAIN, or positive. */
int mote_freertos_error(void);
/* The C library's number for lwIP's (SO_ERROR); 0 stays 0. */
int mote_freertos_number(int lwip_error);

enum mote_freertos_lookup {
  MOTE_FREERTOS_NO_LOOKUP,
  MOTE_FREERTOS_LOOKING, /* one is under way */
  MOTE_FREERTOS_ENDED    /* one has ended since this was reported last */
};
/* Of the calling task's lookups. */
enum mote_freertos_lookup mote_freertos_lookups(void);

#endif
