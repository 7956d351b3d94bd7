/* http/cookies/cookies.h: the cookie engine of a handle, as the public interface uses it
 * (CURLOPT_COOKIEFILE(3) and its relatives). It takes part in requests and responses by its hook
 * (http/hooks.h).
 *
 * A handle without it has none of this. The engine is one block, which MOTE_OPT_COOKIES points to; with a
 * share of cookies its jar is the share's.
 *
 * Ownership: the engine is the handle's, until mote_cookies_close().
 * Errors:    CURLE_OUT_OF_MEMORY; what was set before stays.
 * Threads:   the jar of a share is used under CURL_LOCK_DATA_COOKIE, but no callback is called under it.
 * Tests:     tests/e2e/test_cookies.py */
#ifndef MOTE_HTTP_COOKIES_COOKIES_H
#define MOTE_HTTP_COOKIES_COOKIES_H

#include <curl/curl.h>
#include <stdint.h>

#include "parts.h"

struct mote_cookies;
struct mote_transfer;

#if MOTE_HAS_COOKIES

/* Sets CURLOPT_COOKIEFILE, COOKIEJAR or COOKIELIST. id: its MOTE_OPT_ID; text may be NULL. */
CURLcode mote_cookies_set(struct mote_transfer *t, uint16_t id, const char *text);
/* CURLINFO_COOKIELIST; *list is the caller's. */
CURLcode mote_cookies_list(struct mote_transfer *t, struct curl_slist **list);
/* Gives the handle an engine like that of `from`, without its cookies (curl_easy_duphandle(3)). */
CURLcode mote_cookies_dup(struct mote_transfer *t, const struct mote_transfer *from);
/* The handle gets another share, or none. Cookies stay where they are, and files are read again, into the jar
 * that is used now. A handle that has left a share of cookies has nothing to write until it is used again. */
void mote_cookies_reshare(struct mote_transfer *t);
/* Writes CURLOPT_COOKIEJAR and frees the engine. */
void mote_cookies_close(struct mote_transfer *t);
/* curl_easy_reset(3) keeps the cookies of an engine that was in use, without its files, and no other. Returns
 * the engine that is kept, or NULL. */
struct mote_cookies *mote_cookies_settle(struct mote_transfer *t);

#else

#define mote_cookies_set(t, id, text) ((void)(t), (void)(id), (void)(text), CURLE_UNKNOWN_OPTION)
#define mote_cookies_list(t, list) ((void)(t), *(list) = NULL, CURLE_OK)
#define mote_cookies_dup(t, from) ((void)(t), (void)(from), CURLE_OK)
#define mote_cookies_reshare(t) ((void)(t))
#define mote_cookies_close(t) ((void)(t))
#define mote_cookies_settle(t) ((void)(t), NULL)
#endif

#endif
