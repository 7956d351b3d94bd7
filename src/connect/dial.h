/* connect/connect.h: gets a connected stack of streams for a request, kept or new.
 *
 * One file per question: reuse.c (a kept connection or a new one, limits, and what becomes of it), resolve.c
 * (addresses), race.c (attempts), connect.c (the socket is connected), dial_tls.c and tls_config.c
 * (TLS), hooks.c (callbacks on the way).
 *
 * Ownership: the pool owns connections; run->channel.conn borrows one.
 * Errors:    a CURLcode, with a text in the report. CURLE_AGAIN: wait.
 * Tests:     tests/e2e/test_connect.py, test_reuse.py */
#ifndef MOTE_CONNECT_DIAL_H
#define MOTE_CONNECT_DIAL_H

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
struct mote_route;
struct mote_session_cache;
struct mote_tls_config;
struct mote_transfer;

/* ---- for the states of a transfer ---- */

/* Puts a kept connection or a new one into run->channel.conn (run->lease.kind). CURLE_AGAIN: a limit on
 * connections makes the transfer wait in the multi's queue. */
CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now);

/* Gets the addresses for a new connection. CURLE_OK: they are in run->race->answer, or a literal is in
 * conn->remote. CURLE_AGAIN: a lookup is under way. */
CURLcode mote_connect_name(struct mote_transfer *t, mote_time now);

/* Continues connecting, first the socket, then TLS. CURLE_OK: the stack is ready. */
CURLcode mote_connect_step(struct mote_transfer *t, mote_time now);

/* Calls CURLOPT_PREREQFUNCTION, between the connection and the request. CURLE_ABORTED_BY_CALLBACK. */
#if !MOTE_HAS_SMALL
CURLcode mote_connect_prereq(struct mote_transfer *t);
#else
#define mote_connect_prereq(t) ((void)(t), (CURLcode)CURLE_OK)
#endif

/* Returns the size of run->race, which exists while a name is looked up and connected to. */
size_t mote_race_size(void);

/* Abandons the lookup, closes all attempts and frees run->race. Does nothing without one. */
void mote_race_stop(struct mote_transfer *t);

/* Leaves run->channel.conn, or the queue for one. The connection goes back to the pool or is closed, as
 * conn->reusable says. rc is the transfer's result so far. */
void mote_connect_release(struct mote_transfer *t, CURLcode rc);

/* ---- for handles; m is the multi that the handle is in or owns, or NULL ---- */

/* Closes idle connections that are dead or older than CURLOPT_MAXAGE_CONN. */
void mote_connect_prune(struct mote_transfer *t, struct mote_multi *m, mote_time now);
/* Returns the socket of the run's last connection while that is in use or idle, else CURL_SOCKET_BAD. t has
 * a run. */
curl_socket_t mote_connect_last_socket(struct mote_transfer *t, struct mote_multi *m);

/* ---- between the files that connect ---- */

/* Return the pool and the TLS sessions that the transfer uses, from its multi or its share. */
struct mote_pool *mote_transfer_pool(struct mote_transfer *t);
struct mote_session_cache *mote_transfer_sessions(struct mote_transfer *t);


/* Adds the lines of CURLOPT_RESOLVE to the name cache, once per transfer. CURLE_SETOPT_OPTION_SYNTAX,
 * CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_PRESETS
CURLcode mote_connect_preset(struct mote_transfer *t, mote_time now);
/* Reports whether such a line has addresses for the first hop. Even a literal address is then looked up like
 * a name. */
bool mote_connect_is_preset(struct mote_transfer *t, const struct mote_route *route, mote_time now);
#else
#define mote_connect_preset(t, now) ((void)(t), (void)(now), (CURLcode)CURLE_OK)
#define mote_connect_is_preset(t, route, now) ((void)(t), (void)(route), (void)(now), false)
#endif
/* Calls CURLOPT_RESOLVER_START_FUNCTION, unless the answer to q is in a cache. q is NULL for a literal
 * address. CURLE_ABORTED_BY_CALLBACK. */
CURLcode mote_connect_resolver_start(struct mote_transfer *t, const struct mote_name_query *q);

/* Continues the attempts to connect; the first call starts them. CURLE_OK: run->channel.conn has a connected
 * socket. CURLE_AGAIN: wait. CURLE_COULDNT_CONNECT and others: all addresses failed. */
CURLcode mote_race_step(struct mote_transfer *t, mote_time now);

/* Reports that all attempts failed. Each failure already had its info line. */
#if MOTE_HAS_TEXTS
void mote_connect_report_failed(struct mote_transfer *t, mote_time now);
#else
#define mote_connect_report_failed(t, now) ((void)(t), (void)(now))
#endif

/* Continues TLS on a connected socket. CURLE_OK: done. CURLE_AGAIN: wait. CURLE_SSL_*,
 * CURLE_PEER_FAILED_VERIFICATION… */
#if MOTE_HAS_HTTPS
CURLcode mote_connect_secure(struct mote_transfer *t);
#else
#define mote_connect_secure(t) ((void)(t), (CURLcode)CURLE_NOT_BUILT_IN)
#endif
/* Stores the session tickets of this connection with the transfer's sessions. Does nothing without TLS. */
#if MOTE_HAS_SESSIONS
void mote_connect_use_sessions(struct mote_transfer *t, struct mote_conn *c);
#else
#define mote_connect_use_sessions(t, c) ((void)(t), (void)(c))
#endif
/* Fills cfg with the transfer's TLS options (transfer/tls_config.c). */
void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg);

#endif
