/* transfer/connect.h: from a URL to a connected stack of streams: which connection, which address, which layers.
 *
 * Tests: tests/e2e/test_connect.py, test_reuse.py */
#ifndef MOTE_TRANSFER_CONNECT_H
#define MOTE_TRANSFER_CONNECT_H

#include <curl/curl.h>

#include "base/time.h"

struct mote_pool;
struct mote_session_cache;
struct mote_transfer;
struct mote_tls_config;

/* The pool and the TLS sessions that the transfer uses: its multi's, or its share's. */
struct mote_pool *mote_transfer_pool(struct mote_transfer *t);
struct mote_session_cache *mote_transfer_sessions(struct mote_transfer *t);

/* A kept connection (run->reused) or a new one, in run->conn. CURLE_AGAIN: a limit on connections makes the
 * transfer wait in the multi's queue. */
CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now);

/* For a new connection: addresses. CURLE_OK: they are there (run->answer, or a literal in conn->remote).
 * CURLE_AGAIN: a lookup is under way. */
CURLcode mote_connect_name(struct mote_transfer *t, mote_time now);

/* Go on with connecting: sockets, then TLS. CURLE_OK: the stack is ready. */
CURLcode mote_connect_step(struct mote_transfer *t, mote_time now);

/* Leave run->conn: back to the pool or closed, as conn->reusable says. rc: why the transfer leaves. */
void mote_connect_release(struct mote_transfer *t, CURLcode rc);

/* Values of the transfer's TLS options (transfer/tls_config.c). */
void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg);

#endif
