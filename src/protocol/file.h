/* protocol/file.h: what protocol/file.c (what of the file is asked for) and protocol/file_move.c (moving its
 * bytes) share: the state behind run->local_state, from begin to end.
 *
 * Ownership: one block of the transfer, the decoded path behind it.
 * Tests:     tests/e2e/test_file.py */
#ifndef MOTE_PROTOCOL_FILE_H
#define MOTE_PROTOCOL_FILE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "transfer/transfer.h"

/* What is done next; a download goes from one to the next. */
enum mote_file_stage {
  MOTE_FILE_STAGE_LENGTH,   /* the header lines that libcurl makes up */
  MOTE_FILE_STAGE_RANGES,
  MOTE_FILE_STAGE_MODIFIED,
  MOTE_FILE_STAGE_BLANK,
  MOTE_FILE_STAGE_READ,
  MOTE_FILE_STAGE_WRITE,    /* an upload has only this one */
  MOTE_FILE_STAGE_DONE
};

struct mote_file {
  int file;          /* open descriptor, or -1 */
  uint8_t stage;     /* enum mote_file_stage */
  bool bounded;      /* `left` counts; otherwise to the end of the file */
  curl_off_t left;   /* bytes of the document still to be delivered */
  curl_off_t skip;   /* bytes of the upload's source that are there already */
  int64_t size;      /* of the file, as the platform tells it; 0 where it does not know */
  int64_t modified;  /* Unix time in seconds */
  bool directory;
  uint32_t block;    /* bytes of this struct and the path behind it */
};

static inline struct mote_file *mote_file_of(const struct mote_transfer *t)
{
  return t->run->local_state;
}

static inline char *mote_file_path(struct mote_file *s)
{
  return (char *)(s + 1);
}

/* The system's error `err`, kept for CURLINFO_OS_ERRNO and worded: could not `what` the file. Returns rc. */
CURLcode mote_file_failed(struct mote_transfer *t, CURLcode rc, const char *what, int err);

/* Closes the file: written bytes that did not reach the disk may be told by that only. CURLE_SEND_ERROR. */
CURLcode mote_file_finish_upload(struct mote_transfer *t, struct mote_file *s);

/* struct mote_protocol's step. */
CURLcode mote_file_step(struct mote_transfer *t, mote_time now);

/* file_need.c: struct mote_protocol.ceiling */
struct mote_need_chain;
struct mote_need_sums;
CURLcode mote_file_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums);

#endif
