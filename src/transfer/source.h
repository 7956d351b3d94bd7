/* transfer/source.h: bytes to send: a request body from memory or from the read callback.
 *
 * Ownership: the run owns struct mote_body; memory bodies stay the option's.
 * Failure:   CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_SEND_FAIL_REWIND, CURLE_PARTIAL_FILE.
 * Without part bodies run->body is always NULL, and run->size_up unknown.
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
  const char *memory;   /* body in memory, or NULL: the read callback */
  curl_off_t size;      /* bytes in all, or -1: until the callback says 0 */
  curl_off_t read;      /* bytes taken from the source so far */
  bool ended;           /* nothing more comes */
  bool touched;         /* the callback was called: a repeat must rewind */
};

#if !MOTE_HAS_SMALL

/* Make run->body from POSTFIELDS or the read callback as the method says; none for GET and HEAD. */
CURLcode mote_source_open_whole(struct mote_transfer *t);
/* The same; a resumed upload (RESUME_FROM) skips the first bytes by SEEKFUNCTION or by reading them. */
CURLcode mote_source_open(struct mote_transfer *t);
void mote_source_close(struct mote_transfer *t);

/* At most room bytes into to. *n == 0 with CURLE_OK: the end. CURLE_AGAIN: the callback has paused. */
CURLcode mote_source_read(struct mote_transfer *t, char *to, size_t room, size_t *n);

/* Back to the start for a request that is sent again: CURLE_SEND_FAIL_REWIND when that is impossible. */
CURLcode mote_source_rewind(struct mote_transfer *t);
/* Only the seek callback, where there is one: what comes of it does not matter. */
void mote_source_seek_back(struct mote_transfer *t);

#else

#define mote_source_close(t) ((void)(t))
#endif

#endif
