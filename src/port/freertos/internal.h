/* port/freertos/internal.h: what the files of this folder share.
 *
 * Sockets are lwIP's (lwip_socket, lwip_recv, ...): they may be called from any task. Lookups are asked of
 * lwIP's resolver, under its core lock or by a message to its task, and never block. Only system.c knows the
 * kernel, so port/lwip_sockets has these files too, and a system.c of its own. */
#ifndef MOTE_PORT_FREERTOS_INTERNAL_H
#define MOTE_PORT_FREERTOS_INTERNAL_H

#include "port/freertos/lwip.h"

#include <lwip/tcpip.h>
#include <stdbool.h>
#include <stdint.h>

#include "port/freertos/task.h"
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

/* Calls fn in lwIP's task, or at once under its core lock. ERR_MEM: it will not be called. */
#if LWIP_TCPIP_CORE_LOCKING
static inline err_t mote_freertos_in_lwip(tcpip_callback_fn fn, void *arg)
{
  LOCK_TCPIP_CORE();
  fn(arg);
  UNLOCK_TCPIP_CORE();
  return ERR_OK;
}
#else
static inline err_t mote_freertos_in_lwip(tcpip_callback_fn fn, void *arg)
{
  return tcpip_callback(fn, arg);
}
#endif

/* Looks at descriptors, at most wait_ms (-1: for ever): sets revents as mote_port_poll() has them. Returns
 * how many are ready, or -1. */
int mote_freertos_look(struct curl_waitfd *fds, unsigned count, int wait_ms);

enum mote_freertos_lookup {
  MOTE_FREERTOS_NO_LOOKUP,
  MOTE_FREERTOS_LOOKING, /* one is under way */
  MOTE_FREERTOS_RETRY,   /* one is to be asked again soon */
  MOTE_FREERTOS_ENDED    /* one has ended since this was reported last */
};
/* Of the calling task's lookups. */
enum mote_freertos_lookup mote_freertos_lookups(void);

#endif
