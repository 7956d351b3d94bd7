/* transfer/source.h: supplies the request body, from memory or from the read callback.
 *
 * Without part bodies run->body is always NULL, and run->request.size_up is unknown.
 *
 * Ownership: the run owns struct mote_body; the option owns a body in memory.
 * Errors:    CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_SEND_FAIL_REWIND, CURLE_PARTIAL_FILE.
 * Tests:     tests/e2e/test_upload.py */
#ifndef MOTE_TRANSFER_SOURCE_H
#define MOTE_TRANSFER_SOURCE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

struct mote_transfer;

struct mote_body {
  size_t (*read_fn)(char *ptr, size_t size, size_t nmemb, void *data); /* NULL: fread */
  void *read_data;
  const char *memory;   /* body in memory; NULL: use the read callback */
  curl_off_t size;      /* total bytes; -1: until the callback returns 0 */
  curl_off_t read;      /* bytes taken from the source so far */
  bool ended;           /* nothing more comes */
  bool touched;         /* the callback was called, so that a repeated request must rewind */
};

#if !MOTE_HAS_SMALL

/* Makes run->body from POSTFIELDS or the read callback, as the method says. GET and HEAD have none. */
CURLcode mote_source_open_whole(struct mote_transfer *t);
/* Does the same and skips the first bytes of a resumed upload (RESUME_FROM), by SEEKFUNCTION or by reading
 * them. */
CURLcode mote_source_open(struct mote_transfer *t);
void mote_source_close(struct mote_transfer *t);

/* Reads at most `room` bytes to `to`. *n == 0 with CURLE_OK: the end. CURLE_AGAIN: the callback has
 * paused. */
CURLcode mote_source_read(struct mote_transfer *t, char *to, size_t room, size_t *n);

/* Rewinds to the start for a request that is sent again. CURLE_SEND_FAIL_REWIND: that is impossible. */
CURLcode mote_source_rewind(struct mote_transfer *t);
/* Calls only the seek callback, if there is one, and ignores its result. */
void mote_source_seek_back(struct mote_transfer *t);

#else

#define mote_source_close(t) ((void)(t))
#endif

#endif
