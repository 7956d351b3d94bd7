/* http/response.h: what a response means, as a sequence of events that the wire reports.
 *
 * The order is status, fields, head, then body bytes (transfer/download/sink.h), trailers and the end.
 * After the head of an interim status (1xx but 101) another status follows. Framing is the wire's matter.
 *
 * Lines are as a header callback gets them, in memory that it may change. A code other than CURLE_OK or
 * CURLE_AGAIN ends the transfer; CURLE_AGAIN: the application has paused, and the sink keeps the line.
 * Tests: tests/unit/http, tests/e2e */
#ifndef MOTE_HTTP_RESPONSE_H
#define MOTE_HTTP_RESPONSE_H

#include "base/time.h"
#include "codec/http/http1.h"
#include "http/http.h"
#include "transfer/download/headers.h"

/* What a complete head says of its body. */
struct mote_http_body {
  const struct mote_http1_response *fields; /* the codings */
  curl_off_t size;                          /* announced bytes, or -1 */
  uint8_t kind;                             /* enum mote_http1_body */
  uint8_t codings;                          /* transfer codings to undo besides chunked: the first ones of
                                               fields->transfer */
  bool closes;                              /* the server ends the connection after this response */
};

/* Returns what curl_easy_header() calls the fields of this head (CURLH_*). */
static inline uint8_t mote_response_origin(const struct mote_http *h)
{
  return h->code / 100 == 1 ? CURLH_1XX : CURLH_HEADER;
}

/* A status line. version: CURL_HTTP_VERSION_*. */
CURLcode mote_response_status(struct mote_transfer *t, unsigned code, long version, struct mote_slice line,
                              mote_time now);
/* A field line. known: what mote_http1_name_of() says of the name. */
CURLcode mote_response_field(struct mote_transfer *t, struct mote_http1_name known, struct mote_slice name,
                             struct mote_slice value, struct mote_slice line);
/* The same for one of many fields in a row that are neither read by a feature nor delivered (h->quiet). */
static inline CURLcode mote_response_keep(struct mote_transfer *t, uint8_t origin, uint8_t spelling,
                                          struct mote_slice name, struct mote_slice value, size_t len)
{
  struct mote_header_store *s = &t->run->response.headers;
  CURLcode rc = CURLE_OK;
  if(origin != CURLH_HEADER || !mote_headers_add_plain(s, spelling, value))
    rc = mote_headers_add(s, &t->account, origin, spelling, name, value);
  t->run->response.head_bytes += rc ? 0 : (uint32_t)len;
  return rc;
}
/* The end of an interim head. */
void mote_response_interim(struct mote_transfer *t);
/* The end of a final head. Decides what follows, and installs the decoders. */
CURLcode mote_response_head(struct mote_transfer *t, const struct mote_http_body *body);
/* Reports whether the body of such a response stays unread and the connection is closed, either because the
 * next request needs another one anyway or because the application has the document already. */
bool mote_response_leaves_body(struct mote_transfer *t, const struct mote_http_body *body);
/* A trailer line. */
CURLcode mote_response_trailer(struct mote_transfer *t, struct mote_slice name, struct mote_slice value,
                               struct mote_slice line);
/* The end of the body. Delivers what the decoders still hold; the response is then over, and so is a request
 * whose body still waits for a 100: the server has answered without it. */
CURLcode mote_response_end(struct mote_transfer *t);

/* "Maximum file size exceeded" (CURLOPT_MAXFILESIZE(3)). */
CURLcode mote_response_too_large(struct mote_transfer *t);

/* codings.c: installs the decoders that the head asks for. Without this part only chunked is decoded. */
#if MOTE_HAS_CODINGS
CURLcode mote_http_choose_decoders(struct mote_transfer *t, const struct mote_http_body *body);
#else
#define mote_http_choose_decoders(t, body) \
  ((void)(t), (body)->codings ? CURLE_BAD_CONTENT_ENCODING : CURLE_OK)
#endif

#endif
