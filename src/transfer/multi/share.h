/* transfer/multi/share.h: what handles share (curl_share_init(3)), as the engine uses it.
 *
 * A pointer is NULL when that kind of data is not shared. Calls into shared data are made between lock and
 * unlock. If the application has no lock functions, the share has a mutex per kind.
 *
 * Waiting for a slot: limits on connections are a multi's own, but they count all connections of the pool. A
 * transfer that finds a share's pool full waits like any other, in its multi's queue or for its host
 * (transfer/multi/host_queue.h), and the share notes that multi. When any transfer leaves a connection of the
 * pool, its own multi knows which transfer to wake. The share notifies the other noted multis, which may be
 * another thread's. It sets a flag, and the wake-up descriptor ends their wait, whichever way they are
 * driven. The next run lets the first one of the queue and of each host retry. A transfer that gets its
 * connection lets the next one retry, because two slots may have become free since the flag was set.
 *
 * A free slot need not suit what waits first: transfers that use no share wait for the multi's connections,
 * and others for those of their share, or of both pools, as those that may use HTTP/2 do. While a list has
 * transfers of several such kinds it is mixed, and the first one of each kind is woken.
 *
 * Invariants: a multi is noted while one of its transfers with this share has slot_wait set. Whatever sets
 *             the flag is seen by transfers that retry after the flag was taken back.
 * Ownership:  the share owns its notes.
 * Threads:    CURL_LOCK_DATA_CONNECT protects the notes, like the pool. Notifying takes no further lock and
 *             calls nothing of the application; the socket callback learns of the wake-up descriptor while
 *             no lock is held.
 * Tests:      tests/e2e/test_share.py, tests/threads/test_thread_slots.c */
#ifndef MOTE_TRANSFER_MULTI_SHARE_H
#define MOTE_TRANSFER_MULTI_SHARE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"
#include "transfer/transfer.h"

struct mote_answer;
struct mote_host_index;
struct mote_jar;
struct mote_multi;
struct mote_name_query;
struct mote_names;
struct mote_pool;
struct mote_session_cache;
struct mote_share_note;

struct mote_share;

/* Locks or unlocks that kind of data, for the handle. */
typedef void (*mote_share_fn)(struct mote_share *s, CURL *easy, curl_lock_data data);

struct mote_share {
  struct mote_pool *pool;
  struct mote_names *names;
  struct mote_session_cache *sessions;
  struct mote_jar *jar;          /* cookies (http/cookies/cookie_jar.h) */
  struct mote_host_index *hsts;  /* hosts that are reached over TLS only (http/hosts/hsts_hosts.h) */
  struct mote_share_note *notes; /* multis that wait for a connection, or NULL */
  mote_share_fn lock;
  mote_share_fn unlock;
};

#if MOTE_HAS_SHARE

/* Returns the transfer's CURLOPT_SHARE, or NULL. */
#define mote_share_of(t) ((t)->share)
/* Returns the cookies that it shares, or NULL. */
#define mote_share_jar(t) ((t)->share->jar)
/* Returns the hosts of HSTS that it shares, or NULL. */
#define mote_share_hsts(t) ((t)->share->hsts)

/* For a transfer with a share; do nothing when that kind of data is not shared. */
void mote_share_lock_data(struct mote_transfer *t, curl_lock_data data);
void mote_share_unlock_data(struct mote_transfer *t, curl_lock_data data);

/* The same for any transfer. */
static inline void mote_share_lock(struct mote_transfer *t, curl_lock_data data)
{
  if(mote_share_of(t))
    mote_share_lock_data(t, data);
}

static inline void mote_share_unlock(struct mote_transfer *t, curl_lock_data data)
{
  if(mote_share_of(t))
    mote_share_unlock_data(t, data);
}

/* Searches the shared name cache, and copies the answer into *answer. The query is a shared one afterwards,
 * so that the multi's own cache is left out, which a line of CURLOPT_RESOLVE does not reach. CURLE_AGAIN: no
 * answer, or no shared cache. CURLE_OUT_OF_MEMORY. */
CURLcode mote_share_copy_name(struct mote_transfer *t, struct mote_name_query *q,
                              struct mote_answer **answer);

static inline CURLcode mote_share_find_name(struct mote_transfer *t, struct mote_name_query *q,
                                            struct mote_answer **answer)
{
  return mote_share_of(t) ? mote_share_copy_name(t, q, answer) : CURLE_AGAIN;
}

/* Copies the lookup's answer, which may be NULL, to the shared cache, unless the transfer uses no cache. */
CURLcode mote_share_keep_name(struct mote_transfer *t, struct mote_answer *answer, mote_time now);

/* ---- a full pool (these do nothing when the transfer does not share connections) ---- */

/* Under the lock: notes the multi of a transfer that will wait. CURLE_OUT_OF_MEMORY. */
CURLcode mote_share_note(struct mote_transfer *t);
/* Under the lock: wakes the first ones of the own queue, and notifies the other noted multis, as a connection
 * of the pool was left. */
void mote_share_notify(struct mote_transfer *t);
/* Without the lock, after each attempt of a transfer with slot_wait set; rc is its result. CURLE_AGAIN: the
 * transfer waits on, and the multi's wake-up descriptor is watched (without one it retries every 100 ms).
 * Otherwise it no longer waits. Returns rc, or the error that ends the transfer. */
CURLcode mote_share_settle(struct mote_transfer *t, CURLcode rc, mote_time now);
/* Without the lock: the transfer leaves its multi and no longer waits. */
void mote_share_forget(struct mote_transfer *t);

/* Reports whether it waits for a connection of the share. */
#define mote_share_waits(t) ((t)->slot_wait)

/* ---- for any transfer ---- */

/* Returns its share's pool, or NULL. */
static inline const struct mote_pool *mote_share_pool_of(const struct mote_transfer *t)
{
  return t->share ? t->share->pool : NULL;
}

/* Reports whether two that wait do so for the same pools. */
static inline bool mote_share_waits_alike(const struct mote_transfer *a, const struct mote_transfer *b)
{
  return mote_share_pool_of(a) == mote_share_pool_of(b) && a->run->lease.two_pools == b->run->lease.two_pools;
}

/* Does what is to be done before t joins the queue. */
void mote_share_queues(struct mote_transfer *t);

#else

#define mote_share_lock(t, data) ((void)(t), (void)(data))
#define mote_share_unlock(t, data) ((void)(t), (void)(data))
#define mote_share_find_name(t, q, answer) ((void)(t), (void)(q), (void)(answer), (CURLcode)CURLE_AGAIN)
#define mote_share_keep_name(t, answer, now) ((void)(t), (void)(answer), (void)(now), (CURLcode)CURLE_OK)
#define mote_share_note(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_share_notify(t) ((void)(t))
#define mote_share_settle(t, rc, now) ((void)(t), (void)(now), (rc))
#define mote_share_forget(t) ((void)(t))
#define mote_share_waits(t) ((void)(t), false)
#define mote_share_waits_alike(a, b) ((void)(a), (void)(b), true)
#define mote_share_queues(t) ((void)(t))
#define mote_share_of(t) ((void)(t), NULL)
#define mote_share_jar(t) ((void)(t), NULL)
#define mote_share_hsts(t) ((void)(t), NULL)
#endif

#endif
