/* port/freertos/lwip.h: lwIP's sockets, as the files of this folder include them, for port/lwip_sockets too.
 * What of lwipopts.h must be otherwise is an #error here; docs/porting.md lists it. Comes before
 * <curl/curl.h>, whose <sys/socket.h> is then this one. */
#ifndef MOTE_PORT_FREERTOS_LWIP_H
#define MOTE_PORT_FREERTOS_LWIP_H

#include <lwip/opt.h>

#if NO_SYS
#error "lwipopts.h: NO_SYS must be 0 for port/freertos (without a system: port/lwip)"
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
#if !LWIP_SOCKET_POLL && !LWIP_SOCKET_SELECT
#error "lwipopts.h: LWIP_SOCKET_POLL must be 1, or LWIP_SOCKET_SELECT"
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

#endif
