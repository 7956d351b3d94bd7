/* port/zephyr/internal.h: what the files of this folder share. Sockets are Zephyr's under their own names
 * (zsock_*), which need no POSIX option; they set errno. Lookups are asked of Zephyr's resolver, whose answer
 * comes in its thread. */
#ifndef MOTE_PORT_ZEPHYR_INTERNAL_H
#define MOTE_PORT_ZEPHYR_INTERNAL_H

#include <stdbool.h>
#include <zephyr/kernel.h>
#include <zephyr/net/socket.h>

#include "port/port.h"

/* Names looked up at once. Others that are asked for meanwhile take a place over, and are asked for again. */
#ifndef MOTE_ZEPHYR_LOOKUPS
#define MOTE_ZEPHYR_LOOKUPS 1
#endif

/* Descriptors of one wait; on the stack, 8 bytes each. At most CONFIG_ZVFS_POLL_MAX. */
#ifndef MOTE_ZEPHYR_DESCRIPTORS
#define MOTE_ZEPHYR_DESCRIPTORS 8
#endif

/* Milliseconds that a wait may miss the end of a lookup, which no descriptor reports. */
#define MOTE_ZEPHYR_LOOKUP_MS 10

enum mote_zephyr_lookup {
  MOTE_ZEPHYR_NO_LOOKUP,
  MOTE_ZEPHYR_LOOKING, /* one is under way */
  MOTE_ZEPHYR_ENDED    /* one has ended since this was reported last */
};
enum mote_zephyr_lookup mote_zephyr_lookups(void);

#endif
