/* transfer/schedule.h: the multi as its transfers see it: which of them can go on, and when; the buffer of
 * the one that is being stepped; what it says about connections.
 *
 * A transfer is in one list: ready (the next run will step it), waiting (for an event or a deadline),
 * queued (for a connection slot), done (its message has not been read) or read. Nothing here steps a
 * transfer (transfer/multi.h).
 *
 * With part small there is the private multi of an easy handle only, with its one transfer (small/multi.c).
 *
 * Errors: none unless stated.
 * Tests:  tests/e2e/test_multi.py */
#ifndef MOTE_TRANSFER_SCHEDULE_H
#define MOTE_TRANSFER_SCHEDULE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_heap_node;
struct mote_multi;
struct mote_pool;
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

void mote_multi_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to);

/* The buffer, at least `size` bytes; NULL: out of memory. A larger one replaces it: only between uses. What
 * lies in it is gone when the step ends; mote_multi_tidy() gives it back. */
char *mote_multi_buffer(struct mote_multi *m, uint32_t size);
/* Its size in bytes, 0: there is none. */
uint32_t mote_multi_buffer_size(const struct mote_multi *m);

#if !MOTE_HAS_SMALL

/* A transfer is over: its message is available. */
void mote_multi_done(struct mote_multi *m, struct mote_transfer *t);

/* A connection slot has become free: the first queued transfer may try again; all of them where the limit
 * is per host or they wait for different pools, since the first one's may still be full. */
void mote_multi_wake_queued(struct mote_multi *m);

/* `by` more transfers (or fewer, below 0) are past pending: they keep the buffer alive. */
void mote_multi_count_active(struct mote_multi *m, int by);

/* A run's nearest deadline, 0: none. `node` is the run's. */
void mote_multi_set_deadline(struct mote_multi *m, struct mote_heap_node *node, mote_time nearest);
/* The node has its deadline in the queue: it was set and has not passed. */
bool mote_multi_has_deadline(const struct mote_multi *m, const struct mote_heap_node *node);

/* How many idle connections may be kept: CURLMOPT_MAXCONNECTS, or four per transfer. */
uint32_t mote_multi_most_kept(const struct mote_multi *m);
/* An idle connection of the multi whose wait set this is has something to read. */
void mote_multi_prune_soon(struct mote_waitset *set);
/* The idle connections of `pool` are not watched (the application has the descriptors, or the pool is
 * shared), and were not looked at in this second: it is time to. */
bool mote_multi_prune_due(struct mote_multi *m, const struct mote_pool *pool, mote_time now);

#else

#define mote_multi_done(m, t) mote_multi_move(m, t, MOTE_LIST_DONE)
#define mote_multi_wake_queued(m) ((void)(m))
#define mote_multi_count_active(m, by) ((void)(m), (void)(by))
#define mote_multi_set_deadline(m, node, nearest) ((void)(m), (void)(node), (void)(nearest))
#define mote_multi_has_deadline(m, node) ((void)(m), (void)(node), true)
#endif

#endif
