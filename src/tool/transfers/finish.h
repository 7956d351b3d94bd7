/* tool/transfers/finish.h: what follows a transfer, that is its exit code, a retry, messages and the output
 * file.
 * Tests: tests/tool/test_own.py */
#ifndef MOTE_TOOL_TRANSFERS_FINISH_H
#define MOTE_TOOL_TRANSFERS_FINISH_H

#include "tool/transfers/transfer.h"

/* Finish a transfer that the library ended with `code`. Returns the transfer's exit code. *again: the
 * caller has to retry it after *wait_ms; nothing was closed. */
CURLcode mote_cli_finish(struct transfer *t, CURLcode code, bool *again, curl_off_t *wait_ms);

/* Finish a transfer that failed before it began. Reports the failure unless that was done, and returns
 * code. */
CURLcode mote_cli_give_up(struct transfer *t, CURLcode code);

/* Report a transfer that failed with `code`: the file and the system's reason if a call of ours failed,
 * else the library's text. */
void mote_cli_report_failure(const struct transfer *t, CURLcode code);

#endif
