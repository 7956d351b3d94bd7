/* transfer/multi/notify.h: the notifications of a multi (CURLMOPT_NOTIFYFUNCTION(3)), for an application that
 * does not want to ask for messages after each call.
 *
 * A transfer that ends is noted (mote_notify_note_end()). The callback is called at the end of the run, when
 * no list is walked and no transfer is in a step. A message that is read before that keeps its notification.
 *
 * Without part notifications the options are unknown, and nothing is noted.
 *
 * Ownership: the multi owns struct mote_notify, made when an option is set, until mote_notify_close().
 * Errors:    CURLM_UNKNOWN_OPTION, CURLM_OUT_OF_MEMORY.
 * Tests:     tests/unit/api/test_multi_notify.c, tests/unit/api/test_absent.c */
#ifndef MOTE_TRANSFER_MULTI_NOTIFY_H
#define MOTE_TRANSFER_MULTI_NOTIFY_H

#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

#if MOTE_HAS_NOTIFICATIONS
struct mote_notify {
  curl_notify_callback fn; /* CURLMOPT_NOTIFYFUNCTION, or NULL */
  void *data;
  uint8_t kinds;           /* bits of enabled CURLMNOTIFY_* */
  bool read_due;           /* the done list has become non-empty */
  bool gaps;               /* notifications were switched: those that are due may be anywhere in the done
                              list, else they are the last ones */
};

CURLMcode mote_notify_set_function(struct mote_multi *m, curl_notify_callback fn);
CURLMcode mote_notify_set_data(struct mote_multi *m, void *data);
/* Switches the notifications of one kind, CURLMNOTIFY_*. CURLM_UNKNOWN_OPTION: there is no such kind. */
CURLMcode mote_notify_switch(struct mote_multi *m, unsigned what, bool on);
void mote_notify_close(struct mote_multi *m);
/* mote_notify_note_end() of a multi that has any of the options. */
void mote_notify_note(struct mote_notify *n, struct mote_transfer *t, bool first);
/* mote_notify_read() of a transfer that is still to be notified of. */
void mote_notify_put_first(struct mote_multi *m, struct mote_transfer *t);
/* mote_notify_run() of a multi that has the callback. */
void mote_notify_deliver(struct mote_multi *m);

/* The transfer has joined the done list. first: as the only one there. */
static inline void mote_notify_note_end(struct mote_multi *m, struct mote_transfer *t, bool first)
{
  t->notify_due = false;
  if(m->notify)
    mote_notify_note(m->notify, t, first);
}

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
  if(m->notify && m->notify->fn)
    mote_notify_deliver(m);
}
#else
#define mote_notify_set_function(m, fn) ((void)(m), (void)(fn), CURLM_UNKNOWN_OPTION)
#define mote_notify_set_data(m, data) ((void)(m), (void)(data), CURLM_UNKNOWN_OPTION)
#define mote_notify_close(m) ((void)(m))
#define mote_notify_note_end(m, t, first) ((void)(m), (void)(t), (void)(first))
#define mote_notify_read(m, t) ((void)(m), (void)(t))
#define mote_notify_run(m) ((void)(m))
#endif

#endif
