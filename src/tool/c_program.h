/* tool/c_program.h: options for the library, and with --libcurl the C program that sets the same ones.
 *
 * Each function here sets one option of the transfer's handle and returns the library's answer. Between
 * mote_cli_program_begin() and mote_cli_program_end() what was accepted is also written down, as a line of a
 * program that makes the same transfers, one after the other, with the public interface alone. What is not an
 * option (callbacks, retries, --write-out) is done in the program's own way or stands in a comment there.
 *
 * Tests: tests/tool/test_libcurl.py */
#ifndef MOTE_TOOL_C_PROGRAM_H
#define MOTE_TOOL_C_PROGRAM_H

#include "tool/transfer.h"

CURLcode mote_cli_set_long(const struct transfer *t, CURLoption option, long n);
CURLcode mote_cli_set_size(const struct transfer *t, CURLoption option, curl_off_t n);
CURLcode mote_cli_set_text(const struct transfer *t, CURLoption option, const char *text);
/* A body of a POST: POSTFIELDS and its size; it is borrowed. */
CURLcode mote_cli_set_body(const struct transfer *t, const char *bytes, size_t len);
CURLcode mote_cli_set_list(const struct transfer *t, CURLoption option, struct curl_slist *list);

/* Open the file ("-": stdout) and write the program's beginning. The text for a failure is shown. */
CURLcode mote_cli_program_begin(const char *path);
/* The program's end. CURLE_WRITE_ERROR: some of it could not be written, which is said. */
CURLcode mote_cli_program_end(void);

/* Around the options of a transfer: its files, and the call that makes it. A further try adds nothing. */
void mote_cli_program_transfer(const struct transfer *t);
void mote_cli_program_perform(const struct transfer *t);

#endif
