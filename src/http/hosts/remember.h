/* http/hosts/remember.h: what a handle remembers from one transfer for the next: the cookie engine, HSTS
 * and alternative services. The life of a handle concerns all of them alike.
 *
 * Errors: CURLE_OUT_OF_MEMORY.
 * Tests:  tests/e2e/test_cookies.py, tests/e2e/test_hsts.py, tests/e2e/test_altsvc.py */
#ifndef MOTE_HTTP_HOSTS_REMEMBER_H
#define MOTE_HTTP_HOSTS_REMEMBER_H

#include "http/cookies/cookies.h"
#include "http/hosts/altsvc.h"
#include "http/hosts/hsts.h"

/* Engines that curl_easy_reset(3) keeps. */
struct mote_remembered {
  struct mote_cookies *cookies; /* or NULL */
  struct mote_hsts *hsts;       /* or NULL */
  struct mote_altsvc *altsvc;   /* or NULL */
};

/* For a handle that curl_easy_duphandle(3) has made. */
static inline CURLcode mote_remember_dup(struct mote_transfer *t, const struct mote_transfer *from)
{
  CURLcode rc = mote_cookies_dup(t, from);
  rc = rc ? rc : mote_hsts_dup(t, from);
  return rc ? rc : mote_altsvc_dup(t, from);
}

/* For a handle that has another share, or none. */
static inline CURLcode mote_remember_reshare(struct mote_transfer *t)
{
  mote_cookies_reshare(t);
  return mote_hsts_reshare(t);
}

/* Writes and frees all of it. */
static inline void mote_remember_close(struct mote_transfer *t)
{
  mote_cookies_close(t);
  mote_hsts_close(t);
  mote_altsvc_close(t);
}

/* Takes out of the options what outlives them, and puts it back into those that are empty. */
static inline struct mote_remembered mote_remember_take(struct mote_transfer *t)
{
  struct mote_remembered kept;
  (void)t;
  kept.cookies = mote_cookies_take(t);
  kept.hsts = mote_hsts_take(t);
  kept.altsvc = mote_altsvc_take(t);
  return kept;
}

static inline void mote_remember_put_back(struct mote_transfer *t, struct mote_remembered kept)
{
  (void)kept;
  mote_cookies_put_back(t, kept.cookies);
  mote_hsts_put_back(t, kept.hsts);
  mote_altsvc_put_back(t, kept.altsvc);
}

#endif
