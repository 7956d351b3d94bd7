/* connect/route/route.h: the one answer to "where does this request go, and through what".
 *
 * A route is a list of hops, from the first one that is connected to until the origin, which is always the
 * last. It is read from the URL, the options of a transfer and, for proxies, the environment. The key of a
 * connection, dialling and the configuration of TLS read the route; nothing else asks those options.
 *
 * The hops are, each only where there is one: pre-proxy, proxy, another host in the origin's place, origin.
 * A request that a proxy applies to is refused when this build lacks that kind of proxy, and never goes past
 * it.
 *
 * It is not kept. What is kept from one transfer to the next is that a proxy applied, and whether it passed
 * the request on (run->lease), which is decided again for each request: by the options, the URL's scheme and
 * host, and the variables of the environment (mote_route_note_proxy()).
 *
 * Ownership: slices are borrowed from the URL, the options and the environment, or point into the route,
 *            which must not be moved. It is made again after a callback.
 * Errors:    CURLE_SETOPT_OPTION_SYNTAX (a line of CURLOPT_CONNECT_TO); CURLE_NOT_BUILT_IN,
 *            CURLE_COULDNT_RESOLVE_PROXY and CURLE_COULDNT_CONNECT (connect/route/route_proxy.c).
 * Tests:     tests/unit/connect/test_route.c, tests/e2e/test_names.py, test_connect.py, test_socks.py */
#ifndef MOTE_CONNECT_ROUTE_ROUTE_H
#define MOTE_CONNECT_ROUTE_ROUTE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "codec/url/proxy.h"
#include "net/names/names.h"
#include "parts.h"

struct mote_login;
struct mote_transfer;

enum mote_hop_kind {
  MOTE_HOP_ORIGIN, /* the URL's host */
  MOTE_HOP_DIRECT, /* another host in its place (CURLOPT_CONNECT_TO) */
  MOTE_HOP_UNIX,   /* a Unix socket in its place */
  MOTE_HOP_SOCKS4, /* a proxy: this kind and all that follow */
  MOTE_HOP_SOCKS4A,
  MOTE_HOP_SOCKS5,
  MOTE_HOP_SOCKS5H,
  MOTE_HOP_HTTP
};

struct mote_hop {
  struct mote_slice host; /* name in ACE form, or address with its zone id, without brackets; or the path of a
                             Unix socket, which a NUL ends */
  uint16_t port;          /* 0 for a Unix socket */
  uint8_t kind;           /* enum mote_hop_kind */
  bool tls;               /* TLS on top of what there is when this hop is reached, or later (STARTTLS) */
  bool h2;                /* an HTTPS proxy that is spoken to by HTTP/2 if it can */
  bool path;              /* the host is the path of a Unix socket; only in the first hop */
  bool abstract;          /* the path is a name in the abstract space (CURLOPT_ABSTRACT_UNIX_SOCKET) */
};

#define MOTE_ROUTE_HOPS 4
#define MOTE_ROUTE_PROXIES 2

struct mote_route {
  struct mote_hop hop[MOTE_ROUTE_HOPS];
  uint8_t hops;           /* 1 to MOTE_ROUTE_HOPS */
  uint8_t proxies;        /* how many of the first hops are proxies, 0 to MOTE_ROUTE_PROXIES */
  bool forward;           /* the last of them gets the request and passes it on, without a tunnel */
  uint8_t family;         /* the only one allowed (CURLOPT_IPRESOLVE), 4 or 6; 0: any */
#if MOTE_HAS_ENV_PROXIES
  struct mote_proxy proxy[MOTE_ROUTE_PROXIES]; /* their texts, in the order of the hops */
#endif
};

/* Reads the route of the current URL. It is only valid if the result is CURLE_OK. */
CURLcode mote_route_make(struct mote_transfer *t, struct mote_route *r);

/* The hop that a socket is connected to. */
static inline const struct mote_hop *mote_route_first(const struct mote_route *r)
{
  return &r->hop[0];
}

static inline const struct mote_hop *mote_route_origin(const struct mote_route *r)
{
  return &r->hop[r->hops - 1];
}

/* Return parts of the route without making the rest: whether TLS to the origin is used, whether its sockets
 * are for datagrams, the only family allowed, and whether a Unix socket takes the origin's place, which is
 * then in *hop. */
