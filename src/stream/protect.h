/* stream/protect.h: the layer that signs or encrypts what goes to a SOCKS5 proxy after a login by GSS-API
 * (RFC 1961 section 5). Each piece is a frame with a wrapped message. It lies under the layer of SOCKS, and
 * stays when that is taken away.
 *
 * Ownership: one block, charged to env->account, and two buffers; the context is the layer's.
 * Errors:    CURLE_RECV_ERROR, with a text: a frame that is none, is not the proxy's, or is not encrypted
 *            where it should be. Those of the layer below, CURLE_OUT_OF_MEMORY.
 * Tests:     tests/e2e/test_socks_gss.py */
#ifndef MOTE_STREAM_PROTECT_H
#define MOTE_STREAM_PROTECT_H

#include <curl/curl.h>
#include <stdbool.h>

struct mote_gss;
struct mote_stream;
struct mote_stream_env;

/* Makes the layer over `below` and takes the context over, in any case. *out is NULL on failure. */
CURLcode mote_protect_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                          struct mote_gss *context, bool encrypt);

#endif
