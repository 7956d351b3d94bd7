/* stream/haproxy.h: the layer that sends the line of the PROXY protocol, version 1, in which a server finds
 * the address of its client (haproxy.org, proxy-protocol.txt, section 2.1). When it is sent, the layer is
 * taken away (it has no recv and no send).
 *
 * Ownership: one block, charged to env->account.
 * Errors:    CURLE_OUT_OF_MEMORY, those of the layer below.
 * Tests:     tests/e2e/test_haproxy.py */
#ifndef MOTE_STREAM_HAPROXY_H
#define MOTE_STREAM_HAPROXY_H

#include <curl/curl.h>

struct mote_addr;
struct mote_stream;
struct mote_stream_env;

/* Makes the layer over `below`, for a connection from `source` to `target`; of another family than IPv4 and
 * IPv6 it is unknown. *out is NULL on failure. */
CURLcode mote_haproxy_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                          const struct mote_addr *source, const struct mote_addr *target);

#endif
