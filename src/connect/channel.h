/* connect/channel.h: a transfer's place on a connection, and how far it has come there. Both are members of
 * its run.
 *
 * Invariants: conn != NULL in exchange and open, unless the protocol is local.
 * Ownership:  the pool owns connections; the channel borrows one. The protocol owns its state from begin to
 *             end.
 * Tests:      tests/e2e/test_connect.py, test_reuse.py */
#ifndef MOTE_CONNECT_CHANNEL_H
#define MOTE_CONNECT_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

struct mote_conn;

struct mote_channel {
  struct mote_conn *conn;           /* borrowed from the pool, or NULL */
  void *state;                      /* a local protocol's state of this exchange, or NULL */
};

/* One byte, because the run has no room for more. */
struct mote_lease {
  bool connected : 1;               /* in CONNECT: the socket is connected, upper layers are being set up */
  bool begun : 1;                   /* protocol->begin() was called, end() not yet */
  bool keep_open : 1;               /* CONNECT_ONLY: the handle keeps the connection after the end */
  bool reused : 1;                  /* the connection was used before */
  bool fresh : 1;                   /* a kept connection was dead: use a new one */
  bool own_pool : 1;                /* the connection is of a pool that only this handle uses; before one
                                       is chosen: so was the last one, and no option was set since */
  bool names_preset : 1;            /* CURLOPT_RESOLVE is in the cache */
};

#endif
