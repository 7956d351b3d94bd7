/* transfer/engine.h: the multi as its transfers and handles see it: an opaque struct mote_multi.
 *
 * A transfer is in one list: ready (will be stepped by the next run), waiting (for an event or a deadline),
 * queued (for a connection slot), done (its message not read yet) or read.
 *
 * Without part multi_api there is the private multi of an easy handle only, with its one transfer
 * (small/multi.c).
 *
 * Ownership: what is handed out (pool, names, sessions, wait set, account) is the multi's.
 * Failure:   none unless said.
 * Tests:     tests/e2e/test_multi.py */
#ifndef MOTE_TRANSFER_ENGINE_H
#define MOTE_TRANSFER_ENGINE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_account;
struct mote_ceiling;
struct mote_heap_node;
struct mote_multi;
struct mote_names;
struct mote_pool;
struct mote_session_cache;
struct mote_transfer;
struct mote_waitset;

enum mote_list_id {
  MOTE_LIST_READY,
  MOTE_LIST_WAITING,
  MOTE_LIST_QUEUED,
  MOTE_LIST_DONE,  /* over, message not read */
  MOTE_LIST_READ,  /* over, message read */
  MOTE_LIST_LAST,
  MOTE_LIST_NONE = MOTE_LIST_LAST /* in no list */
};

/* ---- transfers in and out, and from list to list ---- */

void mote_multi_add(struct mote_multi *m, struct mote_transfer *t);
void mote_multi_remove(struct mote_multi *m, struct mote_transfer *t);
void mote_multi_remove_all(struct mote_multi *m);
void mote_multi_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to);

#if !MOTE_HAS_SMALL

/* A transfer is over: its message is there. */
void mote_multi_done(struct mote_multi *m, struct mote_transfer *t);

/* A connection slot has become free: the first queued transfer may try again; all of them where the limit is
 * per host or they wait for different pools, since the first one's may still be full. */
void mote_multi_wake_queued(struct mote_multi *m);

/* `by` more transfers (or fewer, below 0) are past pending: they keep the buffer alive. */
void mote_multi_count_active(struct mote_multi *m, int by);

/* ---- time ---- */

/* A run's nearest deadline, 0: none. `node` is the run's. */
void mote_multi_set_deadline(struct mote_multi *m, struct mote_heap_node *node, mote_time nearest);
/* The node has its deadline in the queue: it was set and has not passed. */
bool mote_multi_has_deadline(const struct mote_multi *m, const struct mote_heap_node *node);

#else

static inline void mote_multi_done(struct mote_multi *m, struct mote_transfer *t)
{
  mote_multi_move(m, t, MOTE_LIST_DONE);
}

#define mote_multi_wake_queued(m) ((void)(m))
#define mote_multi_count_active(m, by) ((void)(m), (void)(by))
#define mote_multi_set_deadline(m, node, nearest) ((void)(m), (void)(node), (void)(nearest))
#define mote_multi_has_deadline(m, node) ((void)(m), (void)(node), true)
#endif

/* ---- driving ---- */

/* Step everything that is ready or due. */
void mote_multi_run(struct mote_multi *m);
/* Microseconds until something is to be done without an event: 0 now, -1 never. */
int64_t mote_multi_next(const struct mote_multi *m, mote_time now);
/* Wait for events, at most ms milliseconds; curl_multi_wakeup() does not end it. CURLM_OUT_OF_MEMORY,
 * CURLM_UNRECOVERABLE_POLL. */
CURLMcode mote_multi_wait(struct mote_multi *m, int ms);
#if !MOTE_HAS_SMALL
/* Tell timer_fn when the nearest deadline has changed. */
CURLMcode mote_multi_tell_timer(struct mote_multi *m);
/* Give the buffer back when nobody needs it. */
void mote_multi_tidy(struct mote_multi *m);
#else
#define mote_multi_tell_timer(m) ((void)(m), CURLM_OK)
#endif

/* ---- what it has ---- */

struct mote_account *mote_multi_memory(struct mote_multi *m);
struct mote_names *mote_multi_names(struct mote_multi *m);
struct mote_pool *mote_multi_pool(struct mote_multi *m);
struct mote_session_cache *mote_multi_sessions(struct mote_multi *m);
struct mote_waitset *mote_multi_waitset(struct mote_multi *m);
CURLM *mote_multi_handle_of(const struct mote_multi *m);

#if !MOTE_HAS_SMALL

/* A callback of the application runs: what would drive or end the multi is refused. */
bool mote_multi_in_callback(const struct mote_multi *m);
/* The same, and no handle may come or go. CURLMOPT_NOTIFYFUNCTION is none of these. */
bool mote_multi_in_strict_callback(const struct mote_multi *m);
/* CURLMOPT_SOCKETFUNCTION or CURLMOPT_TIMERFUNCTION runs. */
bool mote_multi_in_watch(const struct mote_multi *m);
/* A callback of the application has ended it for good. */
bool mote_multi_is_dead(const struct mote_multi *m);
/* The private multi of an easy handle. */
bool mote_multi_is_private(const struct mote_multi *m);

/* ---- connections ---- */

/* How many idle ones may be kept: CURLMOPT_MAXCONNECTS, or four per transfer. */
uint32_t mote_multi_most_kept(const struct mote_multi *m);
/* CURLMOPT_MAX_HOST_CONNECTIONS and CURLMOPT_MAX_TOTAL_CONNECTIONS; 0: no limit. */
uint32_t mote_multi_max_host(const struct mote_multi *m);
uint32_t mote_multi_max_total(const struct mote_multi *m);

/* What its tables take at most when `more` connections come, and two attempts; m may be NULL: a fresh one. */
void mote_multi_ceiling(const struct mote_multi *m, uint32_t more, struct mote_ceiling *c);

/* An idle connection of the multi whose wait set this is has something to read. */
void mote_multi_prune_soon(struct mote_waitset *set);
/* Nobody watches the idle connections of `pool` (the application has the descriptors, or the pool is shared),
 * and they were not looked at in this second: it is time to. */
bool mote_multi_prune_due(struct mote_multi *m, const struct mote_pool *pool, mote_time now);

#else

#define mote_multi_is_dead(m) ((void)(m), false)
#define mote_multi_is_private(m) ((void)(m), true)
#define mote_multi_most_kept(m) ((void)(m), 1)
#define mote_multi_max_host(m) ((void)(m), 0)
#define mote_multi_max_total(m) ((void)(m), 0)
#define mote_multi_ceiling(m, more, c) ((void)(m), (void)(more), (void)(c))
#define mote_multi_prune_soon(set) ((void)(set))
#define mote_multi_prune_due(m, pool, now) ((void)(m), (void)(pool), (void)(now), false)
#define mote_multi_in_strict_callback(m) ((void)(m), false)
#define mote_multi_in_watch(m) ((void)(m), false)
#define mote_multi_in_callback(m) ((void)(m), false)
#endif

#endif
