/* transfer/multi/notify.h: the notifications of a multi (CURLMOPT_NOTIFYFUNCTION(3)), for an application that
 * does not want to ask for messages after each call.
 *
 * A transfer that ends is noted (mote_notify_note_end()). The callback is called at the end of the run, when
 * no list is walked and no transfer is in a step. A message that is read before that keeps its notification.
 *
 * Without part notifications the options are unknown, and nothing is noted.
 *
 * Errors:  CURLM_UNKNOWN_OPTION.
 * Tests:   tests/unit/api/test_multi_notify.c, tests/unit/api/test_absent.c */
#ifndef MOTE_TRANSFER_MULTI_NOTIFY_H
#define MOTE_TRANSFER_MULTI_NOTIFY_H

#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

#if MOTE_HAS_NOTIFICATIONS
CURLMcode mote_notify_set_function(struct mote_multi *m, curl_notify_callback fn);
CURLMcode mote_notify_set_data(struct mote_multi *m, void *data);
/* Switches the notifications of one kind, CURLMNOTIFY_*. CURLM_UNKNOWN_OPTION: there is no such kind. */
CURLMcode mote_notify_switch(struct mote_multi *m, unsigned what, bool on);
/* The transfer has joined the done list. first: as the only one there. */
void mote_notify_note_end(struct mote_multi *m, struct mote_transfer *t, bool first);
/* mote_notify_read() of a transfer that is still to be notified of. */
void mote_notify_put_first(struct mote_multi *m, struct mote_transfer *t);
/* mote_notify_run() of a multi that has the callback. */
void mote_notify_deliver(struct mote_multi *m);

/* The message of a transfer that is now in the list MOTE_LIST_READ was read. It is still notified of. */
static inline void mote_notify_read(struct mote_multi *m, struct mote_transfer *t)
{
  if(t->notify_due)
    mote_notify_put_first(m, t);
}

/* Calls the callback for what has happened. It may add and remove handles, so no transfer may be in a
 * step. */
static inline void mote_notify_run(struct mote_multi *m)
{
  if(m->notify_fn)
    mote_notify_deliver(m);
}
#else
#define mote_notify_set_function(m, fn) ((void)(m), (void)(fn), CURLM_UNKNOWN_OPTION)
#define mote_notify_set_data(m, data) ((void)(m), (void)(data), CURLM_UNKNOWN_OPTION)
#define mote_notify_note_end(m, t, first) ((void)(m), (void)(t), (void)(first))
#define mote_notify_read(m, t) ((void)(m), (void)(t))
#define mote_notify_run(m) ((void)(m))
#endif

#endif
