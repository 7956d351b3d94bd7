/* transfer/multi/schedule.h: the multi as its transfers use it. It has the lists of transfers that can
 * continue, their deadlines, the buffer of the transfer in its step, and the limits on connections.
 *
 * A transfer is in one list: ready (the next run steps it), waiting (for an event or a deadline), queued
 * (for a connection slot), done (its message is unread) or read. Nothing here steps a transfer
 * (transfer/multi/multi.h).
 *
 * Errors: none unless stated.
 * Tests:  tests/e2e/test_multi.py */
#ifndef MOTE_TRANSFER_MULTI_SCHEDULE_H
#define MOTE_TRANSFER_MULTI_SCHEDULE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_conn;
struct mote_list;
struct mote_multi;
struct mote_pool;
struct mote_transfer;
struct mote_waitset;

enum mote_list_id {
  MOTE_LIST_READY,
  MOTE_LIST_WAITING,
  MOTE_LIST_QUEUED, /* the last that counts as running */
  MOTE_LIST_DONE,  /* finished, message unread */
  MOTE_LIST_READ,  /* finished, message read */
  MOTE_LIST_LAST,
  MOTE_LIST_NONE = MOTE_LIST_LAST /* in no list */
};

void mote_schedule_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to);
/* Does so with an internal transfer, which is not counted as running. It moves from no list to ready, or from
 * any list to none. */
void mote_schedule_move_uncounted(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to);

/* Memory of a protocol's that is the multi's buffer unless a larger one is asked for. It lies in the block
 * that this struct begins. */
struct mote_loan {
  uint16_t at;   /* bytes from the struct */
  uint16_t size; /* bytes */
};

/* Returns the buffer, which has at least `size` bytes, or NULL without memory. It may move, so call this
 * only between uses. Its contents are lost at the end of the step; mote_multi_tidy() frees it. */
char *mote_schedule_buffer(struct mote_multi *m, uint32_t size);
/* Returns the size of the buffer in bytes. 0: there is none. */
uint32_t mote_schedule_buffer_size(const struct mote_multi *m);
/* Frees the buffer, or ends its use of the loan. */
void mote_schedule_drop_buffer(struct mote_multi *m);
/* The protocol frees its loan now. */
void mote_schedule_end_loan(struct mote_multi *m);

/* The transfer is finished and its message is available. */
void mote_schedule_done(struct mote_multi *m, struct mote_transfer *t);

/* A connection slot has become free. The first queued transfer may retry. If transfers wait for different
 * pools the first of each may, because the slot may not suit the others. Those that wait for their host are
 * apart (transfer/multi/host_queue.h). */
void mote_schedule_wake_queued(struct mote_multi *m);
/* Does so as a connection of many transfers may have room. */
void mote_schedule_offer_queued(struct mote_multi *m);
/* Lets a transfer wait for a slot. One that was woken in vain keeps its place, unless it was for such room,
 * which may suit the next one. */
void mote_schedule_queue(struct mote_transfer *t);
/* A transfer ends, leaves its multi or does without a connection of its own. Does so if that may have left a
 * slot, or if it was `pending` and may have been woken for one. */
void mote_schedule_pass_on(struct mote_multi *m, bool pending);
/* Wakes a transfer that has waited. It is stepped before those that are new, which could take what it was
 * woken for, every time. */
void mote_schedule_wake_next(struct mote_multi *m, struct mote_transfer *t);

/* For lists of transfers that wait. Reports whether one that is mixed, or not, is so when t has joined it:
 * with transfers that wait for different pools (transfer/multi/share.h). */
bool mote_schedule_mixes(const struct mote_list *list, const struct mote_transfer *t, bool mixed);
/* Wakes the first one for each pool. They have the turn of their host if `host_turn` says so. */
void mote_schedule_wake_firsts(struct mote_multi *m, struct mote_list *list, bool host_turn);

/* A limit has changed: all of them may retry. */
void mote_schedule_wake_all_queued(struct mote_multi *m);

#if MOTE_HAS_HOST_LIMIT
/* Lets a transfer wait for its host, which is the first text of a connection's key (connect/identity.h).
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_schedule_wait_for_host(struct mote_transfer *t, const char *host);
/* Something has become free at that host: wakes the transfer that has waited longest for it. */
void mote_schedule_wake_host(struct mote_multi *m, const char *host);
/* Something may have become free in a share's pool: does so at each host where transfers wait for one. */
void mote_schedule_wake_shared_hosts(struct mote_multi *m);
/* A connection of many transfers may have room for one that waits, for its host or in the queue. */
void mote_schedule_offer(struct mote_multi *m, const struct mote_conn *c);
/* A transfer ends, or leaves its multi. If it has the turn of its host, all that wait for theirs may retry,
 * as it is not kept which host that was. */
void mote_schedule_leave_host(struct mote_transfer *t);
#else /* they wait in the queue, and all of it is woken */
#define mote_schedule_wait_for_host(t, host) \
  ((void)(host), mote_schedule_move((t)->multi, t, MOTE_LIST_QUEUED), (CURLcode)CURLE_OK)
#define mote_schedule_wake_host(m, host) ((void)(host), mote_schedule_wake_queued(m))
#define mote_schedule_wake_shared_hosts(m) ((void)(m))
#define mote_schedule_offer(m, c) ((void)(c), mote_schedule_offer_queued(m))
#define mote_schedule_leave_host(t) ((void)(t))
#endif

/* Counts `by` more (below 0: fewer) transfers that are past pending. They keep the buffer alive. */
void mote_schedule_count_active(struct mote_multi *m, int by);

/* Sets the nearest deadline of a transfer in a multi, which makes it ready. 0: none. */
void mote_schedule_set_deadline(struct mote_transfer *t, mote_time nearest);

/* Returns how many idle connections may be kept, which is CURLMOPT_MAXCONNECTS or four per transfer. */
uint32_t mote_schedule_most_kept(const struct mote_multi *m);
/* An idle connection in this wait set, which is of its multi's pool, has become readable and may be dead. */
void mote_schedule_prune_soon(struct mote_waitset *set, struct mote_conn *c);
/* Reports whether to check the idle connections of `pool`. They are not watched (the application has the
 * descriptors, or the pool is shared), and were not checked in this second. */
bool mote_schedule_prune_due(struct mote_multi *m, const struct mote_pool *pool, mote_time now);

#endif
