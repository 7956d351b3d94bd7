/* port/freertos/internal.h: what the files of this folder share.
 *
 * Sockets are lwIP's (lwip_socket, lwip_recv, ...): they may be called from any task. Lookups are asked of
 * lwIP's resolver under its core lock and never block. The firmware sets LWIP_TCPIP_CORE_LOCKING,
 * LWIP_SOCKET, LWIP_SOCKET_POLL, LWIP_DNS, and takes the error numbers of its C library
 * (LWIP_ERRNO_STDINCLUDE). */
#ifndef MOTE_PORT_FREERTOS_INTERNAL_H
#define MOTE_PORT_FREERTOS_INTERNAL_H

#include <lwip/sockets.h>
#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

#if !LWIP_TCPIP_CORE_LOCKING || !LWIP_SOCKET_POLL || !LWIP_DNS || !LWIP_IPV4 || LWIP_SOCKET_OFFSET
#error "lwipopts.h: this port needs core locking, sockets with poll, DNS, IPv4, and descriptors from 0 on"
#endif

/* Where lwIP leaves the error number of the calling task (set_errno). */
#ifndef MOTE_FREERTOS_ERRNO
#define MOTE_FREERTOS_ERRNO errno
#endif

/* Names looked up at once. Others that are asked for meanwhile take a place over, and are asked for again. */
#ifndef MOTE_FREERTOS_LOOKUPS
#define MOTE_FREERTOS_LOOKUPS 1
#endif

/* How long a wait may miss the end of a lookup, which no descriptor tells. */
#define MOTE_FREERTOS_LOOKUP_MS 10

/* Our number for the last error of the calling task: AGAIN, or positive. */
int mote_freertos_error(void);

enum mote_freertos_lookup {
  MOTE_FREERTOS_NO_LOOKUP,
  MOTE_FREERTOS_LOOKING, /* one is under way */
  MOTE_FREERTOS_ENDED    /* one has ended since this was told last */
};
/* Of the calling task's lookups. */
enum mote_freertos_lookup mote_freertos_lookups(void);

#endif
