/* transfer/need.h: the most memory that a transfer will take with the options set, added up before it
 * starts.
 *
 * Every module states its own ceiling (base/ceiling.h); the protocol's is a row of its descriptor
 * (transfer/protocol.h).
 *
 * Failure: CURLE_TOO_LARGE: there is something among it of which no ceiling is known (TLS, decoders,
 *          redirects without end); CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL and CURLE_OUT_OF_MEMORY
 *          as the transfer itself would answer.
 * Tests:   tests/unit/api/test_need.c */
#ifndef MOTE_TRANSFER_NEED_H
#define MOTE_TRANSFER_NEED_H

#include <curl/curl.h>
#include <stddef.h>

#include "base/ceiling.h"

struct mote_multi;
struct mote_transfer;

/* By who pays. */
struct mote_need_sums {
  struct mote_ceiling easy;
  struct mote_ceiling multi;
  struct mote_ceiling process;
};

/* The requests of one transfer at their worst. */
struct mote_need_chain {
  size_t hops;     /* redirects that may be followed */
  size_t url;      /* bytes of the longest URL */
  size_t host;     /* bytes of the longest host */
  size_t key;      /* bytes of the longest identity of a connection */
};

/* What comes on top of what easy and multi handle hold already; m: the multi that it runs in, or NULL: one
 * that is still empty. Text of the report as the transfer's own. */
CURLcode mote_need_ask(struct mote_transfer *t, struct mote_multi *m, struct mote_need_sums *sums);

/* need_connection.c: connections without what they hold over, and what watches them. */
void mote_need_add_connections(const struct mote_transfer *t, struct mote_multi *m, size_t state_size,
                               const struct mote_need_chain *chain, struct mote_need_sums *sums);

#endif
