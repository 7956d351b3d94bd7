/* stream/tunnel_h2.h: a layer that carries a tunnel by HTTP/2 (RFC 9113 section 8.5), for a proxy that has
 * agreed to it by ALPN.
 *
 * The layer above (stream/tunnel.h) gives it the head of CONNECT as fields. This one opens a stream with it,
 * gives that layer the head of the response as lines, and carries what follows a status of 2xx as DATA.
 * Another request after a challenge is another stream. Other streams there are none.
 *
 * What is received goes to the caller's memory; only what has no room there is kept. So the window of the
 * stream costs no memory: what the caller does not read stays in the socket.
 *
 * Ownership: one block and the session's (net/h2/session.h), charged to env->account; a buffer while there is
 *            something in it.
 * Errors:    CURLE_RECV_ERROR: the proxy broke the protocol or ended the connection. CURLE_TOO_LARGE: its
 *            response head is. CURLE_OUT_OF_MEMORY, and those of the layer below.
 * Tests:     tests/e2e/test_https_proxy_h2.py, tests/unit/stream/test_tunnel_h2.c */
#ifndef MOTE_STREAM_TUNNEL_H2_H
#define MOTE_STREAM_TUNNEL_H2_H

#include <curl/curl.h>

#include "parts.h"

struct mote_buf;
struct mote_stream;
struct mote_stream_env;

#if MOTE_HAS_PROXY_H2

/* What ALPN offers to a proxy. */
#define MOTE_TUNNEL_H2_OFFER "h2,http/1.1"

/* Makes the layer over `below`. *out is NULL on failure. */
CURLcode mote_tunnel_h2_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env);
/* Sends a request for the tunnel, or as much of it as the layer below takes now; the rest follows. notes: of
 * struct mote_mux_note: the method, the authority (both without a name), and each field of the text. */
CURLcode mote_tunnel_h2_ask(struct mote_stream *s, struct mote_buf *text, const struct mote_buf *notes);

#else

#define MOTE_TUNNEL_H2_OFFER "http/1.1"
#define mote_tunnel_h2_new(out, below, env) \
  ((void)(out), (void)(below), (void)(env), (CURLcode)CURLE_NOT_BUILT_IN)
#define mote_tunnel_h2_ask(s, text, notes) \
  ((void)(s), (void)(text), (void)(notes), (CURLcode)CURLE_NOT_BUILT_IN)
#endif

#endif
