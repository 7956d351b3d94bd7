/* protocol/plain/file.h: the state of a transfer from or to a local file. It lives at run->channel.state
 * from begin to end; protocol/plain/file.c selects the part of the file, protocol/plain/file_move.c moves
 * its bytes.
 *
 * Ownership: one block of the transfer; the decoded path follows the struct.
 * Tests:     tests/e2e/test_file.py */
#ifndef MOTE_PROTOCOL_PLAIN_FILE_H
#define MOTE_PROTOCOL_PLAIN_FILE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "transfer/transfer.h"

/* The next thing to do. A download passes through the stages in this order. */
enum mote_file_stage {
  MOTE_FILE_STAGE_LENGTH,   /* header lines that libcurl generates */
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
  bool bounded;      /* `left` is a limit; otherwise read to the end of the file */
  curl_off_t left;   /* bytes of the document still to be delivered */
  curl_off_t skip;   /* bytes of the upload's source that the file already has */
  int64_t size;      /* bytes, as the platform reports; 0 where it is unknown */
  int64_t modified;  /* Unix time in seconds */
  bool directory;
  uint32_t block;    /* bytes of this struct and of the path after it */
};

static inline struct mote_file *mote_file_of(const struct mote_transfer *t)
{
  return t->run->channel.state;
}

static inline char *mote_file_path(struct mote_file *s)
{
  return (char *)(s + 1);
}

/* Stores the system's error `err` for CURLINFO_OS_ERRNO and reports that the library could not `what` the
 * file. Returns rc. */
CURLcode mote_file_failed(struct mote_transfer *t, CURLcode rc, const char *what, int err);

/* Closes the file. CURLE_SEND_ERROR when that fails, which may be the only sign that written bytes did not
 * reach the disk. */
CURLcode mote_file_finish_upload(struct mote_transfer *t, struct mote_file *s);

/* file_move.c: struct mote_protocol.step */
CURLcode mote_file_step(struct mote_transfer *t, mote_time now);

/* file_need.c: struct mote_protocol.ceiling */
struct mote_need_chain;
struct mote_need_sums;
CURLcode mote_file_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums);

#endif
