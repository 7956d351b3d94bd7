/* transfer/connect.h: from a URL to a connected stack of streams: which connection, which address, which
 * layers.
 *
 * One file per question: reuse.c (a kept connection or a new one, limits, and what becomes of it), resolve.c
 * (addresses), race.c (attempts), connect.c (the socket is there), connection_tls.c and tls_config.c (TLS),
 * hooks.c (callbacks that are asked on the way).
 *
 * Ownership: connections are the pool's; run->conn borrows one.
 * Failure:   CURLcode, with a text in the report; CURLE_AGAIN: wait.
 * Tests:     tests/e2e/test_connect.py, test_reuse.py */
#ifndef MOTE_TRANSFER_CONNECT_H
#define MOTE_TRANSFER_CONNECT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_addr;
struct mote_conn;
struct mote_multi;
struct mote_name_query;
struct mote_pool;
struct mote_session_cache;
struct mote_target_host;
struct mote_tls_config;
struct mote_transfer;

/* ---- for the states of a transfer ---- */

/* A kept connection (run->reused) or a new one, in run->conn. CURLE_AGAIN: a limit on connections makes the
 * transfer wait in the multi's queue. */
CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now);

/* For a new connection: addresses. CURLE_OK: they are there (run->race->answer, or a literal in
 * conn->remote).
 * CURLE_AGAIN: a lookup is under way. */
CURLcode mote_connect_name(struct mote_transfer *t, mote_time now);

/* Go on with connecting: sockets, then TLS. CURLE_OK: the stack is ready. */
CURLcode mote_connect_step(struct mote_transfer *t, mote_time now);

/* CURLOPT_PREREQFUNCTION: the connection is there, the request is not. CURLE_ABORTED_BY_CALLBACK. */
#if !MOTE_HAS_SMALL
CURLcode mote_connect_prereq(struct mote_transfer *t);
#else
#define mote_connect_prereq(t) ((void)(t), CURLE_OK)
#endif

/* Bytes of run->race: there is one while a name is looked up and connected to. */
size_t mote_race_size(void);

/* Leave the lookup, close all attempts, give the race back. Harmless without a race. */
void mote_race_stop(struct mote_transfer *t);

/* Leave run->conn: back to the pool or closed, as conn->reusable says; or the queue for one. rc: why the
 * transfer leaves. */
void mote_connect_release(struct mote_transfer *t, CURLcode rc);

/* ---- for handles; m: the multi that the handle is in or owns, or NULL ---- */

/* Close idle connections that are dead or older than CURLOPT_MAXAGE_CONN. */
void mote_connect_prune(struct mote_transfer *t, struct mote_multi *m, mote_time now);
/* Of the run's last connection while that is in use or idle; else CURL_SOCKET_BAD. t has a run. */
curl_socket_t mote_connect_last_socket(struct mote_transfer *t, struct mote_multi *m);

/* ---- among the files of connecting ---- */

/* The pool and the TLS sessions that the transfer uses: its multi's, or its share's. */
struct mote_pool *mote_transfer_pool(struct mote_transfer *t);
struct mote_session_cache *mote_transfer_sessions(struct mote_transfer *t);



/* CURLOPT_RESOLVE lines enter the cache, once per transfer. CURLE_SETOPT_OPTION_SYNTAX,
 * CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_PRESETS
CURLcode mote_connect_preset(struct mote_transfer *t, mote_time now);
/* Such a line has addresses for the target: a literal address is looked up then, as a name is. */
bool mote_connect_is_preset(struct mote_transfer *t, const struct mote_target_host *target, mote_time now);
#else
#define mote_connect_preset(t, now) ((void)(t), (void)(now), CURLE_OK)
#define mote_connect_is_preset(t, target, now) ((void)(t), (void)(target), (void)(now), false)
#endif
/* Report it, and return CURLE_COULDNT_RESOLVE_HOST. */
CURLcode mote_connect_no_name(struct mote_transfer *t, const struct mote_target_host *target);
/* CURLOPT_RESOLVER_START_FUNCTION, unless the answer to q is known; NULL: for a literal address.
 * CURLE_ABORTED_BY_CALLBACK. */
CURLcode mote_connect_resolver_start(struct mote_transfer *t, const struct mote_name_query *q);

/* CURLE_AGAIN: waiting. CURLE_OK: run->conn has a connected socket. CURLE_COULDNT_CONNECT and others: all
 * addresses failed. The first call starts the attempts. */
CURLcode mote_race_step(struct mote_transfer *t, mote_time now);

/* All attempts have failed; each was reported as an info line. */
#if MOTE_HAS_TEXTS
void mote_connect_report_failed(struct mote_transfer *t, mote_time now);
#else
#define mote_connect_report_failed(t, now) ((void)(t), (void)(now))
#endif

/* Go on with TLS on a connected socket. CURLE_OK: done. CURLE_AGAIN, CURLE_SSL_*,
 * CURLE_PEER_FAILED_VERIFICATION… */
#if MOTE_HAS_HTTPS
CURLcode mote_connect_secure(struct mote_transfer *t);
#else
#define mote_connect_secure(t) ((void)(t), CURLE_NOT_BUILT_IN)
#endif
/* Tickets that come on this connection go to the transfer's sessions. Nothing without TLS. */
#if MOTE_HAS_SESSIONS
void mote_connect_use_sessions(struct mote_transfer *t, struct mote_conn *c);
#else
#define mote_connect_use_sessions(t, c) ((void)(t), (void)(c))
#endif
/* Values of the transfer's TLS options (transfer/tls_config.c). */
void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg);

#endif
