/* codec/http/chunked.h: decoder of the chunked transfer coding (RFC 9112 section 7.1) on lent bytes.
 *
 * The caller passes the bytes that are there, gets one event, handles it, drops `used` bytes, and repeats
 * this until DONE. NEED_MORE may have used > 0, since sizes and extensions go into the state. What it leaves
 * unused is the beginning of a trailer line; the caller keeps that and passes it again with more bytes after
 * it, as with codec/http/http1.h. A DATA event's `used` includes the size line before the data; `data`
 * points into the caller's bytes.
 *
 * Invariants: no allocation; data is never empty in a DATA event; bytes after the body are never read.
 * Ownership:  the struct is plain memory of the caller; there is nothing to release.
 * Failure:    CURLE_RECV_ERROR with ev->why (for a trailer line what mote_http1_fields_feed returns). Body
 *             and
 *             connection are then lost.
 * Tests:      tests/unit/codec/test_chunked.c; fuzz/fuzz_chunked.c */
#ifndef MOTE_CODEC_HTTP_CHUNKED_H
#define MOTE_CODEC_HTTP_CHUNKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "base/text.h"
#include "codec/http/http1.h"

enum mote_chunked_kind {
  MOTE_CHUNKED_NEED_MORE,
  MOTE_CHUNKED_DATA,    /* data */
  MOTE_CHUNKED_TRAILER, /* line: a HEADER event of codec/http/http1.h */
  MOTE_CHUNKED_DONE     /* body complete; bytes after `used` belong to the next response */
};

struct mote_chunked_event {
  size_t used;                  /* bytes that the caller may drop after handling the event */
  struct mote_slice data;       /* DATA */
  struct mote_http1_event line; /* TRAILER: field, name, value, whole; the byte after whole is among
                                   the caller's. DONE: whole = the last, empty line. line.used is
                                   undefined */
  uint8_t kind;                 /* enum mote_chunked_kind */
  uint8_t why;                  /* enum mote_http1_why; NONE unless the call failed */
};

struct mote_chunked {
  uint64_t left;                   /* bytes of the current chunk's data still to come; <= INT64_MAX */
  struct mote_http1_fields fields; /* trailers; before them its total counts extension bytes */
  uint8_t state;                   /* private to chunked.c */
  uint8_t digits;                  /* size digits read; 0 to MOTE_CHUNKED_MAX_DIGITS */
  uint8_t bare_lf;                 /* 1: a chunk line or chunk data ended in LF without CR (tolerated, as
                                      in libcurl); the connection is not reusable then */
};

void mote_chunked_init(struct mote_chunked *c);

/* See the head of this file. bytes may be NULL when len is 0. After DONE it returns DONE and uses nothing. */
CURLcode mote_chunked_feed(struct mote_chunked *c, char *bytes, size_t len, struct mote_chunked_event *ev);

/* Gives back the last n bytes of the latest DATA event (n <= data.len), so that the next call returns them
 * again. The caller then drops n bytes less than `used`. */
static inline void mote_chunked_unread(struct mote_chunked *c, size_t n)
{
  c->left += n;
}

/* The connection has ended: returns CURLE_OK after DONE, CURLE_PARTIAL_FILE otherwise. */
CURLcode mote_chunked_closed(const struct mote_chunked *c);

#endif
