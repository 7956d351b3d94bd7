/* net/driver.h: what looks after a connection when something happens on it, with or without a transfer.
 *
 * Most connections carry one transfer, which is stepped when the descriptor is ready; they are solo, without
 * a driver that acts. One acts while a connection is dialled (connect/dial/dial.h), for a protocol with many
 * transfers on one connection or one that acts between transfers (PING, loss of the connection), and for a
 * goodbye that cannot be sent at once (net/pool.c).
 *
 * The state of a driver that acts is one block, which begins with struct mote_drive. A connection has one at
 * a time. Inside a wait a driver may only note what has happened. One that acts by itself asks for a turn
 * (mote_drive_soon()). The multi gives turns at the beginning of a run and after each round of steps, so that
 * what the transfers of a round have to send leaves together.
 *
 * A protocol names the driver of its connections (transfer/protocol.h): conn->driver. A solo protocol has
 * one, of size 0, if it has a goodbye.
 *
 * Ownership: the connection owns the block, which its account pays for; mote_drive_end() frees it.
 * Errors:    a driver has no caller to report to. It ends its transfers with a code of theirs, and it closes
 *            its connection.
 * With part small there are none.
 * Tests:     tests/unit/net/test_pool.c, tests/unit/connect/test_dial.c, test_reuse.c */
#ifndef MOTE_NET_DRIVER_H
#define MOTE_NET_DRIVER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/time.h"

struct mote_conn;
struct mote_drive;
struct mote_waitset;

struct mote_driver {
  const char *name; /* for verbose texts */
  bool unasked;     /* bytes that come on an idle connection belong to the protocol, which keeps them */
  size_t size;      /* bytes of its state, at least sizeof(struct mote_drive); 0: it never acts (solo) */

  /* The wait has reported something on the descriptor: MOTE_WANT_* in the connection's events. Nothing may be
   * freed here. */
  void (*ready)(struct mote_drive *d);

  /* The turn that mote_drive_soon() has asked for. It must not free its connection. NULL: it never asks. */
  void (*act)(struct mote_drive *d, mote_time now);

  /* Returns how many more transfers the connection takes now. NULL: one at a time. */
  unsigned (*room)(const struct mote_drive *d);

  /* Reports whether an idle connection is still good, also in a share. NULL: what mote_conn_alive() says, for
   * which any byte of the peer is one too many. */
  bool (*usable)(struct mote_drive *d);

  /* Makes a connection without a transfer ready for a share, where no multi drives it. False: it cannot be,
   * or is no longer good. NULL: it stays in its multi. */
  bool (*rest)(struct mote_drive *d);

  /* Pings the peer of an idle connection, unless that was done in the last `interval` milliseconds or the
   * connection is younger. NULL: nothing. */
  void (*upkeep)(struct mote_drive *d, mote_time now, long interval);

  /* Sends the protocol's goodbye (QUIT, LOGOUT, GOAWAY) on a connection without a transfer or an acting
   * driver, and takes what the peer answers. It is asked after a transfer that failed, too. CURLE_AGAIN: not
   * over yet; mote_conn_want() was called. Other errors: it cannot be said, and the connection is closed as
   * it is. NULL: there is none. */
  CURLcode (*goodbye)(struct mote_conn *c);

  /* Frees what the state holds, not the block. NULL: nothing. */
  void (*close)(struct mote_drive *d);

  /* Frees what the protocol's own state in the connection points to, before the connection is freed. NULL:
   * nothing. */
  void (*discard)(struct mote_conn *c);
};

/* Reports whether this driver, which may be NULL, acts by itself. Its connections belong to one multi, but
 * for idle ones in a share: these are in no wait set and get no turn. */
static inline bool mote_driver_acts(const struct mote_driver *driver)
{
  return driver && driver->size;
}

/* Reports whether connections with this driver, which may be NULL, carry many transfers at once. */
static inline bool mote_driver_has_room(const struct mote_driver *driver)
{
  return driver && driver->room;
}

/* Reports whether this driver, which may be NULL, decides about a goodbye after a transfer that failed. */
static inline bool mote_driver_parts(const struct mote_driver *driver)
{
  return driver && driver->goodbye;
}

/* The head of a driver's state. */
struct mote_drive {
  const struct mote_driver *driver;
  struct mote_conn *conn;
  struct mote_drive *next; /* in the ring of its wait set, or NULL: no turn is asked for */
  unsigned channels; /* transfers on the connection, counted by the pool for a driver with room */
};

/* Asks for a turn of a driver that has act(). Does nothing when it has asked already, or for a connection
 * that is in no wait set. */
void mote_drive_soon(struct mote_drive *d);
/* Takes a connection with a driver out of its wait set. It gets no turn any more. */
void mote_drive_leave_set(struct mote_drive *d);
/* Gives their turns to the drivers that have asked before this call. */
void mote_drive_act(struct mote_waitset *set, mote_time now);

/* Waits for `interest` (MOTE_WANT_*) between turns, as a driver of many transfers does. While no transfer is
 * on the connection, an application that watches descriptors itself is not asked to watch this one, and what
 * comes meanwhile is read when the connection is used next (net/waitset.h). CURLE_OUT_OF_MEMORY. */
CURLcode mote_drive_want(struct mote_drive *d, unsigned interest);

/* Makes the driver's state, all zero but for its head, which takes the place of an earlier one.
 * CURLE_OUT_OF_MEMORY: the earlier one stays. */
CURLcode mote_drive_start(struct mote_conn *c, const struct mote_driver *driver);
/* The same for a connection without a driver, in the room of the protocol's state, which is zero and is not
 * used before mote_drive_end(). False: that is too small. */
bool mote_drive_start_in_state(struct mote_conn *c, const struct mote_driver *driver);
/* Frees the driver's state. Does nothing without one. */
void mote_drive_end(struct mote_conn *c);

/* Continues the goodbye of a connection without a transfer: the protocol's, then those of its layers.
 * CURLE_AGAIN: not over yet, and the connection waits for what it needs. Anything else: it can be closed. */
CURLcode mote_conn_goodbye(struct mote_conn *c);

#endif
