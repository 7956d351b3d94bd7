/* connect/identity.h: the canonical key of a connection. A transfer may reuse a connection with its own key.
 * Where an HTTP proxy passes requests on, the proxy takes the origin's place in it.
 *
 * Which options are in it is the column `identity` of their rows (transfer/options/option_rows.inc).
 *
 * Layout: host in lower case with its zone id unchanged, ":", port, NUL, scheme, NUL, then tagged parts: each
 * hop before the origin (proxies, CONNECT_TO, Unix socket), "number=value" of each option that always counts,
 * 32 bytes of SHA-256 over those that count with proxies, those that count with TLS, and 32 bytes over the
 * credentials if the protocol logs in. With TLS numbers and short texts are "number=value" too. Blobs, long
 * texts and what identifies the client have 32 bytes, which a key without any does not have: SHA-256 would be
 * a tenth of a small request. CURLMOPT_MAX_HOST_CONNECTIONS counts by the part before the first
 * NUL.
 *
 * With part small the key is another one (small/pool.c).
 *
 * Ownership: the key is in `room` unless it is longer; mote_identity_close() frees its block.
 * Errors:    CURLE_OUT_OF_MEMORY, CURLE_URL_MALFORMAT; CURLE_TOO_LARGE.
 * Tests:     tests/unit/connect/test_identity.c, tests/e2e/test_reuse.py */
#ifndef MOTE_CONNECT_IDENTITY_H
#define MOTE_CONNECT_IDENTITY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "parts.h"
#include "transfer/options/option_rows.h"

struct mote_conn;
struct mote_out;
struct mote_pool;
struct mote_pool_query;
struct mote_route;
struct mote_sha256;
struct mote_transfer;

#define MOTE_IDENTITY_ROOM 200 /* bytes; longer keys are allocated */

struct mote_identity {
  char *key;       /* room or a block */
  size_t len;      /* bytes */
  size_t block;    /* bytes allocated, 0: key points to room */
  char room[MOTE_IDENTITY_ROOM];
};

/* Reports whether the connection that was taken last from `pool` has the key of this transfer, which then
 * need not be built. Call it once for each choice of a connection.
 *
 * Depends on, and is compared with:
 * - the handle's options: none was set since the last transfer began (options.changed);
 * - the URL: it is the option's, which neither a redirect nor HSTS has replaced, now or the last time
 *   (transfer/run_reuse.c). Alt-Svc has another place only for TLS;
 * - the pool: it is one that only this handle uses (run->lease.own_pool), and not a share's;
 * - the proxy: none now and none then, or that of the same option (connect/route/route_proxy.c). One from the
 *   environment is never known;
 * - a netrc file: never known where a login is in the key.
 * TLS, and lists that the application may change unnoticed (CURLOPT_CONNECT_TO), are never known.
 *
 * An internal transfer knows one connection, also with TLS, since the library sets its options. */
bool mote_identity_is_known(struct mote_transfer *t, const struct mote_pool *pool);

/* Reports whether the connection may get TLS to the origin. */
bool mote_identity_may_have_tls(const struct mote_transfer *t);

/* The connection that an internal transfer had last. */
#if MOTE_HAS_DOH
/* Notes one that was chosen by its key; c may be NULL. */
void mote_identity_note(struct mote_transfer *t, const struct mote_conn *c);
/* Reports whether one is noted, and the transfer makes the same request again. */
bool mote_identity_recalls(const struct mote_transfer *t);
/* Writes it into a query without a key. */
void mote_identity_recall(struct mote_transfer *t, struct mote_pool_query *q);
#else
#define mote_identity_note(t, c) ((void)(t), (void)(c))
#define mote_identity_recalls(t) ((void)(t), false)
#define mote_identity_recall(t, q) ((void)(t), (void)(q))
#endif

/* Returns the length of the longest possible key, with hosts of host_len bytes at most. */
size_t mote_identity_most(const struct mote_transfer *t, size_t host_len);

CURLcode mote_identity_make(struct mote_transfer *t, struct mote_identity *id);
void mote_identity_close(struct mote_transfer *t, struct mote_identity *id);

/* Returns the bytes of a text, or 0 for those of a number. */
size_t mote_identity_text_len(const struct mote_option *e);
/* Writes "number=value" of an option. For connect/. */
void mote_identity_put_option(struct mote_out *out, const struct mote_option *e);

/* connect/tls_config.c: writes what counts of the TLS options, or the tagged hash of the user and the secrets
 * that the options and the URL have. */
#define MOTE_IDENTITY_TLS_ROOM 40 /* without what is not hashed */
#define MOTE_IDENTITY_LOGIN_ROOM 40
#if MOTE_HAS_HTTPS
void mote_identity_put_tls(struct mote_transfer *t, struct mote_out *out);
/* For struct mote_protocol.login. */
void mote_identity_put_login(struct mote_transfer *t, struct mote_out *out);
/* Writes such a hash. */
void mote_identity_put_digest(struct mote_out *out, char tag, struct mote_sha256 *h);
#else
#define mote_identity_put_tls(t, out) ((void)(t), (void)(out))
#define mote_identity_put_login(t, out) ((void)(t), (void)(out))
#define mote_identity_put_digest(out, tag, h) ((void)(out), (void)(tag), (void)(h))
#endif
/* Feeds the options that count in a case (enum mote_identity_when). For connect/. */
void mote_identity_feed(struct mote_sha256 *h, struct mote_transfer *t, enum mote_identity_when when);
/* Feeds a user and a password. */
void mote_identity_feed_pair(struct mote_sha256 *h, struct mote_slice a, struct mote_slice b);
/* connect/proxy/identity_proxy.c: the same of what counts with a proxy, among it each proxy's type and the
 * login that it is sent. */
#define MOTE_IDENTITY_PROXY_ROOM 40
#if MOTE_HAS_PROXIES
void mote_identity_put_proxy(struct mote_transfer *t, const struct mote_route *r, struct mote_out *out);
#else
#define mote_identity_put_proxy(t, r, out) ((void)(t), (void)(r), (void)(out))
#endif

#endif
