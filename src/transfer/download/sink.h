/* transfer/download/sink.h: delivers received bytes to the application. A body goes through the decoders to
 * the write callback, and a header line to the header callback.
 *
 * A callback may pause. The chunk that it refused is then copied and delivered again, byte for byte, before
 * anything else. Chunks have at most CURL_MAX_WRITE_SIZE bytes; header lines are whole.
 *
 * What is kept during a pause is in run->paused: bytes for the write callback, those from `at` on. It is the
 * refused chunk, and where the caller has the bytes only now all that follow (mote_sink_keep_rest()). With
 * flow.recv.header it is a whole line, which the header callback gets when the write callback has got those.
 * So a line that goes to both is never at the header callback while the write callback pauses.
 *
 * Errors: CURLE_WRITE_ERROR, CURLE_FILESIZE_EXCEEDED, CURLE_BAD_CONTENT_ENCODING, CURLE_OUT_OF_MEMORY.
 *         CURLE_AGAIN: paused; *used counts the bytes that the caller need not deliver again.
 * Tests:  tests/e2e/test_pause.py, test_pause_lines.py, test_encoding.py, test_abort.py */
#ifndef MOTE_TRANSFER_DOWNLOAD_SINK_H
#define MOTE_TRANSFER_DOWNLOAD_SINK_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

struct mote_decode_chain;
struct mote_transfer;

#define MOTE_DECODE_ROOM 16384u /* bytes; the largest chunk a write callback gets */

/* The decoders and their output room while a coded body is received. */
struct mote_decoding {
  struct mote_decode_chain *chain; /* NULL: no decoders for the body's codings; only an empty body is right */
  uint32_t turn; /* what is left of the step's decoding budget (codec/limits.h) */
  bool more;     /* the decoders may hold output without further input, after a pause or a spent budget */
  char room[MOTE_DECODE_ROOM];
};

/* The destination of body bytes, looked up once for many chunks. Valid until an option of the transfer is
 * set (options.changed). */
struct mote_sink_target {
  curl_write_callback fn; /* NULL: data is a FILE *, or NULL for stdout (CURLOPT_WRITEDATA(3)) */
  void *data;
  curl_off_t most;        /* limit on all body bytes (CURLOPT_MAXFILESIZE_LARGE); 0 or less: none */
  bool whole;             /* what does not fit below `most` is refused whole; else its beginning is delivered.
                             The caller's: mote_sink_target() leaves it */
};
void mote_sink_target(const struct mote_transfer *t, struct mote_sink_target *to);
/* Delivers body bytes that need no decoding, even if run->response.body_ignored is set. The caller counts
 * run->stats.bytes_down and has entered the callback guard (mote_callback_enter()), once for many chunks.
 * *to is looked up again after a callback has set an option. */
CURLcode mote_sink_write(struct mote_transfer *t, struct mote_sink_target *to, char *bytes, size_t len,
                         size_t *used);

/* Takes body bytes as they came from the network, without chunked framing. */
CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used);

/* Delivers a whole header line with its line end to the header callback, and with CURLOPT_HEADER to the
 * write callback too. line[len] is the caller's: it is NUL while the header callback runs, and then what it
 * was. */
CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len);

/* False: mote_sink_header() only counts the line (run->response.head_bytes). This holds until a callback has
 * run. */
bool mote_sink_wants_headers(const struct mote_transfer *t);

/* Delivers a line about the document that no server has sent. It is like a header line, also in line[len],
 * but is neither counted nor traced. */
CURLcode mote_sink_meta(struct mote_transfer *t, char *line, size_t len);

/* Ends the body, and checks that the coded data is complete. CURLE_AGAIN: the decoders had more output and
 * the application paused; call again. */
CURLcode mote_sink_finish(struct mote_transfer *t);

/* Frees the decoders and what a pause has kept. */
void mote_sink_close(struct mote_transfer *t);

/* Delivers what a pause has kept. CURLE_AGAIN: paused again. CURLE_OK: all was delivered. */
CURLcode mote_sink_resume(struct mote_transfer *t);

/* ---- between the files of the sink ---- */

/* Enters the callback guard and calls mote_sink_write(). */
CURLcode mote_sink_enter_and_write(struct mote_transfer *t, bool whole, char *bytes, size_t len,
                                   size_t *used);
/* Keeps the bytes of which mote_sink_write() used so many and returned CURLE_AGAIN, for a caller that cannot
 * deliver the rest later. CURLE_AGAIN: all are kept or delivered. CURLE_OUT_OF_MEMORY. */
CURLcode mote_sink_keep_rest(struct mote_transfer *t, const char *bytes, size_t len, size_t used);
/* Calls the write callback with no bytes, for a message that has none. */
CURLcode mote_sink_empty(struct mote_transfer *t);
/* Delivers a line to HEADERFUNCTION, or to the write callback if only HEADERDATA is set
 * (CURLOPT_HEADERDATA(3)). line[len] is as in mote_sink_header(). */
CURLcode mote_sink_call_header(struct mote_transfer *t, char *line, size_t len);
/* The same after the write callback got the line too, or its beginning, and the transfer is paused:
 * mote_sink_resume() delivers it. CURLE_AGAIN, CURLE_OUT_OF_MEMORY. */
CURLcode mote_sink_owe_header(struct mote_transfer *t, const char *line, size_t len);
/* Delivers a line to the write callback, and then to the header callback. */
CURLcode mote_sink_call_both(struct mote_transfer *t, char *line, size_t len);

#if MOTE_HAS_CODINGS

/* Starts a step of a coded body and delivers what the decoders hold, within the step's budget. CURLE_AGAIN:
 * they hold more. */
CURLcode mote_sink_turn(struct mote_transfer *t);
/* Reports that the step should read no more of the body. The decoders continue without input. */
bool mote_sink_turn_over(const struct mote_transfer *t);
bool mote_sink_has_more(const struct mote_transfer *t);
/* Installs decoders for the response's codings (enum mote_coding, in the order in which the server applied
 * them). */
CURLcode mote_sink_decode(struct mote_transfer *t, const uint8_t *codings, unsigned count);
/* Decode bytes of a body; deliver the rest at the end of the body; free the decoders. */
CURLcode mote_sink_coded(struct mote_transfer *t, char *bytes, size_t len, size_t *used);
CURLcode mote_sink_coded_end(struct mote_transfer *t);
void mote_sink_decode_close(struct mote_transfer *t);

#else

#define mote_sink_decode(t, codings, count) \
  ((void)(t), (void)(codings), (void)(count), (CURLcode)CURLE_BAD_CONTENT_ENCODING)
#define mote_sink_coded(t, bytes, len, used) \
  ((void)(t), (void)(bytes), (void)(len), (void)(used), (CURLcode)CURLE_BAD_CONTENT_ENCODING)
#define mote_sink_turn(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_sink_turn_over(t) ((void)(t), false)
#define mote_sink_has_more(t) ((void)(t), false)
#define mote_sink_coded_end(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_sink_decode_close(t) ((void)(t))
#endif

#endif
