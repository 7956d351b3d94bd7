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

#include "tool/transfer.h"

CURLcode mote_cli_set_long(const struct transfer *t, CURLoption option, long n);
CURLcode mote_cli_set_size(const struct transfer *t, CURLoption option, curl_off_t n);
CURLcode mote_cli_set_text(const struct transfer *t, CURLoption option, const char *text);
/* The body of a POST, as POSTFIELDS and its size. The bytes are borrowed. */
CURLcode mote_cli_set_body(const struct transfer *t, const char *bytes, size_t len);
CURLcode mote_cli_set_list(const struct transfer *t, CURLoption option, struct curl_slist *list);

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
