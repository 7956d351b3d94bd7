/* codec/chunked.h: decoder of the chunked transfer coding (RFC 9112 section 7.1) on lent bytes.
 *
 * How to call: give the bytes that are there; get one event; handle it, drop `used` bytes; again until DONE.
 * NEED_MORE may have used > 0 (sizes and extensions go into the state); what it leaves unused is the
 * beginning of a trailer line: keep it and call again with it and more behind it, as with codec/http1.h.
 * A DATA event's `used` counts the size line before the data too; `data` points into the caller's bytes.
 *
 * Invariants: no allocation; data is never empty in a DATA event; bytes after the body are never looked at.
 * Ownership:  the struct is plain memory of the caller, nothing to release.
 * Failure:    CURLE_RECV_ERROR with ev->why (a trailer line: as mote_http1_fields_feed); then the body is
 *             lost and so is the connection.
 * Tests:      tests/unit/codec/test_chunked.c; fuzz/fuzz_chunked.c */
#ifndef MOTE_CODEC_CHUNKED_H
#define MOTE_CODEC_CHUNKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "base/text.h"
#include "codec/http1.h"

enum mote_chunked_kind {
  MOTE_CHUNKED_NEED_MORE,
  MOTE_CHUNKED_DATA,    /* data */
  MOTE_CHUNKED_TRAILER, /* line: a HEADER event of codec/http1.h */
  MOTE_CHUNKED_DONE     /* body complete; bytes after `used` belong to the next response */
};

struct mote_chunked_event {
  size_t used;                  /* bytes that the caller may drop after handling the event */
  struct mote_slice data;       /* DATA */
  struct mote_http1_event line; /* TRAILER: field, name, value, whole, and the byte after whole is
                                   among those given. DONE: whole = the last, empty line. line.used is
                                   not to be looked at */
  uint8_t kind;                 /* enum mote_chunked_kind */
  uint8_t why;                  /* enum mote_http1_why; NONE unless the call failed */
};

struct mote_chunked {
  uint64_t left;                   /* bytes of the current chunk's data still to come; <= INT64_MAX */
  struct mote_http1_fields fields; /* trailers; before them its total counts extension bytes */
  uint8_t state;                   /* private to chunked.c */
  uint8_t digits;                  /* size digits read; 0 to MOTE_CHUNKED_MAX_DIGITS */
  uint8_t bare_lf;                 /* 1: a chunk line or chunk data ended in LF without CR (tolerated, as
                                      libcurl does): the connection is not to be reused */
};

void mote_chunked_init(struct mote_chunked *c);

/* See the head of this file. bytes may be NULL when len is 0. After DONE: always DONE, nothing used. */
CURLcode mote_chunked_feed(struct mote_chunked *c, char *bytes, size_t len, struct mote_chunked_event *ev);

/* Give back the last n bytes of the DATA event just got (n <= data.len): they come again with the next call.
 * The caller then drops n bytes less than `used`. */
static inline void mote_chunked_unread(struct mote_chunked *c, size_t n)
{
  c->left += n;
}

/* The connection ended: CURLE_OK after DONE, CURLE_PARTIAL_FILE otherwise. */
CURLcode mote_chunked_closed(const struct mote_chunked *c);

#endif
