/* transfer/sink.h: received bytes to the application: body through the decoders and the write callback,
 * header lines to the header callback.
 *
 * A callback may pause: the chunk that it refused is copied once and delivered again, byte for byte, before
 * anything else. Chunks are at most CURL_MAX_WRITE_SIZE bytes (header lines: whole).
 *
 * Failure: CURLE_WRITE_ERROR, CURLE_FILESIZE_EXCEEDED, CURLE_BAD_CONTENT_ENCODING, CURLE_OUT_OF_MEMORY.
 *          CURLE_AGAIN: paused; *used says how many of the bytes are taken care of.
 * Tests:   tests/e2e/test_pause.py, test_encoding.py, test_abort.py */
#ifndef MOTE_TRANSFER_SINK_H
#define MOTE_TRANSFER_SINK_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

struct mote_decode_chain;
struct mote_transfer;

#define MOTE_DECODE_ROOM 16384u /* decoders' output room: the largest chunk a write callback gets */

/* Decoders and their output room, while a coded body is received. */
struct mote_decoding {
  struct mote_decode_chain *chain;
  uint32_t turn; /* what this step may still spend on decoding (codec/limits.h) */
  bool more;     /* the decoders may hold output although no input is left: a pause, or the turn was over */
  char room[MOTE_DECODE_ROOM];
};

/* Where body bytes go, looked up once for many chunks. Valid until an option of the transfer is set
 * (options.changed says so). */
struct mote_sink_target {
  curl_write_callback fn; /* NULL: data is a FILE *, or NULL for stdout */
  void *data;
  curl_off_t most;        /* body bytes allowed in all (CURLOPT_MAXFILESIZE_LARGE); 0 or less: any number */
  bool whole;             /* what does not fit below `most` is refused whole; else its beginning is delivered.
                             The caller's: mote_sink_target() leaves it */
};
void mote_sink_target(const struct mote_transfer *t, struct mote_sink_target *to);
/* Body bytes that need no decoding, as the application gets them, run->body_ignored or not. The caller
 * counts run->bytes_down, and has entered the callback (mote_callback_enter()): once for many chunks. *to
 * is looked up again when a callback has set an option. */
CURLcode mote_sink_write(struct mote_transfer *t, struct mote_sink_target *to, char *bytes, size_t len,
                         size_t *used);

/* Body bytes as they came from the network (without chunked framing). */
CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used);

#if !MOTE_HAS_SMALL

/* A whole header line with its line end; to the header callback, and to the body's one with
 * CURLOPT_HEADER. */
CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len);

/* False: mote_sink_header() only counts (run->header_size), until a callback has run. */
bool mote_sink_wants_headers(const struct mote_transfer *t);

/* A line about the document that no server has sent: as a header line, but neither counted nor traced. */
CURLcode mote_sink_meta(struct mote_transfer *t, char *line, size_t len);

#else

#define mote_sink_wants_headers(t) ((void)(t), false)

CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len); /* only counts */
#endif

/* The body is complete: was the coded data too? May deliver what the decoders still have: CURLE_AGAIN then
 * means paused, call again. */
CURLcode mote_sink_finish(struct mote_transfer *t);

/* Decoders and the paused chunk are given back. */
#if !MOTE_HAS_SMALL
void mote_sink_close(struct mote_transfer *t);
#else
#define mote_sink_close(t) ((void)(t))
#endif

/* Deliver what was refused by a pause. CURLE_AGAIN: paused again. CURLE_OK: nothing is left of it. */
CURLcode mote_sink_resume(struct mote_transfer *t);

/* ---- among the files of the sink ---- */

/* mote_sink_write() for a caller that has not entered the callback. */
CURLcode mote_sink_enter_and_write(struct mote_transfer *t, bool whole, char *bytes, size_t len,
                                   size_t *used);
/* A line to HEADERFUNCTION, or to the write callback with HEADERDATA alone (CURLOPT_HEADERDATA(3)). */
CURLcode mote_sink_call_header(struct mote_transfer *t, char *line, size_t len);

#if MOTE_HAS_CODINGS

/* A step of a coded body begins: what the decoders still have, as far as its turn goes. CURLE_AGAIN: there
 * is more. */
CURLcode mote_sink_turn(struct mote_transfer *t);
/* Of the body nothing more should be read in this step; the decoders go on without input. */
bool mote_sink_tired(const struct mote_transfer *t);
bool mote_sink_has_more(const struct mote_transfer *t);
/* The response's codings (enum mote_coding, in the order they were applied) are to be decoded. */
CURLcode mote_sink_decode(struct mote_transfer *t, const uint8_t *codings, unsigned count);
/* Bytes of a coded body; what the decoders still have and the end of the body; the end of it all. */
CURLcode mote_sink_coded(struct mote_transfer *t, char *bytes, size_t len, size_t *used);
CURLcode mote_sink_coded_end(struct mote_transfer *t);
void mote_sink_decode_close(struct mote_transfer *t);

#else

#define mote_sink_decode(t, codings, count) \
  ((void)(t), (void)(codings), (void)(count), CURLE_BAD_CONTENT_ENCODING)
#define mote_sink_coded(t, bytes, len, used) \
  ((void)(t), (void)(bytes), (void)(len), (void)(used), CURLE_BAD_CONTENT_ENCODING)
#define mote_sink_turn(t) ((void)(t), CURLE_OK)
#define mote_sink_tired(t) ((void)(t), false)
#define mote_sink_has_more(t) ((void)(t), false)
#define mote_sink_coded_end(t) ((void)(t), CURLE_OK)
#define mote_sink_decode_close(t) ((void)(t))
#endif

#endif
