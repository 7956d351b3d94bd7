/* stream/socks_gss.h: logs in to a SOCKS5 proxy by GSS-API, for the layer of SOCKS (stream/socks.h). After
 * the context's rounds, both sides agree on the protection of what follows (RFC 1961).
 *
 * Ownership: one block, charged to env->account; mote_socks_gss_close() frees it. It borrows nothing.
 * Errors:    CURLE_PROXY with env->proxy_error and a text, those of the layer below, CURLE_OUT_OF_MEMORY.
 * Tests:     tests/e2e/test_socks_gss.py */
#ifndef MOTE_STREAM_SOCKS_GSS_H
#define MOTE_STREAM_SOCKS_GSS_H

#include "auth/gss.h"

struct mote_socks_gss;
struct mote_stream;
struct mote_stream_env;

struct mote_socks_gss_plan {
  struct mote_gss_peer peer; /* the proxy */
  bool nec;                  /* the protection is asked for in clear text (CURLOPT_SOCKS5_GSSAPI_NEC(3)) */
};

#if MOTE_HAS_GSSAPI
CURLcode mote_socks_gss_new(struct mote_socks_gss **out, struct mote_stream_env *env,
                            const struct mote_socks_gss_plan *plan);
/* Continues over the layer below. CURLE_OK: the proxy accepts the login. CURLE_AGAIN: it waits. */
CURLcode mote_socks_gss_run(struct mote_socks_gss *g, struct mote_stream *below);
/* After that: puts the protection that was agreed on as a layer on *below, if there is any.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_socks_gss_protect(struct mote_socks_gss *g, struct mote_stream **below);
/* Returns what it waits for (MOTE_WANT_*). */
unsigned mote_socks_gss_want(const struct mote_socks_gss *g);
void mote_socks_gss_close(struct mote_socks_gss *g); /* NULL: does nothing */
#else
#define mote_socks_gss_new(out, env, plan) \
  ((void)(out), (void)(env), (void)(plan), (CURLcode)CURLE_NOT_BUILT_IN)
#define mote_socks_gss_run(g, below) ((void)(g), (void)(below), (CURLcode)CURLE_NOT_BUILT_IN)
#define mote_socks_gss_protect(g, below) ((void)(g), (void)(below), (CURLcode)CURLE_NOT_BUILT_IN)
#define mote_socks_gss_want(g) ((void)(g), 0u)
#define mote_socks_gss_close(g) ((void)(g))
#endif

#endif
