/* stream/tunnel.h: the layer that makes an HTTP proxy connect on by CONNECT (RFC 9110 section 9.3.6).
 *
 * Its handshake sends the request and reads the head of the response. After that it passes everything on, and
 * has nothing left to do unless the proxy has sent bytes after its head. Those are the destination's, and
 * `pending` until they were received. Header lines go to the environment's observer.
 *
 * A 407 is answered by another request when the client knows one, on the same connection. Where the proxy
 * closes that, or sends a body whose end is not known beforehand or that is longer than 64 KB, the handshake
 * fails with CURLE_COULDNT_CONNECT, and another connection is worth an attempt (mote_tunnel_is_lost()).
 *
 * Ownership: one block, charged to env->account, and another one while a part of the request is not sent, or
 *            a part of the response not used.
 * Errors:    CURLE_COULDNT_CONNECT: the proxy refused. CURLE_RECV_ERROR: it closed the connection.
 *            CURLE_WEIRD_SERVER_REPLY, CURLE_TOO_LARGE: it does not speak HTTP. Those of the observer, the
 *            client and of the layer below, CURLE_OUT_OF_MEMORY.
 * Tests:     tests/unit/stream/test_tunnel.c, tests/e2e/test_tunnel.py */
#ifndef MOTE_STREAM_TUNNEL_H
#define MOTE_STREAM_TUNNEL_H

#include <stdint.h>

#include "base/buf.h"
#include "base/text.h"

struct mote_stream;
struct mote_stream_env;

/* Bytes that are read at once; most responses to CONNECT are shorter. */
#define MOTE_TUNNEL_STEP 512u
/* Most bytes of a request head. */
#define MOTE_TUNNEL_HEAD_MAX (1024u * 1024)

/* The head of a request for a tunnel. */
struct mote_tunnel_head {
  struct mote_buf text;
  struct mote_buf notes; /* where its fields lie (mote_tunnel_h2_ask()), for a proxy that is spoken to by
                            HTTP/2; or empty: the text is sent */
};

/* Who knows how to answer a challenge. */
struct mote_tunnel_client {
  /* Reads the Proxy-Authenticate of a 407. */
  CURLcode (*challenge)(struct mote_tunnel_client *c, struct mote_slice value);
  /* Reports at the end of its head whether another request is worth sending. */
  bool (*again)(struct mote_tunnel_client *c);
  /* Writes the head of that request. */
  CURLcode (*ask)(struct mote_tunnel_client *c, struct mote_tunnel_head *head);
};

/* Makes the layer over `below`, sends what that takes of the request head, and takes over its buffers, in any
 * case. Borrowed room of the buffers is no longer used on return. *out is NULL on failure. */
CURLcode mote_tunnel_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                         struct mote_tunnel_head *head);

/* Sets the client for the next call of the handshake; NULL: challenges are refused. */
void mote_tunnel_serve(struct mote_stream *s, struct mote_tunnel_client *client);

/* Reports that a challenge could be answered, but not on this connection. */
bool mote_tunnel_is_lost(const struct mote_stream *s);

/* Returns the status of the proxy's last response head, or 0. */
unsigned mote_tunnel_status(const struct mote_stream *s);

#endif
