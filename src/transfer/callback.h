/* transfer/callback.h: the guard around every call into the application.
 *
 * While a callback runs, functions that would re-enter the same handle or multi fail with
 * CURLE_RECURSIVE_API_CALL or CURLM_RECURSIVE_API_CALL. Code that closes connections enters the guard too,
 * because lower layers call CURLOPT_CLOSESOCKETFUNCTION.
 *
 * Tests: tests/e2e/test_crossing.py, test_abort.py, test_multi.py */
#ifndef MOTE_TRANSFER_CALLBACK_H
#define MOTE_TRANSFER_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

struct mote_transfer;

struct mote_callback_guard {
  bool transfer; /* the flags as they were before the call */
  uint8_t multi;
};

struct mote_callback_guard mote_callback_enter(struct mote_transfer *t);
void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before);

#endif
