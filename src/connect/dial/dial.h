/* connect/dial/dial.h: gets a connection ready, in four phases: the names of its first hop, the race of
 * attempts to connect (RFC 8305), the layers on top, the protocol's greeting.
 *
 * The phases follow each other without exception, and a phase is over when there is nothing left to wait
 * for in it: a literal address passes through the first two at once, a connection without proxy and TLS
 * through the third, HTTP/1 through the last. In the third the layers are put on one after the other, from
 * the descriptor upwards: a SOCKS proxy's, TLS to an HTTPS proxy, a tunnel, the line of the PROXY
 * protocol, TLS to the server. Each is a stream that shakes hands before the next one is made, since the
 * next one speaks through it. A protocol that gets TLS in the middle of its greeting (STARTTLS) asks for
 * that layer itself.
 *
 * A dial belongs to the connection that it makes and is its driver meanwhile (net/driver.h), so that the
 * wait set wakes the dial and not a transfer, of which there may be many. It uses the options and callbacks
 * of its owner, the transfer that asked for the connection, whose step drives it. Transfers with
 * CURLOPT_PIPEWAIT may wait for a connection that can carry many, as many as it will have streams for. When
 * the owner leaves, the oldest waiter with the same callbacks becomes the owner, under its own deadlines.
 * Otherwise the dial ends, and its waiters choose a connection again. They do so too when the dial fails,
 * and when it is over. A waiter never takes over the error of another's dial, as its own options might have
 * led elsewhere.
 *
 * One file per question: reuse.c (which connection, and what becomes of it), compare.c (whether it is
 * still that of the options), resolve.c (which addresses), race.c (which of them connects first), socket.c
 * (how a socket is made), dial_proxy.c, dial_socks.c, dial_tunnel.c, dial_response.c and dial_challenge.c
 * (proxies), dial_tls.c and tls_config.c (TLS), dial.c (the order of the phases, owner and waiters).
 *
 * Ownership: the connection owns its dial. While it lasts, channel.dial of the owner and of each waiter
 * point
 *            to it.
 * Errors:    a CURLcode, with a text in the owner's report. CURLE_AGAIN: wait.
 * With part small there are no waiters (small/connect.c).
 * Tests:     tests/e2e/test_connect.py, tests/unit/connect/test_dial.c */
#ifndef MOTE_CONNECT_DIAL_DIAL_H
#define MOTE_CONNECT_DIAL_DIAL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_ceiling;
struct mote_conn;
struct mote_dial;
struct mote_multi;
struct mote_session_cache;
struct mote_stream;
struct mote_tls_config;
struct mote_transfer;

/* ---- for the states of a transfer ---- */

/* Chooses the connection of a transfer. CURLE_OK: channel.conn is a kept one (run->lease.kind), or the
 * transfer has begun or joined a dial. CURLE_AGAIN: a limit on connections makes the transfer wait in the
 * multi's queue. */
CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now);

/* Gives the transfer a connection that carries others already and takes this one, too. It has the connection
 * also after CURLE_OUT_OF_MEMORY. */
CURLcode mote_connect_join(struct mote_transfer *t, struct mote_conn *c);

/* Continues the dial that the transfer has begun or joined. CURLE_OK: channel.conn is ready, or it is NULL
 * since the transfer has only waited, and chooses again. */
CURLcode mote_dial_step(struct mote_transfer *t, mote_time now);

/* Calls CURLOPT_PREREQFUNCTION, between the connection and the request. CURLE_ABORTED_BY_CALLBACK, and those
 * of mote_connect_compare(). */
CURLcode mote_dial_prereq(struct mote_transfer *t);
/* Compares the options with the key of the transfer's connection, where an application has set one since the
 * transfer began. A connection that was made with others is closed after this transfer. With a proxy there is
 * an error, as what is meant for a proxy of the new options would go to that of the old ones. Without a
 * connection there is nothing to compare.
 * Errors: CURLE_BAD_FUNCTION_ARGUMENT, and those of mote_identity_make(). */
CURLcode mote_connect_compare(struct mote_transfer *t);
/* Reports whether a transfer in state CONNECTING looks up a name. */
bool mote_dial_is_naming(const struct mote_transfer *t);
/* Reports that the dial has failed, and that another connection is worth an attempt: its request then has the
 * answer to a proxy's challenge. */
bool mote_dial_begins_again(const struct mote_transfer *t);

/* Leaves run->channel, with the dial, or the queue for a connection. The connection goes back to the pool or
 * is closed, as conn->reusable says. rc is the transfer's result so far. */
void mote_connect_release(struct mote_transfer *t, CURLcode rc);

/* ---- for handles; m is the multi that the handle is in or owns, or NULL ---- */

/* Closes idle connections that are dead or older than CURLOPT_MAXAGE_CONN, and pings the peers of those that
 * are kept for many transfers (CURLOPT_UPKEEP_INTERVAL_MS). */
