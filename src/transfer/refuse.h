/* transfer/refuse.h: may a transfer start, with what the application has asked for and this build lacks?
 *
 * What would change what is sent or checked is never passed over: where curl_easy_setopt() has refused such
 * an option and the application goes on all the same, its transfers end with CURLE_NOT_BUILT_IN and a text.
 * What is harmless in most cases (a netrc file, a file of cookies) is accepted, and looked at here.
 *
 * Tests: tests/e2e/test_not_built.py */
#ifndef MOTE_TRANSFER_REFUSE_H
#define MOTE_TRANSFER_REFUSE_H

#include <curl/curl.h>
#include <stdbool.h>

#include "parts.h"

struct mote_transfer;

#if !MOTE_HAS_SMALL
/* The URL and its scheme are known. CURLE_NOT_BUILT_IN, CURLE_READ_ERROR: a netrc file is required and not
 * there. */
CURLcode mote_refuse_options(struct mote_transfer *t);
#else
#define mote_refuse_options(t) ((void)(t), CURLE_OK)
#endif

#if MOTE_HAS_ENV_PROXIES
/* Files that would be read: CURLOPT_COOKIEFILE and CURLOPT_NETRC. Errors: as mote_refuse_options(). */
CURLcode mote_refuse_files(struct mote_transfer *t);
/* There may be cookies in CURLOPT_COOKIEFILE's file. */
bool mote_refuse_has_cookies(const char *path);
#else
#define mote_refuse_files(t) ((void)(t), CURLE_OK)
#define mote_refuse_has_cookies(path) ((void)(path), false)
#endif

#endif
