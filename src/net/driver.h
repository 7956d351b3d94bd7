/* net/driver.h: what looks after a connection when something happens on it, with or without a transfer.
 *
 * Most connections carry one transfer, which is stepped when the descriptor is ready; they need no driver
 * ("solo", NULL). A driver is needed while a connection is dialled (connect/dial.h), for a protocol with many
 * transfers on one connection or one that acts between transfers (PING, loss of the connection), and for a
 * goodbye that cannot be sent at once (net/pool.h).
 *
 * A driver's state is one block, which begins with struct mote_drive. A connection has one at a time. Inside
 * a wait a driver may only note what has happened. A driver that acts by itself has a timer of its multi in
 * its state (net/timers.h), which it sets to the past in order to act in the next run.
 *
 * Ownership: the connection owns the block, which its account pays for; mote_drive_end() frees it.
 * Errors:    a driver has no caller to report to. It ends its transfers with a code of theirs, and it closes
 *            its connection.
 * With part small there are none.
 * Tests:     tests/unit/net/test_driver.c */
#ifndef MOTE_NET_DRIVER_H
#define MOTE_NET_DRIVER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct mote_conn;
struct mote_drive;

struct mote_driver {
  const char *name; /* for verbose texts */
  size_t size;      /* bytes of its state, at least sizeof(struct mote_drive) */

  /* The wait has reported something on the descriptor: MOTE_WANT_* in the connection's events. Nothing may be
   * freed here. */
  void (*ready)(struct mote_drive *d);

  /* Returns how many more transfers the connection takes now. NULL: none. */
  unsigned (*room)(const struct mote_drive *d);

  /* Frees what the state holds, not the block. NULL: nothing. */
  void (*close)(struct mote_drive *d);
};

/* The head of a driver's state. */
struct mote_drive {
  const struct mote_driver *driver;
  struct mote_conn *conn;
};

/* Makes the driver's state, all zero but for its head, which takes the place of an earlier one.
 * CURLE_OUT_OF_MEMORY: the earlier one stays. */
CURLcode mote_drive_start(struct mote_conn *c, const struct mote_driver *driver);
/* Frees the driver's state. Does nothing without one. */
void mote_drive_end(struct mote_conn *c);

#endif
