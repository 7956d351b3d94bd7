/* engine/multi.h: drives the transfers of a multi.
 *
 * The three ways of driving (perform with poll or wait, select, socket_action) share one core: it takes
 * readiness and calls mote_multi_run().
 *
 * Ownership:  api/multi/multi.c embeds struct mote_multi (transfer/multi/multi.h).
 * Tests:      tests/e2e/test_multi.py */
#ifndef MOTE_ENGINE_MULTI_H
#define MOTE_ENGINE_MULTI_H

#include "transfer/multi/multi.h"

struct mote_ceiling;

void mote_multi_setup(struct mote_multi *m);
/* Closes connections and abandons lookups. All transfers must have been removed. */
void mote_multi_close(struct mote_multi *m);

void mote_multi_add(struct mote_multi *m, struct mote_transfer *t);
void mote_multi_remove(struct mote_multi *m, struct mote_transfer *t);

/* Steps every transfer that is ready or due. */
void mote_multi_run(struct mote_multi *m);
/* Returns the microseconds until a transfer is due without an event. 0: now, -1: never, which is
 * known without the clock. */
int64_t mote_multi_next(const struct mote_multi *m);
/* Waits for events for at most ms milliseconds. curl_multi_wakeup() does not end the wait.
 * CURLM_OUT_OF_MEMORY, CURLM_UNRECOVERABLE_POLL. */
CURLMcode mote_multi_wait(struct mote_multi *m, int ms);

void mote_multi_remove_all(struct mote_multi *m);

/* Reports the nearest deadline to timer_fn if it has changed. CURLM_ABORTED_BY_CALLBACK: it has given up,
 * which ends all transfers. They end here as well when socket_fn has given up since the last run. */
CURLMcode mote_multi_report_timer(struct mote_multi *m);
/* socket_fn or timer_fn has given up: ends all transfers with CURLE_ABORTED_BY_CALLBACK. No transfer may be
 * in a step. Returns CURLM_ABORTED_BY_CALLBACK. */
CURLMcode mote_multi_abort(struct mote_multi *m);
/* Frees the buffer if it is not needed. */
void mote_multi_tidy(struct mote_multi *m);
/* Adds the most memory that the multi's tables take when `more` connections and two attempts come. m may be
 * NULL for an empty multi. */
void mote_multi_ceiling(const struct mote_multi *m, uint32_t more, struct mote_ceiling *c);

/* Lets the application watch the descriptors (CURLMOPT_SOCKETFUNCTION) from now on, or no longer. Its
 * callback always gets a handle: that of the transfer which the descriptor belongs to, or any in the multi.
 * There is one, as nothing is watched but for a transfer (net/waitset.h). */
void mote_multi_watch(struct mote_multi *m, bool by_app);

/* mote_pool_retire(), guarded against re-entry by CURLOPT_CLOSESOCKETFUNCTION. */
void mote_multi_retire_connections(struct mote_multi *m);

#endif
