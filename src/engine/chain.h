/* engine/chain.h: continues a transfer with another request. The protocol decides whether one follows and
 * what it asks for (struct mote_protocol.follow; HTTP's is in http/redirect.c).
 *
 * Errors: CURLcode; the transfer then ends with it.
 * Tests:  tests/e2e/test_redirect.py, test_reuse.py */
#ifndef MOTE_ENGINE_CHAIN_H
#define MOTE_ENGINE_CHAIN_H

#include <curl/curl.h>

#include "base/time.h"
#include "transfer/channel.h"

struct mote_transfer;

/* Leaves the exchange that is over, with run->response.next set, and lets the protocol prepare the next
 * one. */
CURLcode mote_chain_follow(struct mote_transfer *t, mote_time now);

/* Leaves the exchange that has failed, and makes the same request on a new connection.
 * CURLE_SEND_FAIL_REWIND, or another error of the body's source: it cannot be sent again. */
CURLcode mote_chain_retry(struct mote_transfer *t, enum mote_retry why);

/* ---- for the protocol's follow() ---- */

/* The next request begins: the response that it follows from is over. */
void mote_chain_next(struct mote_transfer *t, mote_time now);

/* Sets the counters and times of one request to their beginning. Until then they describe the last one. */
void mote_chain_count(struct mote_transfer *t);

#endif
