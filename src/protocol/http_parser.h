/* protocol/http_parser.h: the part of an exchange's state that only parsing and judging a response need.
 *
 * Ownership: behind struct mote_http in the connection; no memory of its own.
 * Failure:   the codes of codec/http1.h and codec/chunked.h.
 * Tests:     tests/e2e */
#ifndef MOTE_PROTOCOL_HTTP_PARSER_H
#define MOTE_PROTOCOL_HTTP_PARSER_H

#include "codec/chunked.h"
#include "codec/http1.h"
#include "protocol/http.h"

struct mote_http_parser {
  union {
    struct mote_http1_head head;       /* HEAD: parser of heads */
    struct mote_chunked chunked;       /* BODY with chunked framing */
  } in;
  struct mote_http1_response response; /* framing facts of the current response */
  struct mote_http1_framing framing;   /* valid in BODY and later */
};

static inline struct mote_http_parser *mote_http_parser(const struct mote_http *h)
{
  return (struct mote_http_parser *)(uintptr_t)h->parser;
}

/* http_respond.c: a status line, one header field, the end of a head. */
CURLcode mote_http_field(struct mote_transfer *t, struct mote_http *h, struct mote_http1_event *ev);
CURLcode mote_http_head_done(struct mote_transfer *t, const struct mote_http1_event *ev);
CURLcode mote_http_status(struct mote_transfer *t, const struct mote_http1_event *ev, mote_time now);
/* http_time.c: CURLOPT_TIMECONDITION against Last-Modified. */
#if MOTE_HAS_DATES
void mote_http_judge_time(struct mote_transfer *t);
#else
#define mote_http_judge_time(t) ((void)(t))
#endif

/* http_range.c: a resumed download that the server begins anew: CURLE_RANGE_ERROR. */
#if MOTE_HAS_RANGES
CURLcode mote_http_judge_range(struct mote_transfer *t);
#else
#define mote_http_judge_range(t) ((void)(t), CURLE_OK)
#endif

/* http_codings.c: the decoders that the head asks for. Without them only chunked is undone. */
#if MOTE_HAS_CODINGS
CURLcode mote_http_choose_decoders(struct mote_transfer *t);
#else
#define mote_http_choose_decoders(t) \
  (mote_http_parser(mote_http_of((t)))->framing.codings ? CURLE_BAD_CONTENT_ENCODING : CURLE_OK)
#endif

#endif
