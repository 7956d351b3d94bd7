/* tool/c_program.h: options for the library, and with --libcurl the C program that sets the same ones.
 *
 * Each function here sets one option of the transfer's handle and returns the library's result. Between
 * mote_cli_program_begin() and mote_cli_program_end() every accepted option also becomes a line of a
 * program that makes the same transfers, one after the other, with the public interface alone. What is not an
 * option (callbacks, retries, --write-out) is done in the program's own way or named in a comment there.
 *
 * Tests: tests/tool/test_libcurl.py */
#ifndef MOTE_TOOL_C_PROGRAM_H
#define MOTE_TOOL_C_PROGRAM_H

#include "tool/transfers/transfer.h"

CURLcode mote_cli_set_long(const struct transfer *t, CURLoption option, long n);
CURLcode mote_cli_set_size(const struct transfer *t, CURLoption option, curl_off_t n);
CURLcode mote_cli_set_text(const struct transfer *t, CURLoption option, const char *text);
/* The body of a POST, as POSTFIELDS and its size. The bytes are borrowed. */
CURLcode mote_cli_set_body(const struct transfer *t, const char *bytes, size_t len);
CURLcode mote_cli_set_list(const struct transfer *t, CURLoption option, struct curl_slist *list);

/* ---- forms: as the functions of the library that these are named for ---- */

/* The program has one form at a time. */
struct tool_mime {
  curl_mime *mime;
  unsigned number;   /* of its variable in the program */
};

enum mime_text { MIME_NAME, MIME_TYPE, MIME_ENCODER, MIME_FILENAME, MIME_FILEDATA };

/* CURLE_OUT_OF_MEMORY: m->mime is NULL. */
CURLcode mote_cli_mime_init(const struct transfer *t, struct tool_mime *m);
curl_mimepart *mote_cli_mime_addpart(const struct tool_mime *m);
/* These are for the part that was added last. */
CURLcode mote_cli_mime_subparts(curl_mimepart *part, const struct tool_mime *m);
CURLcode mote_cli_mime_text(curl_mimepart *part, enum mime_text what, const char *text);
CURLcode mote_cli_mime_data(curl_mimepart *part, const char *bytes, size_t len);
/* The part takes the list. */
CURLcode mote_cli_mime_headers(curl_mimepart *part, struct curl_slist *list);
/* Writes such a call to the program alone. */
void mote_cli_mime_note(enum mime_text what, const char *text);
/* Sets CURLOPT_MIMEPOST to the transfer's form. */
CURLcode mote_cli_mime_post(const struct transfer *t);

/* Open the file ("-": stdout) and write the program's beginning. A failure is reported to the user. */
CURLcode mote_cli_program_begin(const char *path);
/* Write the program's end. CURLE_WRITE_ERROR: not all of it could be written, which is reported to the
 * user. */
CURLcode mote_cli_program_end(void);

/* Before and after the options of a transfer: its files, and the call that performs it. A retry adds
 * nothing. */
void mote_cli_program_transfer(const struct transfer *t);
void mote_cli_program_perform(const struct transfer *t);

#endif
