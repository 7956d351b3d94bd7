/* stream/tunnel.h: the layer that makes an HTTP proxy connect on by CONNECT (RFC 9110 section 9.3.6).
 *
 * Its handshake sends the request and reads the head of the response. After that it passes everything on, and
 * has nothing left to do unless the proxy has sent bytes after its head. Those are the destination's, and
 * `pending` until they were received. Header lines go to the environment's observer.
 *
 * A second request answers a 407 that asks for Basic, on the same connection. Where the proxy closes that, or
 * sends a body whose end is not known beforehand or that is longer than 64 KB, the handshake fails.
 *
 * Ownership: one block, charged to env->account, and the buffers of the requests, of which the current one is
 *            the response's later.
 * Errors:    CURLE_COULDNT_CONNECT: the proxy refused. CURLE_RECV_ERROR: it closed the connection.
 *            CURLE_WEIRD_SERVER_REPLY, CURLE_TOO_LARGE: it does not speak HTTP. Those of the observer and of
 *            the layer below, CURLE_OUT_OF_MEMORY.
 * Tests:     tests/unit/stream/test_tunnel.c, tests/e2e/test_tunnel.py */
#ifndef MOTE_STREAM_TUNNEL_H
#define MOTE_STREAM_TUNNEL_H

#include <stdint.h>

#include "base/buf.h"
#include "net/stream.h"

/* Most bytes of a request head. */
#define MOTE_TUNNEL_HEAD_MAX (1024u * 1024)

/* Makes the layer over `below`, and takes over both buffers, in any case. `head` has the whole request head,
 * `second` the one with credentials that are only sent after a challenge, or nothing. *out is NULL on
 * failure. */
CURLcode mote_tunnel_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                         struct mote_buf *head, struct mote_buf *second);

/* Returns the status of the proxy's last response head, or 0. */
unsigned mote_tunnel_status(const struct mote_stream *s);

#endif
