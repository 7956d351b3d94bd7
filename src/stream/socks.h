/* stream/socks.h: the layer that makes a SOCKS proxy connect on. It has a handshake and nothing else. When
 * that is done, the next byte is the destination's, and the layer is taken away (it has no recv and no send).
 *
 * Ownership: one block, charged to env->account, or room of the caller, with copies of what the request
 *            points to.
 * Errors:    CURLE_PROXY with env->proxy_error and a text, those of the layer below, CURLE_OUT_OF_MEMORY.
 * Tests:     tests/unit/stream/test_socks.c, tests/e2e/test_socks.py */
#ifndef MOTE_STREAM_SOCKS_H
#define MOTE_STREAM_SOCKS_H

#include "codec/socks/socks.h"

struct mote_socks_gss_plan;
struct mote_stream;
struct mote_stream_env;

/* Memory of the caller that outlives the layer, which uses it instead of a block where it is large enough. */
struct mote_socks_room {
  char *ptr;
  size_t size; /* bytes; 0: there is none */
  bool used;   /* set by mote_socks_new(): the layer lies in it */
};

/* Makes the layer over `below`. gss says how to log in by GSS-API if request->gss offers it. *out is NULL on
 * failure. */
CURLcode mote_socks_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                        const struct mote_socks_request *request, const struct mote_socks_gss_plan *gss,
                        struct mote_socks_room *room);

#endif
