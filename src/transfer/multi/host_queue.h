/* transfer/multi/host_queue.h: transfers that wait because their host has as many connections as
 * CURLMOPT_MAX_HOST_CONNECTIONS(3) allows.
 *
 * Each host has a list of its own. What becomes free at a host wakes the one that has
 * waited there longest, and costs the same however many wait for it or for other hosts. Where some of them
 * use a share's connections and others do not, it wakes the first of each kind. A transfer that waits because
 * of the limit on all connections is in MOTE_LIST_QUEUED instead.
 *
 * Other multis may leave connections of a share's pool. They do not say at which host, so that the first one
 * of each host retries that waits for such a connection (transfer/multi/share.h). One that then has its
 * connection wakes the next if the host has a connection left, as several may have become free.
 *
 * The transfer that was woken has the turn of its host (t->host_turn) until it has a connection or waits
 * there again. A transfer that ends with the turn, or does without a connection of its own, passes it on, so
 * that no list waits for a wake-up that was lost.
 *
 * Invariants: the transfers of a list are in state PENDING and count as MOTE_LIST_QUEUED; t->link is in the
 *             list.
 * Ownership:  the lists are those of the pool's hosts (net/pool_hosts.h).
 * Tests:      tests/unit/transfer/test_host_queue.c, tests/e2e/test_slots.py */
#ifndef MOTE_TRANSFER_MULTI_HOST_QUEUE_H
#define MOTE_TRANSFER_MULTI_HOST_QUEUE_H

#include <stddef.h>

#include "parts.h"

struct mote_list;
struct mote_multi;

/* Functions for a transfer: transfer/multi/schedule.h. */

#if MOTE_HAS_HOST_LIMIT
/* The limit has changed: wakes all. */
void mote_host_queue_wake_all(struct mote_multi *m);
/* Walks over the lists: returns the one after `list`, or the first for NULL. NULL: there are no more. */
const struct mote_list *mote_host_queue_next(const struct mote_multi *m, const struct mote_list *list);
#else
#define mote_host_queue_wake_all(m) ((void)(m))
#define mote_host_queue_next(m, list) ((void)(m), (void)(list), (const struct mote_list *)NULL)
#endif

#endif
