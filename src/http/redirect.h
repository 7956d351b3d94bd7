/* http/redirect.h: what follows from a Location, and which request comes after it.
 *
 * Tests: tests/e2e/test_redirect.py */
#ifndef MOTE_HTTP_REDIRECT_H
#define MOTE_HTTP_REDIRECT_H

#include <curl/curl.h>

#include "base/time.h"

struct mote_slice;
struct mote_transfer;

/* Notes the Location of a response with this status. It is resolved against the current URL into
 * run->request.redirect (CURLINFO_REDIRECT_URL). With CURLOPT_FOLLOWLOCATION and a status from 300 to 399,
 * run->response.next is MOTE_NEXT_URL. Call it before the field is stored. CURLE_OUT_OF_MEMORY;
 * CURLE_WEIRD_SERVER_REPLY: an earlier Location differs. */
CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status);

/* struct mote_protocol.follow: prepares the next request, with run->request.redirect or the same URL again.
 * Method, body, credentials and Referer follow RFC 9110 section 15.4, CURLOPT_FOLLOWLOCATION(3),
 * CURLOPT_POSTREDIR(3) and CURLOPT_UNRESTRICTED_AUTH(3). */
CURLcode mote_redirect_follow(struct mote_transfer *t, mote_time now);

#endif
