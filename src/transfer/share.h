/* transfer/share.h: what handles share (curl_share_init(3)), as the engine sees it.
 *
 * A pointer is NULL when that kind of data is not shared. Calls into shared data are made between lock and
 * unlock; without lock functions of the application the share's own mutex per kind is used.
 * Tests: tests/e2e/test_share.py */
#ifndef MOTE_TRANSFER_SHARE_H
#define MOTE_TRANSFER_SHARE_H

#include <curl/curl.h>

#include "base/time.h"
#include "parts.h"

struct mote_name_query;
struct mote_names;
struct mote_pool;
struct mote_session_cache;
struct mote_transfer;

struct mote_share {
  struct mote_pool *pool;
  struct mote_names *names;
  struct mote_session_cache *sessions;
  void (*lock)(struct mote_share *s, CURL *easy, curl_lock_data data);
  void (*unlock)(struct mote_share *s, CURL *easy, curl_lock_data data);
};

#if MOTE_HAS_SHARE

/* Nothing when the transfer does not share that kind of data. */
void mote_share_lock(struct mote_transfer *t, curl_lock_data data);
void mote_share_unlock(struct mote_transfer *t, curl_lock_data data);
/* A shared name cache is asked before the own one; what it knows is copied into run->race. CURLE_AGAIN: it
 * does not know, or there is none. CURLE_OUT_OF_MEMORY. */
CURLcode mote_share_find_name(struct mote_transfer *t, const struct mote_name_query *q);
/* What was found goes there too. */
CURLcode mote_share_keep_name(struct mote_transfer *t, mote_time now);
/* CURLOPT_SHARE of the transfer, or NULL. */
#define mote_share_of(t) ((t)->share)

#else

static inline void mote_share_lock(struct mote_transfer *t, curl_lock_data data)
{
  (void)t;
  (void)data;
}

static inline void mote_share_unlock(struct mote_transfer *t, curl_lock_data data)
{
  (void)t;
  (void)data;
}

static inline CURLcode mote_share_find_name(struct mote_transfer *t, const struct mote_name_query *q)
{
  (void)t;
  (void)q;
  return CURLE_AGAIN;
}

static inline CURLcode mote_share_keep_name(struct mote_transfer *t, mote_time now)
{
  (void)t;
  (void)now;
  return CURLE_OK;
}

static inline struct mote_share *mote_share_of(const struct mote_transfer *t)
{
  (void)t;
  return NULL;
}

#endif

#endif
