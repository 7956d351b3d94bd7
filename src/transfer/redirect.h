/* transfer/redirect.h: the same transfer again: another URL, or the same one on another connection.
 *
 * Tests: tests/e2e/test_redirect.py, test_reuse.py */
#ifndef MOTE_TRANSFER_REDIRECT_H
#define MOTE_TRANSFER_REDIRECT_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/text.h"
#include "base/time.h"
#include "parts.h"

#include "transfer/transfer.h"

/* A Location of a response with this status: resolved against the current URL into run->redirect
 * (CURLINFO_REDIRECT_URL). With CURLOPT_FOLLOWLOCATION that of a status from 300 to 399 is to be followed:
 * run->follow. To be called before the field is among the stored ones.
 * CURLE_OUT_OF_MEMORY; CURLE_WEIRD_SERVER_REPLY: another one came before. */
#if MOTE_HAS_REDIRECTS
CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status);
#else
static inline CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status)
{
  (void)t;
  (void)location;
  (void)status;
  return CURLE_OK;
}
#endif

/* The exchange is over: go to run->redirect. Method, body, credentials and Referer as RFC 9110 section 15.4
 * and CURLOPT_FOLLOWLOCATION(3), CURLOPT_POSTREDIR(3), CURLOPT_UNRESTRICTED_AUTH(3) say. */
CURLcode mote_redirect_follow(struct mote_transfer *t, mote_time now);

/* A kept connection was dead before a byte of the response came: the same request on a new one. */
CURLcode mote_redirect_retry(struct mote_transfer *t);

/* ---- among the files of this ---- */

/* Another request of the chain: its body is counted from 0, its times are taken again. */
#if MOTE_HAS_HTTP_ALL
static inline void mote_redirect_count(struct mote_run *r)
{
  uint32_t room = UINT32_MAX - r->request_size;
  r->request_size += r->bytes_up < (curl_off_t)room ? (uint32_t)r->bytes_up : room;
  r->bytes_up = 0;
  r->mark[MOTE_MARK_POSTTRANSFER] = 0;
  r->mark[MOTE_MARK_STARTTRANSFER] = 0;
}
#else
static inline void mote_redirect_count(struct mote_run *r)
{
  r->bytes_up = 0;
}
#endif

/* run->redirect is given back. */
void mote_redirect_drop(struct mote_transfer *t);
/* CURLOPT_MAXREDIRS is reached; told. */
bool mote_redirect_too_many(struct mote_transfer *t);

/* The next request goes to run->redirect. */
#if MOTE_HAS_REDIRECTS
CURLcode mote_redirect_other(struct mote_transfer *t, mote_time now);
#else
static inline CURLcode mote_redirect_other(struct mote_transfer *t, mote_time now)
{
  (void)t;
  (void)now;
  return CURLE_NOT_BUILT_IN;
}
#endif

/* Before run->url is the new one: method and Referer. After: is it another origin? Without part http_all
 * there are neither other methods than GET nor credentials. */
#if MOTE_HAS_HTTP_ALL
CURLcode mote_redirect_change(struct mote_transfer *t);
CURLcode mote_redirect_compare(struct mote_transfer *t);
/* A body that is sent again starts at its beginning. A seek callback hears of it too when the next request
 * has no body. CURLE_SEND_FAIL_REWIND. */
CURLcode mote_redirect_rewind(struct mote_transfer *t);
#else
static inline CURLcode mote_redirect_change(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}

static inline CURLcode mote_redirect_compare(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}

static inline CURLcode mote_redirect_rewind(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}
#endif

/* The same request once more (run->same_again: 401, 417). */
#if MOTE_HAS_SAME_AGAIN
CURLcode mote_redirect_same(struct mote_transfer *t, mote_time now);
#else
static inline CURLcode mote_redirect_same(struct mote_transfer *t, mote_time now)
{
  (void)t;
  (void)now;
  return CURLE_NOT_BUILT_IN;
}
#endif

#endif
