/* tls/session.h: the TLS sessions of a multi or a share, kept to resume them.
 *
 * A session is one block of bytes (the TLS library's serialised form without the certificates), so that it
 * costs a few hundred bytes and no object of the TLS library. It is found by the text
 * "host:port:library:configuration", where the last is a hash of the identity (mote_tls_config_feed) and of
 * which files it reads (mote_tls_files_feed): a session that was made while a file had other certificates is
 * found no longer.
 * TLS 1.3 sessions are tickets for one use. Each is taken out when it is used, the newest first (RFC 8446
 * appendix C.4), and a server may leave a few. Sessions of older versions stay until they are replaced.
 *
 * Invariants: count <= limit; at most MOTE_SESSION_TICKETS entries of one key; no entry is past its end for
 *             longer than the next use of the cache.
 * Ownership:  the struct is the owner's field; entries are the cache's, charged to its account.
 * Threads:    none of its own: calls arrive under the owner's lock (struct mote_session_guard in tls.h).
 * Failure:    a session that cannot be kept is dropped; only import returns CURLE_OUT_OF_MEMORY.
 * Tests:      tests/unit/tls/test_session.c */
#ifndef MOTE_TLS_SESSION_H
#define MOTE_TLS_SESSION_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/containers/list.h"
#include "base/text.h"
#include "parts.h"

struct mote_account;
struct mote_ceiling;
struct mote_tls_config;
struct mote_tls_head;

#define MOTE_SESSION_LIMIT 25       /* default of limit: hosts that a program talks to again soon */
#define MOTE_SESSION_TICKETS 2      /* of one key: as many as servers send unasked; more would only expire */
#define MOTE_SESSION_MAX 8192       /* bytes of one session: tickets with a client certificate inside are
                                       large; a larger one would be an attack on memory */
#define MOTE_SESSION_SHMAC 64       /* 32 bytes salt, then HMAC-SHA-256(salt, key text) */

#define MOTE_SESSION_IDENTITY 16    /* bytes of the identity's hash in it */

struct mote_session_cache {
  struct mote_list entries;     /* newest first */
  struct mote_account *account; /* pays for entries */
  uint16_t count;               /* entries now */
  uint16_t limit;               /* most entries; the oldest makes room */
};

/* What a session has besides its bytes. */
struct mote_session_info {
  int64_t valid_until;    /* Unix seconds; 0: never kept */
  uint32_t earlydata_max; /* bytes, 0 none */
  int tls_id;             /* 0x0303, 0x0304 */
  const char *alpn;       /* protocol the session was made with, NUL-terminated; NULL none. Borrowed. */
  bool client_cert;       /* tied to a client certificate: used, never exported */
};

#if MOTE_HAS_SESSIONS
static inline void mote_session_cache_init(struct mote_session_cache *c, struct mote_account *account)
{
  mote_list_init(&c->entries);
  c->account = account;
  c->count = 0;
  c->limit = MOTE_SESSION_LIMIT;
}

void mote_session_cache_close(struct mote_session_cache *c); /* frees all entries; usable again */
/* Adds the most memory of one more session. */
void mote_session_ceiling(struct mote_ceiling *c);
#else
#define mote_session_cache_init(c, account) ((void)(c), (void)(account))
#define mote_session_cache_close(c) ((void)(c))
#define mote_session_ceiling(c) ((void)(c))
#endif

/* Keeps a copy of a session. now is Unix seconds. */
void mote_session_put(struct mote_session_cache *c, const char *key, struct mote_slice session,
                      const struct mote_session_info *info, int64_t now);

/* Passes the newest session of the key to use(arg, ...), which must not call the cache. A TLS 1.3 session,
 * and one for which use returns false, is removed then. Returns false if there is none, or if use refused
 * it. */
typedef bool mote_session_use_fn(void *arg, const void *bytes, size_t len);
bool mote_session_take(struct mote_session_cache *c, const char *key, int64_t now, mote_session_use_fn *use,
                       void *arg);

/* curl_easy_ssls_export(): calls fn once per entry, newest first, and returns its first code other than
 * CURLE_OK. Entries imported by hash only have a NULL session_key. fn must not change the cache. */
CURLcode mote_session_export(struct mote_session_cache *c, int64_t now, CURL *easy, curl_ssls_export_cb *fn,
                             void *userptr);

/* A session as curl_easy_ssls_export(3) passes it. */
struct mote_session_export {
  const char *key; /* NULL: shmac says whose session it is */
  struct mote_slice shmac;
  struct mote_slice sdata; /* our own container (see session.c) */
};

/* curl_easy_ssls_import(): adds what export returned. An expired session is dropped with CURLE_OK.
 * Errors: CURLE_BAD_FUNCTION_ARGUMENT (neither key nor a shmac of MOTE_SESSION_SHMAC bytes; sdata malformed
 * or of another library), CURLE_OUT_OF_MEMORY. */
CURLcode mote_session_import(struct mote_session_cache *c, const struct mote_session_export *from,
                             int64_t now);

/* ---- how streams use it ---- */

#if MOTE_HAS_SESSIONS
/* Hashes the configuration into the identity under which the stream's sessions are kept, and decides
 * whether the stream may use sessions (its head's session_cache). */
void mote_tls_name_session(struct mote_tls_head *t, const struct mote_tls_config *cfg,
                           uint8_t identity[MOTE_SESSION_IDENTITY]);

/* Passes the newest session of this identity to use(), whose arg is the struct mote_stream. Does nothing
 * without a cache. */
void mote_tls_take_session(struct mote_tls_head *t, const uint8_t identity[MOTE_SESSION_IDENTITY],
                           mote_session_use_fn *use);

/* Keeps a session. info->alpn and info->client_cert are filled in from the stream. Does nothing without a
 * cache. */
void mote_tls_put_session(struct mote_tls_head *t, const uint8_t identity[MOTE_SESSION_IDENTITY],
                          const void *bytes, size_t len, struct mote_session_info *info);
#else
#define mote_tls_name_session(t, cfg, identity) ((void)(t), (void)(cfg), (void)(identity))
#define mote_tls_take_session(t, identity, use) ((void)(t), (void)(identity), (void)(use))
#define mote_tls_put_session(t, identity, bytes, len, info) \
  ((void)(t), (void)(identity), (void)(bytes), (void)(len), (void)(info))
#endif

#endif
