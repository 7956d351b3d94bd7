/* connect/route.h: the one answer to "where does this request go, and through what".
 *
 * A route is a list of hops, from the first one that is connected to until the origin, which is always the
 * last. It is read from the URL and the options of a transfer. The key of a connection, dialling and the
 * configuration of TLS read the route; nothing else asks those options.
 *
 * Proxies are not built yet: a request that one applies to is refused and never goes past it.
 *
 * Ownership: slices are borrowed from the URL and the options, so a route is made again after a callback.
 * Errors:    CURLE_SETOPT_OPTION_SYNTAX (a line of CURLOPT_CONNECT_TO), CURLE_NOT_BUILT_IN (a proxy).
 * Tests:     tests/unit/connect/test_route.c, tests/e2e/test_names.py, test_connect.py */
#ifndef MOTE_CONNECT_ROUTE_H
#define MOTE_CONNECT_ROUTE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "net/names.h"
#include "parts.h"

struct mote_transfer;

enum mote_hop_kind {
  MOTE_HOP_ORIGIN, /* the URL's host */
  MOTE_HOP_DIRECT, /* another host in its place (CURLOPT_CONNECT_TO) */
  MOTE_HOP_UNIX    /* a Unix socket in its place */
};

struct mote_hop {
  struct mote_slice host; /* name in ACE form, or address with its zone id, without brackets; or the path of a
                             Unix socket */
  uint16_t port;          /* 0 for a Unix socket */
  uint8_t kind;           /* enum mote_hop_kind */
  bool tls;               /* TLS on top of what there is when this hop is reached, or later (STARTTLS) */
  bool abstract;          /* the path is a name in the abstract space (CURLOPT_ABSTRACT_UNIX_SOCKET) */
};

#define MOTE_ROUTE_HOPS 2

struct mote_route {
  struct mote_hop hop[MOTE_ROUTE_HOPS];
  uint8_t hops;           /* 1 to MOTE_ROUTE_HOPS */
  uint8_t family;         /* the only one allowed (CURLOPT_IPRESOLVE), 4 or 6; 0: any */
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

/* Return parts of the route without making the rest: whether TLS to the origin is used, the only family
 * allowed, and whether the first hop is a Unix socket, which is then in *hop with a path that ends in 0. */
#define mote_route_is_tls(t) ((t)->run->request.scheme->tls != MOTE_SECURE_NEVER)
uint8_t mote_route_family(const struct mote_transfer *t);
bool mote_route_unix(const struct mote_transfer *t, struct mote_hop *hop);

/* Returns the query for the addresses of the first hop. */
struct mote_name_query mote_route_query(const struct mote_transfer *t, const struct mote_route *r,
                                        mote_time now);
/* Reports that no address is known for the host and returns CURLE_COULDNT_RESOLVE_HOST. */
CURLcode mote_route_no_name(struct mote_transfer *t, struct mote_slice host);

/* Writes the verbose line for a new connection (run->stats.primary, run->stats.conn_id). */
#if MOTE_HAS_VERBOSE
void mote_route_report(struct mote_transfer *t);
#else
#define mote_route_report(t) ((void)(t))
#endif

/* Returns CURLE_NOT_BUILT_IN if a proxy option or environment variable applies to the current URL
 * (connect/route_proxy.c). */
#if MOTE_HAS_ENV_PROXIES
CURLcode mote_route_refuse_proxy(struct mote_transfer *t);
#else
#define mote_route_refuse_proxy(t) ((void)(t), (CURLcode)CURLE_OK)
#endif

#endif
