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
struct mote_dial;

struct mote_channel {
  struct mote_conn *conn;           /* borrowed from the pool, or NULL */
  union {
    struct mote_dial *dial;         /* in state CONNECTING: the dial it owns or waits for, or NULL */
    void *state;                    /* later: a local protocol's state of this exchange, or NULL */
  };
};

/* How far the transfer has come with its connection. */
enum mote_phase {
  MOTE_PHASE_NONE,     /* no connection, or one that is being dialled */
  MOTE_PHASE_EXCHANGE, /* protocol->begin() was called, end() not yet */
  MOTE_PHASE_OPEN      /* CONNECT_ONLY: the handle keeps the connection after the end */
};

/* Which connections the request may have, or has. */
enum mote_lease_kind {
  MOTE_LEASE_NEW,      /* a new one, unless a kept one fits */
  MOTE_LEASE_KEPT,     /* it has one that was used before */
  MOTE_LEASE_ONLY_NEW  /* a kept one was dead, so that only a new one will do until the URL changes */
};

/* One byte, because the run has no room for more.
 *
 * Combinations: OPEN has never a kept connection, as CONNECT_ONLY always connects. A local protocol knows
 *               only NONE and EXCHANGE with NEW. */
struct mote_lease {
  uint8_t phase : 2;                /* enum mote_phase */
  uint8_t kind : 2;                 /* enum mote_lease_kind */
  bool own_pool : 1;                /* the connection is of a pool that only this handle uses; before one
                                       is chosen: so was the last one, and no option was set since */
  bool names_preset : 1;            /* CURLOPT_RESOLVE is in the cache */
};

#endif
