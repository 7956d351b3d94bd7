/* transfer/multi/share.h: what handles share (curl_share_init(3)), as the engine uses it.
 *
 * A pointer is NULL when that kind of data is not shared. Calls into shared data are made between lock and
 * unlock. If the application has no lock functions, the share has a mutex per kind.
 *
 * Waiting for a slot: limits on connections are a multi's own, but they count all connections of the pool. A
 * transfer that finds a share's pool full waits in its multi's queue, and the share notes that multi. When
 * any transfer, of any multi or thread, leaves a connection of the pool, the share notifies all noted multis
 * and drops their notes. It sets a flag, and the wake-up descriptor ends their wait, whichever way they are
 * driven. The next run lets queued transfers retry, and those that find the pool full are noted again. A
 * transfer that gets its connection lets the next one of its queue retry, because two slots may have become
 * free.
 *
 * Invariants: a noted multi has a transfer with slot_wait set and this share. If a transfer is queued for the
 *             pool, its multi is noted or notified, or another one of its queue is about to retry.
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

/* Under the lock: notes the multi of a transfer that will be queued. CURLE_OUT_OF_MEMORY. */
CURLcode mote_share_note(struct mote_transfer *t);
/* Under the lock: notifies the noted multis that a connection of the pool was left. */
void mote_share_notify(struct mote_transfer *t);
/* Without the lock, after each attempt of a transfer with slot_wait set; rc is its result. CURLE_AGAIN: the
 * transfer waits on, and the multi's wake-up descriptor is watched (without one it retries every 100 ms).
 * Otherwise it no longer waits. Returns rc, or the error that ends the transfer. */
CURLcode mote_share_settle(struct mote_transfer *t, CURLcode rc, mote_time now);
/* Without the lock: the transfer leaves its multi and no longer waits. */
void mote_share_forget(struct mote_transfer *t);

/* Reports whether it waits for a connection of the share. */
#define mote_share_waits(t) ((t)->slot_wait)

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
#define mote_share_of(t) ((void)(t), NULL)
#define mote_share_jar(t) ((void)(t), NULL)
#define mote_share_hsts(t) ((void)(t), NULL)
#endif

#endif
