/* transfer/race.h: one socket out of several addresses (RFC 8305, happy eyeballs).
 *
 * With one address the connection's own watch does the work and no race exists. With more, two lanes (the
 * family of the first address, and the other one) each try their addresses in turn; the second lane starts
 * after CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS or when the first has nothing left. The first connected socket
 * becomes the connection's.
 *
 * Ownership: struct mote_race is the run's, gone when a socket has won.
 * Tests:     tests/e2e/test_connect.py */
#ifndef MOTE_TRANSFER_RACE_H
#define MOTE_TRANSFER_RACE_H

#include <curl/curl.h>

#include "base/time.h"

struct mote_transfer;

/* CURLE_AGAIN: waiting. CURLE_OK: run->conn has a connected socket. CURLE_COULDNT_CONNECT and others: all
 * addresses failed. The first call starts the attempts. */
CURLcode mote_race_step(struct mote_transfer *t, mote_time now);

/* Close all attempts. Harmless without a race. */
void mote_race_stop(struct mote_transfer *t);

#endif
