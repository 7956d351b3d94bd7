/* transfer/protocol.h: what a protocol gives the engine; one const descriptor per protocol, found through
 * the scheme table (its rows are written by the build).
 *
 * The engine brings the transfer to a connected stack of streams; the protocol runs the exchange.
 * Tests: tests/e2e */
#ifndef MOTE_TRANSFER_PROTOCOL_H
#define MOTE_TRANSFER_PROTOCOL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_need_chain;
struct mote_need_sums;
struct mote_transfer;

struct mote_protocol {
  const char *name;
  size_t conn_size; /* bytes of its state in every connection (mote_conn_state()) */
  bool local;       /* no connection, name or proxy: run->conn stays NULL, run->local_state is the state */

  /* Check options and URL before anything is looked up (method, body source, ranges). */
  CURLcode (*prepare)(struct mote_transfer *t);
  /* A connection is there (unless local): the first step of a request. */
  CURLcode (*begin)(struct mote_transfer *t);
  /* Descriptor or timer says that something can be done: send what can be sent, read what is there.
   * CURLE_AGAIN: wait (the protocol has told mote_conn_want(), or a local one mote_transfer_wake() unless it
   * is paused or over a speed limit). CURLE_OK: the exchange is over.
   * Anything else ends the transfer. */
  CURLcode (*step)(struct mote_transfer *t, mote_time now);
  /* The transfer leaves its connection, for whatever reason (rc: why). Says by conn->reusable whether the
   * connection may be kept; gives back what the state holds. Called once per begin. */
  void (*end)(struct mote_transfer *t, CURLcode rc);
  /* Add what all requests of a transfer take at most (transfer/need.h), but for connections, names and the
   * multi's buffer. NULL, CURLE_TOO_LARGE: it is unknown. */
  CURLcode (*ceiling)(const struct mote_transfer *t, const struct mote_need_chain *chain,
                      struct mote_need_sums *sums);
};

/* The row of `ceiling` in a descriptor; without part need it is NULL. */
#if MOTE_HAS_NEED
#define MOTE_PROTOCOL_CEILING(fn) .ceiling = fn
#else
#define MOTE_PROTOCOL_CEILING(fn) .ceiling = NULL
#endif

struct mote_scheme {
  const char *name;      /* lower case */
  const struct mote_protocol *protocol;
  uint16_t default_port;
  bool tls;              /* TLS from the first byte */
  long curlproto;        /* CURLPROTO_* */
};

/* Schemes of this build, ended by a row with name NULL. */
extern const struct mote_scheme mote_schemes[];
const struct mote_scheme *mote_scheme_find(const char *name, size_t len);

#endif
