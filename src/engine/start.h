/* engine/start.h: prepares a request before any lookup. It makes the run or uses it again, resolves
 * options, and parses and judges the URL.
 *
 * Tests: tests/e2e/test_errors.py, test_redirect.py */
#ifndef MOTE_ENGINE_START_H
#define MOTE_ENGINE_START_H

#include <curl/curl.h>

#include "base/time.h"

struct mote_transfer;
struct mote_url;
struct mote_url_how;

/* Prepares the first request of a transfer, or the next one after a redirect (run->request.url is set then).
 * Does nothing for a transfer that was queued after it was prepared. CURLE_URL_MALFORMAT,
 * CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN (a proxy applies), CURLE_OUT_OF_MEMORY, or the result of
 * the protocol's prepare(). */
CURLcode mote_start_request(struct mote_transfer *t, mote_time now);

/* Parses the URL that the application has set, with the port of CURLOPT_PORT if that is set. The caller
 * closes u. CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_LOGIN_DENIED, CURLE_OUT_OF_MEMORY. */
CURLcode mote_start_parse_url(struct mote_transfer *t, struct mote_url *u);

/* Parses the object of CURLOPT_CURLU, or else `text` (NULL: no URL is set). Errors as above. */
CURLcode mote_start_read_url(struct mote_transfer *t, const char *text, const struct mote_url_how *how,
                             struct mote_url *u);

/* Fills `how` with the parser's settings for URLs of this transfer. */
void mote_start_url_how(struct mote_transfer *t, struct mote_url_how *how);

/* Reports why a URL was refused and returns the CURLcode for it. */
CURLcode mote_start_url_failed(struct mote_transfer *t, CURLUcode rc);

#endif