void mote_connect_upkeep(struct mote_transfer *t, struct mote_multi *m, mote_time now);
/* The share of a handle that is in no multi will change. A connection that is open (CURLOPT_CONNECT_ONLY)
 * becomes the multi's own, and stores no more TLS sessions. */
void mote_connect_leave_share(struct mote_transfer *t, struct mote_multi *m);
/* Returns the socket of the run's last connection while that is in use or idle, else CURL_SOCKET_BAD. t has
 * a run. */
curl_socket_t mote_connect_last_socket(struct mote_transfer *t, struct mote_multi *m);
/* Adds the most that the dial of one transfer takes, apart from the answer to a lookup. */
void mote_dial_ceiling(struct mote_ceiling *c);

/* ---- for the choice of a connection ---- */

/* Makes the dial of a new connection, with the transfer as its owner. CURLE_OUT_OF_MEMORY. */
CURLcode mote_dial_begin(struct mote_transfer *t, struct mote_conn *c);
/* The transfer waits for a connection that is being dialled. CURLE_OUT_OF_MEMORY. */
CURLcode mote_dial_join(struct mote_transfer *t, struct mote_conn *c);
/* Reports whether the connection is being dialled. */
bool mote_dial_is_of(const struct mote_conn *c);
/* Leaves the dial, as owner or waiter. Does nothing without one. */
void mote_dial_leave(struct mote_transfer *t);

/* Returns the TLS sessions that the transfer uses, from its multi or its share. */
struct mote_session_cache *mote_transfer_sessions(struct mote_transfer *t);

/* ---- for the layers, and for a protocol's greeting ---- */

/* Sends the line of CURLOPT_HAPROXYPROTOCOL to what a connection leads to. *begun: false at first. CURLE_OK:
 * done. CURLE_AGAIN: wait. CURLE_BAD_FUNCTION_ARGUMENT: CURLOPT_HAPROXY_CLIENT_IP is no address. */
#if MOTE_HAS_HAPROXY
CURLcode mote_dial_haproxy(struct mote_transfer *t, struct mote_conn *c, bool *begun);
#else
#define mote_dial_haproxy(t, c, begun) ((void)(t), (void)(c), (void)(begun), (CURLcode)CURLE_OK)
#endif
/* mote_conn_handshake() for a transfer. A verify callback of the application may put its answer off
 * (SSL_set_retry_verify(3)). That pauses the transfer as CURLPAUSE_RECV does, and the callback is called
 * again after curl_easy_pause() has ended the pause. */
#if MOTE_HAS_HTTPS
CURLcode mote_dial_handshake(struct mote_transfer *t, struct mote_conn *c);
#endif
/* Puts TLS to the server on top of the streams of a connection, the transfer's own or another one to the same
 * server, and continues its handshake. CURLE_OK: done. CURLE_AGAIN: wait. CURLE_WEIRD_SERVER_REPLY: the
 * server has sent bytes ahead of it (mote_conn_push()). CURLE_SSL_*, CURLE_PEER_FAILED_VERIFICATION… */
#if MOTE_HAS_HTTPS
CURLcode mote_dial_tls(struct mote_transfer *t, struct mote_conn *c);
#else
#define mote_dial_tls(t, c) ((void)(t), (void)(c), (CURLcode)CURLE_NOT_BUILT_IN)
#endif
/* The same for the transfer's own connection, of which getinfo then reports. */
#if MOTE_HAS_HTTPS
CURLcode mote_dial_secure(struct mote_transfer *t);
#else
#define mote_dial_secure(t) ((void)(t), (CURLcode)CURLE_NOT_BUILT_IN)
#endif
/* The same for the greeting of a protocol, whose server has agreed to go on with TLS (STARTTLS). */
CURLcode mote_dial_upgrade(struct mote_transfer *t);
/* Stores the session tickets of this connection with the transfer's sessions. Does nothing without TLS. */
#if MOTE_HAS_SESSIONS
void mote_connect_use_sessions(struct mote_transfer *t, struct mote_conn *c);
/* Lets TLS on a second connection of the transfer resume the session of the first. Those of the cache may be
 * of other connections to the server, which may take them for those of others (proftpd). */
void mote_connect_follow_session(struct mote_transfer *t, struct mote_conn *c);
/* The same for a stream of TLS that is not the connection's yet. */
void mote_connect_use_sessions_with(struct mote_transfer *t, struct mote_stream *tls);
/* Stores none from here on. For a connection that the transfer may leave while others use it. */
void mote_connect_forget_sessions(struct mote_conn *c);
#else
#define mote_connect_use_sessions(t, c) ((void)(t), (void)(c))
#define mote_connect_follow_session(t, c) ((void)(t), (void)(c))
#define mote_connect_use_sessions_with(t, tls) ((void)(t), (void)(tls))
#define mote_connect_forget_sessions(c) ((void)(c))
#endif
/* Fills cfg with the transfer's TLS options (connect/tls_config.c). */
void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg);

#endif
