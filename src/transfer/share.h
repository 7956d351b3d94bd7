/* transfer/share.h: what handles share (curl_share_init(3)), as the engine sees it.
 *
 * A pointer is NULL when that kind of data is not shared. Calls into shared data are made between lock and
 * unlock; without lock functions of the application the share's own mutex per kind is used.
 *
 * Waiting for a slot: limits on connections are a multi's own, but all connections of the pool count. A
 * transfer that finds a share's pool full waits in its multi's queue, and the share notes that multi. When
 * any transfer, of any multi or thread, leaves a connection of the pool, all noted multis are told and no
 * longer noted: a flag is set, and the wake-up descriptor ends their wait, whichever way they are driven.
 * The next run lets queued transfers ask again; those that find the pool full are noted again. A transfer
 * that has got its connection lets the next one of its queue ask: two slots may have become free meanwhile.
 *
 * Invariants: a noted multi has a transfer with slot_wait set and this share; where one is queued for the
 *             pool, its multi is noted, told, or another of its queue is about to ask.
 * Ownership:  notes are the share's.
 * Threads:    notes are behind CURL_LOCK_DATA_CONNECT, as the pool is. Telling takes no further lock and
 *             calls nothing of the application; the socket callback hears of the wake-up descriptor while
 *             no lock is held.
 * Tests:      tests/e2e/test_share.py, tests/threads/test_thread_slots.c */
#ifndef MOTE_TRANSFER_SHARE_H
#define MOTE_TRANSFER_SHARE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/time.h"
#include "parts.h"

struct mote_name_query;
struct mote_names;
struct mote_pool;
struct mote_session_cache;
struct mote_share_note;
struct mote_transfer;

/* Around every use of a pool that may close connections: the share's lock is held, and the guard is entered,
 * since the application may have a callback for sockets that are closed. What leaves a shared pool is closed
 * after the lock is given back: no other callback of the application runs while it is held. */
struct mote_pool_visit {
  struct mote_list leaving; /* connections that are to be closed; only where the pool is shared */
  bool shared;              /* the pool is the share's */
  bool transfer;            /* the guard before (transfer/callback.h) */
  uint8_t multi;            /* likewise */
};

void mote_pool_visit_begin(struct mote_transfer *t, struct mote_pool_visit *v);
void mote_pool_visit_end(struct mote_transfer *t, struct mote_pool *pool, struct mote_pool_visit *v);

struct mote_share {
  struct mote_pool *pool;
  struct mote_names *names;
  struct mote_session_cache *sessions;
  struct mote_share_note *notes; /* multis that wait for a connection of the pool, or NULL */
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

/* ---- a full pool; nothing when the transfer does not share connections ---- */

/* Locked. The transfer is to be queued: its multi is noted. CURLE_OUT_OF_MEMORY. */
CURLcode mote_share_note(struct mote_transfer *t);
/* Locked. A connection of the pool was left: the noted multis are told. */
void mote_share_notify(struct mote_transfer *t);
/* Not locked; after each attempt of a transfer with slot_wait set, rc being its result. CURLE_AGAIN: it goes
 * on waiting, and the multi's wake-up descriptor is watched; without any it asks again every 100 ms. Else it
 * no longer waits. Answers rc, or the error that ends the transfer. */
CURLcode mote_share_settle(struct mote_transfer *t, CURLcode rc, mote_time now);
/* Not locked. The transfer leaves its multi: it no longer waits. */
void mote_share_forget(struct mote_transfer *t);

/* CURLOPT_SHARE of the transfer, or NULL. */
#define mote_share_of(t) ((t)->share)
/* It waits for a connection of the share. */
#define mote_share_waits(t) ((t)->slot_wait)

#else

#define mote_share_lock(t, data) ((void)(t), (void)(data))
#define mote_share_unlock(t, data) ((void)(t), (void)(data))
#define mote_share_find_name(t, q) ((void)(t), (void)(q), CURLE_AGAIN)
#define mote_share_keep_name(t, now) ((void)(t), (void)(now), CURLE_OK)
#define mote_share_note(t) ((void)(t), CURLE_OK)
#define mote_share_notify(t) ((void)(t))
#define mote_share_settle(t, rc, now) ((void)(t), (void)(now), (rc))
#define mote_share_forget(t) ((void)(t))
#define mote_share_waits(t) ((void)(t), false)
#define mote_share_of(t) ((void)(t), NULL)
#endif

#endif
