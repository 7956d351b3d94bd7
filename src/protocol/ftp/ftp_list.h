/* protocol/ftp/ftp_list.h: downloads of all files whose names match a pattern (CURLOPT_WILDCARDMATCH).
 *
 * The last part of the URL's path is the pattern, as it stands there, percent-encoded. The exchange first
 * lists the directory. Each file that matches is then shown to CURLOPT_CHUNK_BGN_FUNCTION, downloaded if it
 * is a plain file and wanted, and ended with CURLOPT_CHUNK_END_FUNCTION. All of it is one transfer. The
 * commands of CURLOPT_QUOTE, _PREQUOTE and _POSTQUOTE are sent for the listing and for each file.
 *
 * Ownership: the exchange owns the list, one block and one more per file that is still to come. A struct
 *            curl_fileinfo is valid until the file's end was reported.
 * Errors:    CURLE_FTP_BAD_FILE_LIST: the listing is not understood. CURLE_REMOTE_FILE_NOT_FOUND: no name
 *            matches, or only a part of a file is asked for. CURLE_CHUNK_FAILED: a callback wants no more.
 *            CURLE_URL_MALFORMAT: upload. CURLE_TOO_LARGE: more than MOTE_FTP_LIST_MOST bytes.
 * Tests:     tests/e2e/test_ftp_list.py */
#ifndef MOTE_PROTOCOL_FTP_FTP_LIST_H
#define MOTE_PROTOCOL_FTP_FTP_LIST_H

#include <curl/curl.h>
#include <stdbool.h>

#include "parts.h"

struct mote_body_filter;
struct mote_ftp;
struct mote_transfer;

/* Bytes of all names and facts that are kept, 50,000 files or more. A server may list for ever. */
#define MOTE_FTP_LIST_MOST (16u * 1024 * 1024)

#if MOTE_HAS_FTP_LIST

/* Starts a list if the transfer wants one. CURLE_OUT_OF_MEMORY too. */
CURLcode mote_ftp_list_begin(struct mote_transfer *t, struct mote_ftp *f);
/* The exchange, or what it did for a file, is over. True: the next file begins. False: *rc is the result. */
bool mote_ftp_list_next(struct mote_transfer *t, struct mote_ftp *f, CURLcode *rc);
/* Returns what reads the listing, NULL: the application does. */
const struct mote_body_filter *mote_ftp_list_filter(const struct mote_ftp *f);
/* Ends the exchange, and the file that is under way. */
void mote_ftp_list_end(struct mote_transfer *t, struct mote_ftp *f);

#else

static inline CURLcode mote_ftp_list_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  (void)t;
  (void)f;
  return CURLE_OK;
}

static inline bool mote_ftp_list_next(struct mote_transfer *t, struct mote_ftp *f, CURLcode *rc)
{
  (void)t;
  (void)f;
  (void)rc;
  return false;
}

static inline const struct mote_body_filter *mote_ftp_list_filter(const struct mote_ftp *f)
{
  (void)f;
  return NULL;
}

static inline void mote_ftp_list_end(struct mote_transfer *t, struct mote_ftp *f)
{
  (void)t;
  (void)f;
}

#endif

#endif