#define mote_route_is_tls(t) ((t)->run->request.scheme->tls != MOTE_SECURE_NEVER)
#if MOTE_HAS_TFTP
bool mote_route_has_datagrams(const struct mote_transfer *t);
#else
#define mote_route_has_datagrams(t) ((void)(t), false)
#endif
uint8_t mote_route_family(const struct mote_transfer *t);
bool mote_route_unix(const struct mote_transfer *t, struct mote_hop *hop);

/* Returns the query for the addresses of a hop. */
struct mote_name_query mote_route_query(const struct mote_transfer *t, const struct mote_route *r,
                                        const struct mote_hop *hop, mote_time now);
/* Lets the query for the origin's name ask for HTTPS records, too (RFC 9460), where the transfer may come to
 * HTTP/3 by one (connect/version.h). */
#if MOTE_HAS_H3
void mote_route_ask_service(const struct mote_transfer *t, const struct mote_route *r,
                            struct mote_name_query *q);
#else
#define mote_route_ask_service(t, r, q) ((void)(t), (void)(r), (void)(q))
#endif
/* Reports that no address is known for the hop and returns CURLE_COULDNT_RESOLVE_HOST, or _PROXY for one. */
CURLcode mote_route_no_name(struct mote_transfer *t, const struct mote_hop *hop);

/* Writes the verbose line for a new connection (run->stats.primary, run->stats.conn_id) of a transfer that
 * wants it. */
#if MOTE_HAS_VERBOSE
void mote_route_report(struct mote_transfer *t);
#else
#define mote_route_report(t) ((void)(t))
#endif

/* ---- proxies (connect/route/route_proxy.c) ---- */

#if MOTE_HAS_ENV_PROXIES
/* Notes in run->lease.proxied whether an option or environment variable makes the current URL go through a
 * proxy. Called for each request; the route then has the proxy. */
void mote_route_note_proxy(struct mote_transfer *t);
/* Makes the hops of proxies the first ones of a route that has none, for a transfer that is `proxied`.
 * CURLE_NOT_BUILT_IN: this build lacks the kind of proxy. CURLE_COULDNT_RESOLVE_PROXY: the text names none,
 * or a kind that cannot be there. CURLE_COULDNT_CONNECT: no kind of proxy that there is. */
CURLcode mote_route_put_proxies(struct mote_transfer *t, struct mote_route *r);
/* Decides r->forward, when the proxies are there. elsewhere: the origin's place is taken.
 * CURLE_NOT_BUILT_IN: a login by no scheme that is built in. */
CURLcode mote_route_judge_tunnel(struct mote_transfer *t, struct mote_route *r, bool elsewhere);

/* User and password for a proxy of the route. */
struct mote_route_login {
  struct mote_slice user;     /* may be empty */
  struct mote_slice password; /* likewise */
  bool coded;                 /* both are percent-encoded */
};
/* False: there is none, and *out is all zero. What is in the proxy's text counts before the options, which
 * are for the proxy alone and not for a pre-proxy. */
bool mote_route_login(const struct mote_transfer *t, const struct mote_route *r, const struct mote_hop *hop,
                      struct mote_route_login *out);
/* Reports whether requests to an HTTP proxy may have something that authenticates them, without making a
 * route. */
bool mote_route_may_login(const struct mote_transfer *t);
/* Fills *out with what authenticates requests to the HTTP proxy of this hop (connect/route/route_login.c).
 * It is valid as long as the route is. */
void mote_route_find_login(struct mote_transfer *t, const struct mote_route *r, const struct mote_hop *hop,
                           struct mote_login *out);

/* Reports whether the proxy of this hop is only sent HTTP/1.0 (CURLPROXY_HTTP_1_0). */
static inline bool mote_route_is_old_proxy(const struct mote_route *r, const struct mote_hop *hop)
{
  return r->proxy[hop - r->hop].type == CURLPROXY_HTTP_1_0;
}

/* Reports whether some URL could go through a proxy. For a handle without a run. */
bool mote_route_may_be_proxied(const struct mote_transfer *t);
#else
#define mote_route_note_proxy(t) ((void)(t))
#define mote_route_may_be_proxied(t) ((void)(t), false)
#define mote_route_put_proxies(t, r) ((void)(t), (void)(r), (CURLcode)CURLE_OK)
#define mote_route_judge_tunnel(t, r, elsewhere) ((void)(t), (void)(r), (void)(elsewhere), (CURLcode)CURLE_OK)
#endif

#endif
