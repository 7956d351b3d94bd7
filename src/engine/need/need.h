/* engine/need/need.h: the most memory that a transfer can take with its options, added up before it starts.
 *
 * Every module states its own ceiling (base/memory/ceiling.h); a protocol's is in its descriptor
 * (transfer/protocol.h).
 *
 * Errors: CURLE_TOO_LARGE when a part of the transfer has no known ceiling (TLS, decoders, redirects without
 *         end); CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL and CURLE_OUT_OF_MEMORY as the transfer
 *         itself would fail.
 * Tests:  tests/unit/api/test_need.c */
#ifndef MOTE_ENGINE_NEED_NEED_H
#define MOTE_ENGINE_NEED_NEED_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory/ceiling.h"

struct mote_multi;
struct mote_transfer;

/* The sums, by the account that pays. */
struct mote_need_sums {
  struct mote_ceiling easy;
  struct mote_ceiling multi;
  struct mote_ceiling process;
};

/* The requests of one transfer in the worst case. */
struct mote_need_chain {
  size_t hops;     /* redirects that may be followed */
  size_t url;      /* bytes of the longest URL */
  size_t host;     /* bytes of the longest host */
  size_t key;      /* bytes of the longest identity of a connection */
  bool tls;        /* a redirect may lead to TLS */
};

/* Adds what the transfer takes beyond what its easy and multi handles hold already. m is the multi that it
 * would run in, or NULL for an empty one. A failure has the text that the transfer itself would report. */
CURLcode mote_need_ask(struct mote_transfer *t, struct mote_multi *m, struct mote_need_sums *sums);

/* need_connection.c: adds connections (without the bytes that they hold) and what watches them. */
void mote_need_add_connections(const struct mote_transfer *t, struct mote_multi *m, size_t state_size,
                               const struct mote_need_chain *chain, struct mote_need_sums *sums);

#endif
