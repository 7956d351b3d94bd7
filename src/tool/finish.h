/* tool/finish.h: what follows a transfer: its exit code, another try, the texts, the output file.
 * Tests: tests/tool/test_own.py, test_output.py */
#ifndef MOTE_TOOL_FINISH_H
#define MOTE_TOOL_FINISH_H

#include "tool/transfer.h"

/* code: the library's. Returns the transfer's exit code; or *again: it is to be tried once more after
 * *wait_ms, then nothing was closed. */
CURLcode mote_cli_finish(struct transfer *t, CURLcode code, bool *again, curl_off_t *wait_ms);

/* A transfer failed before it began: its line where none was shown yet, and its end. Returns code. */
CURLcode mote_cli_give_up(struct transfer *t, CURLcode code);

/* The line for a transfer that failed with `code`: the file and the system's reason where one of our own
 * calls failed, else the library's text. */
void mote_cli_tell(const struct transfer *t, CURLcode code);

#endif
