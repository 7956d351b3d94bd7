/* protocol/document.h: what protocols of files say of one: the part of it that is asked for, its time, and
 * lines about it in the form of HTTP, where no server sends any.
 *
 * Ownership: nothing is kept but what the transfer's headers hold.
 * Tests:     tests/e2e/test_file.py, test_ftp.py, test_sftp.py */
#ifndef MOTE_PROTOCOL_DOCUMENT_H
#define MOTE_PROTOCOL_DOCUMENT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_transfer;

/* Reads CURLOPT_RANGE as "FIRST-LAST", "FIRST-" or "-LAST", and passes over what follows. An absent number,
 * or one that is too large, is -1. False: it is no range. */
bool mote_document_range(const char *text, curl_off_t *first, curl_off_t *last);

/* Keeps the time of a file, in seconds since 1970, for CURLINFO_FILETIME. CURLE_OUT_OF_MEMORY. */
CURLcode mote_document_note_time(struct mote_transfer *t, int64_t time);

/* Lines about a document (CURLOPT_NOBODY(3)). */
enum mote_document_fact {
  MOTE_DOCUMENT_LENGTH, /* value: its bytes */
  MOTE_DOCUMENT_RANGES, /* parts of it can be had */
  MOTE_DOCUMENT_TIME    /* value: seconds since 1970 */
};
#define MOTE_DOCUMENT_LINE 64 /* bytes of the longest line, with its NUL */

/* Writes a line, with its end and a NUL. Returns its length, 0: no date has that time. */
size_t mote_document_line(char line[MOTE_DOCUMENT_LINE], enum mote_document_fact fact, int64_t value);

#endif
