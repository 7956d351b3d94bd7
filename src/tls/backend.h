/* tls/backend.h: what one TLS library gives to tls.h: a row of mote_tls_backends.
 *
 * Everything that is asked of a stream goes through the ops behind which it was made, so that streams of two
 * libraries could live side by side; the process uses one (mote_tls_select).
 *
 * Contract:  tls.h says what each function does; nothing here is NULL unless it says so.
 * Ownership: a stream whose ops are not those of struct mote_tls_ops is not given to any of them.
 * Tests:     tests/unit/tls/test_backends.c; tests/e2e/test_tls.py is the same for every library. */
#ifndef MOTE_TLS_BACKEND_H
#define MOTE_TLS_BACKEND_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/stream.h"
#include "parts.h"

struct mote_session_cache;
struct mote_session_guard;
struct mote_tls_config;
struct mote_tls_info;

struct mote_tls_backend {
  curl_ssl_backend id;         /* as curl_global_sslset(3) knows it */
  const char *(*version)(void); /* "OpenSSL/3.0.17", of the library that runs; static */

  CURLcode (*connect_new)(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                          const struct mote_tls_config *cfg, const char *host, uint16_t port,
                          struct mote_session_cache *cache);
  CURLcode (*prepare)(const struct mote_tls_config *cfg, struct mote_report *report);
  void (*cleanup)(void);
};

struct mote_tls_ops {
  struct mote_stream_ops stream; /* first: mote_stream.ops points here */
  const struct mote_tls_backend *backend;
  void (*set_cache)(struct mote_stream *s, struct mote_session_cache *cache,
                    const struct mote_session_guard *guard, void *arg);
  bool (*truncated)(const struct mote_stream *s);
  const char *(*alpn)(const struct mote_stream *s, size_t *len);
  void (*get_info)(const struct mote_stream *s, struct mote_tls_info *out);
  CURLcode (*certinfo)(const struct mote_stream *s, struct mote_account *account,
                       struct curl_certinfo **out); /* NULL: the library does not tell */
  void *(*ssl_ptr)(const struct mote_stream *s);
  void *(*ctx_ptr)(const struct mote_stream *s);
};

/* What certinfo gives points into this. */
struct mote_tls_certinfo_block {
  size_t size; /* bytes of the block */
  struct curl_certinfo info;
  /* then struct curl_slist *[num_of_certs], struct curl_slist[lines], the texts */
};

/* Those built in, ended by NULL; the first serves unless mote_tls_select() chose another. Written by the
 * build (cmake/select.cmake). */
extern const struct mote_tls_backend *const mote_tls_backends[];

/* choice.c: the one that serves; the same, which stays the one from now on (a stream is made); the same if
 * one was made, else NULL. Without part tls_choice the first serves. */
#if MOTE_HAS_TLS_CHOICE
const struct mote_tls_backend *mote_tls_serving(void);
const struct mote_tls_backend *mote_tls_settle(void);
const struct mote_tls_backend *mote_tls_used(void);
#else
static inline const struct mote_tls_backend *mote_tls_serving(void)
{
  return mote_tls_backends[0];
}

static inline const struct mote_tls_backend *mote_tls_settle(void)
{
  return mote_tls_backends[0];
}

static inline const struct mote_tls_backend *mote_tls_used(void)
{
  return mote_tls_backends[0];
}
#endif

/* The one that CURL_SSL_BACKEND names, in any case, where there are several (libcurl-env(3)); NULL: none. */
#if MOTE_HAS_TLS_ENV
const struct mote_tls_backend *mote_tls_by_env(void);
#else
static inline const struct mote_tls_backend *mote_tls_by_env(void)
{
  return NULL;
}
#endif

#endif
