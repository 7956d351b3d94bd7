/* http/parser.h: the part of an exchange's state that only parsing and judging a response need.
 *
 * Ownership: follows struct mote_http in the connection's block; it has no memory of its own.
 * Errors:    those of codec/http1.h and codec/chunked.h.
 * Tests:     tests/e2e */
#ifndef MOTE_PROTOCOL_HTTP_PARSER_H
#define MOTE_PROTOCOL_HTTP_PARSER_H

#include "codec/chunked.h"
#include "codec/http1.h"
#include "http/http.h"

struct mote_http_parser {
  union {
    struct mote_http1_head head;       /* valid in HEAD */
    struct mote_chunked chunked;       /* valid in BODY with chunked framing */
  } in;
  struct mote_http1_response response; /* what the current head says of its framing */
  struct mote_http1_framing framing;   /* valid in BODY and later */
};

static inline struct mote_http_parser *mote_http_parser(const struct mote_http *h)
{
  return (struct mote_http_parser *)(uintptr_t)h->parser;
}

/* response.c: processes a header field, the end of a head, a status line. */
CURLcode mote_http_field(struct mote_transfer *t, struct mote_http *h, struct mote_http1_event *ev);
CURLcode mote_http_head_done(struct mote_transfer *t, const struct mote_http1_event *ev);
CURLcode mote_http_status(struct mote_transfer *t, const struct mote_http1_event *ev, mote_time now);
/* time_condition.c: compares CURLOPT_TIMECONDITION with Last-Modified. */
#if MOTE_HAS_DATES
void mote_http_judge_time(struct mote_transfer *t);
#else
#define mote_http_judge_time(t) ((void)(t))
#endif

/* range.c: CURLE_RANGE_ERROR when the server starts a resumed download from the beginning. */
#if MOTE_HAS_RANGES
CURLcode mote_http_judge_range(struct mote_transfer *t);
#else
#define mote_http_judge_range(t) ((void)(t), (CURLcode)CURLE_OK)
#endif

/* codings.c: installs the decoders that the head asks for. Without this part only chunked is decoded. */
#if MOTE_HAS_CODINGS
CURLcode mote_http_choose_decoders(struct mote_transfer *t);
#else
#define mote_http_choose_decoders(t) \
  (mote_http_parser(mote_http_of((t)))->framing.codings ? CURLE_BAD_CONTENT_ENCODING : CURLE_OK)
#endif

#endif
