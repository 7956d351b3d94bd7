/* port/freertos/internal.h: what the files of this folder share.
 *
 * Sockets are lwIP's (lwip_socket, lwip_recv, ...): they may be called from any task. Lookups are asked of
 * lwIP's resolver under its core lock and never block. */
#ifndef MOTE_PORT_FREERTOS_INTERNAL_H
#define MOTE_PORT_FREERTOS_INTERNAL_H

#include "port/freertos/lwip.h"

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
