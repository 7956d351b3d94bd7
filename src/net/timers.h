/* net/timers.h: the deadlines of one multi. An owner (a transfer, a dial, a driver, a goodbye) embeds a node
 * and is called when its deadline has passed.
 *
 * One heap serves all owners, so that the nearest deadline of a multi is known at once. A node has one
 * deadline; an owner with several sets the nearest (transfer/run.c).
 *
 * Invariants: a node that is set has a `due` function; a node is in one heap at most.
 * Ownership:  nodes are their owners' fields, which cancel them before they are freed. Nothing is allocated,
 *             so that no call can fail.
 * Threads:    the multi's.
 * Tests:      tests/unit/net/test_timers.c */
#ifndef MOTE_NET_TIMERS_H
#define MOTE_NET_TIMERS_H

#include <stdbool.h>

#include "base/containers/heap.h"
#include "base/time.h"

/* Deadlines that one run calls the owners of, so that many that are due at one moment do not hold up the
 * caller. The others are due in the next run. */
#define MOTE_TIMERS_PER_RUN 1000u

struct mote_timer_node {
  struct mote_heap_node node; /* key: the deadline, absolute µs */
  /* The owner's. The node is no longer set. The function may set and cancel any node of the heap, and free
   * its owner. It must not run the heap. */
  void (*due)(struct mote_timer_node *n, mote_time now);
};

struct mote_timers {
  struct mote_heap heap;
};

/* Reports whether a node was set to a deadline after `now`. */
static inline bool mote_timer_is_later(const struct mote_timer_node *n, mote_time now)
{
  return n->node.key > now;
}

/* Sets a node's deadline, or moves it. `at`: absolute µs, not 0. A deadline that has passed is due in the
 * next run, even if the owner of a due node sets it. */
static inline void mote_timers_set(struct mote_timers *timers, struct mote_timer_node *n, mote_time at)
{
  mote_heap_update(&timers->heap, &n->node, at);
}

/* Does nothing when the node is not set. */
static inline void mote_timers_cancel(struct mote_timers *timers, struct mote_timer_node *n)
{
  mote_heap_remove(&timers->heap, &n->node);
}

/* Reports whether the node is set. */
static inline bool mote_timers_has(const struct mote_timers *timers, const struct mote_timer_node *n)
{
  return mote_heap_has(&timers->heap, &n->node);
}

/* Returns the nearest deadline. 0: there is none. */
static inline mote_time mote_timers_next(const struct mote_timers *timers)
{
  return timers->heap.top ? timers->heap.top->key : 0;
}

/* Reports whether a deadline is not after `now`. */
static inline bool mote_timers_due(const struct mote_timers *timers, mote_time now)
{
  return timers->heap.top && timers->heap.top->key <= now;
}

/* The same as mote_timers_run(), when there is such a node. */
void mote_timers_run_due(struct mote_timers *timers, mote_time now);

/* Cancels the nodes whose deadline is not after `now`, MOTE_TIMERS_PER_RUN at most, and calls their owners in
 * the order of their deadlines. */
static inline void mote_timers_run(struct mote_timers *timers, mote_time now)
{
  if(mote_timers_due(timers, now))
    mote_timers_run_due(timers, now);
}

#endif
