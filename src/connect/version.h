/* connect/version.h: which version of HTTP a connection speaks.
 *
 * HTTP/1.1 is what the schemes "http" and "https" name. Another version is a row of mote_versions. Where a
 * transfer's options allow it, a new connection offers it by ALPN (RFC 7301), begins with it (prior
 * knowledge, RFC 9113 section 3.3), or asks in each request for an upgrade (RFC 7540 section 3.2). Such a
 * connection is made with the driver of that version, so that it is its multi's alone from the start, and
 * transfers with CURLOPT_PIPEWAIT may wait for it. The server's answer settles the version. Each transfer on
 * the connection then has the row's scheme in the place of its own, with the same name and another protocol.
 *
 * Invariants: run->request.scheme is a row's only from the choice of a connection to the next choice.
 * Without part h2 there is HTTP/1.1 alone.
 * Tests:      tests/e2e/test_http_version.py */
#ifndef MOTE_CONNECT_VERSION_H
#define MOTE_CONNECT_VERSION_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "parts.h"
#include "transfer/protocol.h"

struct mote_conn;
struct mote_driver;
struct mote_pool;
struct mote_pool_query;
struct mote_slice;
struct mote_transfer;

struct mote_version {
  const char *alpn;         /* its identifier; NULL ends the table */
  const char *offer;        /* what ALPN offers with HTTP/1.1 as a second choice, best first */
  struct mote_scheme plain; /* "http" with this version's protocol, whose driver has room for many */
  struct mote_scheme upgrade; /* "http" with HTTP/1.1, whose requests ask the server to go on with this */
  struct mote_scheme tls;   /* "https" likewise. The protocol has the url, prepare and follow of HTTP/1.1's,
                               as these are called whatever the version of the last request was */
  bool quic;                /* its connections are QUIC's and have only `tls`; no ALPN of TCP offers it */
};

#if MOTE_HAS_H2

extern const struct mote_version mote_versions[];

/* Reports whether the options allow another version than HTTP/1.1 for a URL, with TLS or without. */
bool mote_version_is_open(const struct mote_transfer *t, bool tls);

/* Returns what TLS to an HTTP server, or to a proxy that forwards requests, offers by ALPN, best first. */
const char *mote_version_offer(struct mote_transfer *t);

/* Finds the transfer's own scheme again, before it chooses a connection. */
void mote_version_restore(struct mote_transfer *t);

/* Returns the driver of a new connection of the transfer. NULL: solo. */
const struct mote_driver *mote_version_driver(struct mote_transfer *t);

/* Which kind of connection a transfer may have. */
enum mote_transport {
  MOTE_TRANSPORT_TCP,
  MOTE_TRANSPORT_EITHER, /* QUIC, or TCP if that is ready first */
  MOTE_TRANSPORT_QUIC
};

enum mote_transport mote_version_transport(struct mote_transfer *t);
/* Returns the version that is spoken over QUIC. With part h3. */
const struct mote_version *mote_version_of_quic(void);

/* Returns the bytes of a protocol's state in a new connection of the transfer. */
size_t mote_version_conn_size(struct mote_transfer *t);

/* Fills in which kept connections the transfer may have: by their version, and whether it may share one
 * that is in use. A server that speaks HTTP/2 gets the request by a connection of that version. */
void mote_version_filter(struct mote_transfer *t, struct mote_pool_query *q);

/* The layers of the transfer's new connection c are ready, which settles its version. */
void mote_version_settle(struct mote_transfer *t, struct mote_conn *c);

/* The transfer has a connection whose version is settled: it gets the scheme of that version. */
void mote_version_use(struct mote_transfer *t, const struct mote_conn *c);

/* The server goes on with this version on the transfer's connection, whose exchange goes on with it too, with
 * the state of its own that the version's protocol has. CURLE_OUT_OF_MEMORY: nothing has changed. */
CURLcode mote_version_upgrade(struct mote_transfer *t);

/* The server wants HTTP/1.1 for this request (HTTP_1_1_REQUIRED, RFC 9113 section 7). The exchange is to end
 * with CURLE_RECV_ERROR; the request is then made again on a new connection, which offers nothing else. */
void mote_version_fall_back(struct mote_transfer *t);

/* Reports whether both transfers make the same offer. */
bool mote_version_same(struct mote_transfer *a, struct mote_transfer *b);

/* Pings the peers of the pool's idle connections, each at most once in CURLOPT_UPKEEP_INTERVAL_MS. */
void mote_version_upkeep(const struct mote_transfer *t, const struct mote_pool *p, mote_time now);

#else

#define mote_version_upkeep(t, p, now) ((void)(t), (void)(p), (void)(now))
#define mote_version_is_open(t, tls) ((void)(t), (void)(tls), false)
#define mote_version_offer(t) ((void)(t), "http/1.1")
#define mote_version_restore(t) ((void)(t))
#define mote_version_driver(t) ((t)->run->request.scheme->protocol->driver)
#define mote_version_conn_size(t) ((t)->run->request.scheme->protocol->conn_size)
#define mote_version_filter(t, q) ((void)(t), (void)(q))
#define mote_version_settle(t, c) ((void)(t), (void)(c))
#define mote_version_use(t, c) ((void)(t), (void)(c))
#define mote_version_same(a, b) ((void)(a), (void)(b), true)

#endif

#if MOTE_HAS_H3
/* Reports whether the options let what a server offers lead the transfer to HTTP/3 (RFC 7838, RFC 9460). */
bool mote_version_may_find_quic(const struct mote_transfer *t);
/* Reports whether the transfer may come to HTTP/3 by an HTTPS record of DNS (RFC 9460). Without another way
 * to be led there the origin's record counts. */
bool mote_version_may_discover(const struct mote_transfer *t);
/* Reports whether an alternative service leads the transfer there. Valid when its route was made. */
bool mote_version_has_found_quic(const struct mote_transfer *t);
/* Returns the host of that service, and its port. ptr NULL: there is none. */
struct mote_slice mote_version_find_place(const struct mote_transfer *t, uint16_t *port);
/* Returns the number that connections to that service have (net/conn_struct.h). 0: there is none, or it is at
 * the origin's host and port. */
uint32_t mote_version_place(const struct mote_transfer *t);
/* Notes for the next URL whether QUIC has worked at that service. */
void mote_version_note_place(const struct mote_transfer *t, bool worked);
/* Reports whether the transfer's connection leads to that service, at another place than the origin's. */
bool mote_version_is_elsewhere(const struct mote_transfer *t);
#else
#define mote_version_may_find_quic(t) ((void)(t), false)
#define mote_version_may_discover(t) ((void)(t), false)
#define mote_version_has_found_quic(t) ((void)(t), false)
#define mote_version_place(t) ((void)(t), 0u)
#define mote_version_is_elsewhere(t) ((void)(t), false)
#endif

#endif
