/* http/hosts/remember.h: what a handle remembers from one transfer for the next: the cookie engine, HSTS
 * and alternative services. The life of a handle concerns all of them alike.
 *
 * Errors: CURLE_OUT_OF_MEMORY.
 * Tests:  tests/e2e/test_cookies.py, tests/e2e/test_hsts.py, tests/e2e/test_altsvc.py */
#ifndef MOTE_HTTP_HOSTS_REMEMBER_H
#define MOTE_HTTP_HOSTS_REMEMBER_H

#include "http/altsvc/altsvc.h"
#include "http/cookies/cookies.h"
#include "http/hosts/hsts.h"
#include "transfer/transfer.h"

/* Engines that curl_easy_reset(3) keeps, each a block that its pseudo-option points to, or NULL. */
struct mote_remembered {
  void *cookies;
  void *hsts;
  void *altsvc;
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
  struct mote_remembered kept = {.cookies = mote_cookies_settle(t)};
  if(MOTE_HAS_HSTS)
    kept.hsts = mote_opt_find_ptr(&t->options, MOTE_OPT_HSTS);
  if(MOTE_HAS_ALTSVC)
    kept.altsvc = mote_opt_find_ptr(&t->options, MOTE_OPT_ALTSVC);
  return kept;
}

#if MOTE_HAS_COOKIES || MOTE_HAS_HOST_MEMORY
/* There is room: the options were cleared, and had it before. */
static inline void mote_remember_put_one(struct mote_transfer *t, uint16_t id, void *engine)
{
  if(engine)
    (void)mote_option_set_ptr(&t->options, id, engine);
}
#else
#define mote_remember_put_one(t, id, engine) ((void)(t), (void)(engine))
#endif

static inline void mote_remember_put_back(struct mote_transfer *t, struct mote_remembered kept)
{
  mote_remember_put_one(t, MOTE_OPT_COOKIES, kept.cookies);
  mote_remember_put_one(t, MOTE_OPT_HSTS, kept.hsts);
  mote_remember_put_one(t, MOTE_OPT_ALTSVC, kept.altsvc);
}

#endif
