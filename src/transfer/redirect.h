/* transfer/redirect.h: from one exchange of a transfer to its next one: another URL, or the same one again.
 *
 * Tests: tests/e2e/test_redirect.py, test_reuse.py */
#ifndef MOTE_TRANSFER_REDIRECT_H
#define MOTE_TRANSFER_REDIRECT_H

#include <curl/curl.h>

#include "base/text.h"
#include "base/time.h"

struct mote_transfer;

/* A Location of a response with this status: resolved against the current URL into run->redirect
 * (CURLINFO_REDIRECT_URL). With CURLOPT_FOLLOWLOCATION that of a status from 300 to 399 is to be followed:
 * run->follow. To be called before the field is stored.
 * CURLE_OUT_OF_MEMORY; CURLE_WEIRD_SERVER_REPLY: another one came before. */
CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status);

/* The exchange is over: go to run->redirect. Method, body, credentials and Referer as RFC 9110 section 15.4
 * and CURLOPT_FOLLOWLOCATION(3), CURLOPT_POSTREDIR(3), CURLOPT_UNRESTRICTED_AUTH(3) say. */
CURLcode mote_redirect_follow(struct mote_transfer *t, mote_time now);

/* A kept connection was dead before a byte of the response came: the same request on a new one. */
CURLcode mote_redirect_retry(struct mote_transfer *t);

#endif
