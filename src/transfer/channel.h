/* transfer/channel.h: a transfer's place on a connection, and how far it has come there. Both are members of
 * its run.
 *
 * A connection carries one transfer, which reads for itself, or many, for which its driver reads
 * (net/driver.h). The driver delivers events to them one after the other. What one of them makes of its event
 * (an error of its callback, a pause) stays with that transfer: an error is parked until its next step, so
 * that no transfer ends while the driver walks over the others.
 *
 * Invariants: conn != NULL in exchange and open, unless the protocol is local.
 * Ownership:  the pool owns connections; the channel borrows one. The engine owns the state of an exchange
 *             whose protocol has a channel_size (transfer/protocol.h); another protocol owns its own, from
 *             begin to end.
 * Threads:    those of the multi.
 * Functions:  transfer/protocol.h
 * Tests:      tests/unit/connect/test_channel.c, tests/toys/test_mux.py, tests/e2e/test_reuse.py */
#ifndef MOTE_TRANSFER_CHANNEL_H
#define MOTE_TRANSFER_CHANNEL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_conn;
struct mote_dial;
struct mote_transfer;

struct mote_channel {
  struct mote_conn *conn;           /* borrowed from the pool, or NULL */
  union {
    struct mote_dial *dial;         /* in state CONNECTING: the dial it owns or waits for, or NULL */
    void *state;                    /* later: the state of this exchange, or NULL where that lies in the
                                       connection */
  };
};

/* How far the transfer has come with its connection. */
enum mote_phase {
  MOTE_PHASE_NONE,     /* no connection, or one that is being dialled */
  MOTE_PHASE_OPEN,     /* CONNECT_ONLY: the handle keeps the connection after the end */
  MOTE_PHASE_EXCHANGE, /* protocol->begin() was called, end() not yet */
  MOTE_PHASE_PARKED    /* the same, but an error waits for the next step, which ends the exchange with it */
};

/* Which connections the request may have, or has. */
enum mote_lease_kind {
  MOTE_LEASE_NEW,      /* a new one, unless a kept one fits */
  MOTE_LEASE_KEPT,     /* it has one that was used before */
  MOTE_LEASE_ONLY_NEW, /* a kept one was dead, so that only a new one will do until the URL changes */
  MOTE_LEASE_SOON      /* as NEW, but it waits for no other transfer's dial, after one that has led to a
                          connection for a single transfer; until the URL changes */
};

/* Why a request that has failed is made again, on another connection, or why it is not. Who sees it fail sets
 * this, because only he knows what the server may have done with it. The engine reads it, says the reason to
 * CURLOPT_VERBOSE, and clears it (engine/chain.h). */
enum mote_retry {
  MOTE_RETRY_NONE,    /* nothing was said: the engine judges by the connection and by what has arrived */
  MOTE_RETRY_DEAD,    /* it brought no answer: on a kept connection, which was then dead */
  MOTE_RETRY_REFUSED, /* the server has not begun with it (RFC 9113 sections 6.8, 8.7) */
  MOTE_RETRY_HTTP1,   /* the server wants HTTP/1.1 for it (RFC 9113 section 7, HTTP_1_1_REQUIRED) */
  MOTE_RETRY_NEVER    /* the server may have begun with it, or it is no request of ours */
};

/* Two bytes, because the run has no room for more.
 *
 * Combinations: OPEN has never a kept connection, as CONNECT_ONLY always connects. A local protocol knows
 *               only NONE and EXCHANGE with NEW. PARKED needs a protocol with a channel_size. */
struct mote_lease {
  uint8_t phase : 2;                /* enum mote_phase */
  uint8_t kind : 2;                 /* enum mote_lease_kind */
  bool own_pool : 1;                /* the connection is of a pool that only this handle uses; before one
                                       is chosen: so was the last one (mote_identity_is_known()) */
  bool names_preset : 1;            /* CURLOPT_RESOLVE is in the cache; of this transfer alone */
  bool proxied : 1;                 /* a proxy applies to this URL; before a request: to the last one */
  bool forwarded : 1;               /* and passes the request on: an HTTP proxy without a tunnel; likewise */
  uint8_t retry : 3;                /* enum mote_retry, of the request that is under way */
  bool two_pools : 1;               /* while it waits for a slot: the multi's connections count as well as the
                                       share's */
};

/* What is said of a lease is said with these three alone. */
static inline void mote_lease_enter(struct mote_lease *l, enum mote_phase phase)
{
  l->phase = phase & 3u;
}
static inline void mote_lease_choose(struct mote_lease *l, enum mote_lease_kind kind)
{
  l->kind = kind & 3u;
}
static inline void mote_lease_judge(struct mote_lease *l, enum mote_retry retry)
{
  l->retry = retry & 7u;
}

/* The head of a protocol's state of one exchange. */
struct mote_exchange {
  CURLcode parked; /* in phase PARKED: the result of the exchange */
};

#endif
