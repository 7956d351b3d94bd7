/* protocol/plain/query.h: an exchange of one request and one answer that ends with the connection, for
 * gopher: and dict:.
 *
 * The protocol writes its request into the multi's buffer. What the server sends until it closes the
 * connection is the body, whatever it says. With CURLOPT_NOBODY the request is sent and the answer is not
 * waited for.
 *
 * Ownership: the state lies in the connection, which is not reusable afterwards.
 * Errors:    CURLE_TOO_LARGE, CURLE_OUT_OF_MEMORY, CURLE_SEND_ERROR, those of protocol/body.h and of the
 *            protocol's `write`.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_query.py */
#ifndef MOTE_PROTOCOL_PLAIN_QUERY_H
#define MOTE_PROTOCOL_PLAIN_QUERY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/time.h"

struct mote_out;
struct mote_protocol;
struct mote_slice;
struct mote_transfer;

#define MOTE_QUERY_MOST 65536u /* bytes of a request; URLs may be longer */

/* The state of a connection (struct mote_protocol.conn_size). */
struct mote_query {
  bool sent; /* the request is sent, or its rest is in run->unsent */
};

/* How a protocol asks. */
struct mote_query_row {
  size_t skips; /* characters of the path that are not sent, its slash among them */
  /* Writes the request for the path, which is decoded and has no control characters but those that
   * `takes_controls` allows. It is called again with more room where that was not enough. */
  void (*write)(struct mote_out *out, struct mote_slice path);
  bool query_belongs;  /* the query is a part of the path, "?" included; else it is not sent */
  bool takes_controls; /* only NUL, CR and LF are refused */
  bool shows;          /* the debug callback gets the request as CURLINFO_DATA_OUT */
};

/* The rows of its schemes. */
extern const struct mote_protocol mote_protocol_gopher;
extern const struct mote_protocol mote_protocol_dict;

/* struct mote_protocol.prepare: nothing is uploaded. */
CURLcode mote_query_prepare(struct mote_transfer *t);
/* For struct mote_protocol.step. */
CURLcode mote_query_step(struct mote_transfer *t, const struct mote_query_row *row, mote_time now);
/* struct mote_protocol.begin and .end */
CURLcode mote_query_begin(struct mote_transfer *t);
void mote_query_end(struct mote_transfer *t, CURLcode rc);

#endif
