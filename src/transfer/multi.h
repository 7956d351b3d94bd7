/* transfer/multi.h: many transfers, one thread: what they share, and how they are driven.
 *
 * The three ways of driving it (perform with poll or wait, select, socket_action) are the same core:
 * readiness in, then mote_multi_run(). Transfers use transfer/schedule.h, and the fields that they need.
 *
 * Invariants: buffer != NULL only while a transfer is active; running counts transfers that are not done.
 * Ownership:  api/multi.c embeds struct mote_multi. Transfers are their handles'.
 * Tests:      tests/e2e/test_multi.py */
#ifndef MOTE_TRANSFER_MULTI_H
#define MOTE_TRANSFER_MULTI_H

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/list.h"
#include "base/memory.h"
#include "net/names.h"
#include "net/pool.h"
#include "net/waitset.h"
#include "tls/session.h"
#include "transfer/schedule.h"

struct mote_ceiling;
struct mote_transfer;

#if !MOTE_HAS_SMALL

/* Which callback of the application is running. */
enum mote_callback_kind {
  MOTE_CALLBACK_NONE,
  MOTE_CALLBACK_TRANSFER, /* of a transfer, a share's locks, or of sockets that are closed */
  MOTE_CALLBACK_WATCH,    /* CURLMOPT_SOCKETFUNCTION, CURLMOPT_TIMERFUNCTION */
  MOTE_CALLBACK_NOTIFY    /* CURLMOPT_NOTIFYFUNCTION: it may add and remove handles */
};

struct mote_multi {
  CURLM *handle;                           /* what callbacks get */
  struct mote_list lists[MOTE_LIST_LAST];
  struct mote_heap timers;                 /* struct mote_run.timer */
  struct mote_waitset set;
  struct mote_pool pool;                   /* used unless the transfer's share has one */
  struct mote_names names;                 /* likewise */
  struct mote_session_cache sessions;      /* TLS sessions */

  char *buffer;                            /* receive and send buffer, one step at a time */
  uint32_t buffer_size;
  uint32_t total;                          /* transfers in all lists */
  uint32_t running;                        /* not done */
  uint32_t active;                         /* past pending: hold the buffer alive */
  uint32_t unread;                         /* in the done list */
  uint32_t added;                          /* transfers ever added */

  uint32_t max_connects;                   /* CURLMOPT_MAXCONNECTS; 0: the default of four per transfer */
  uint32_t max_host;                       /* CURLMOPT_MAX_HOST_CONNECTIONS; 0: no limit */
  uint32_t max_total;                      /* CURLMOPT_MAX_TOTAL_CONNECTIONS; 0: no limit */
  uint32_t last_prune;                     /* second in which unwatched idle connections were looked at */

  curl_socket_callback socket_fn;
  void *socket_data;
  curl_multi_timer_callback timer_fn;
  void *timer_data;
  curl_notify_callback notify_fn;
  void *notify_data;
  mote_time announced;                     /* deadline last given to timer_fn; 0: none */
  uint8_t notify;                          /* bits of enabled CURLMNOTIFY_* */
  uint8_t in_callback;                     /* enum mote_callback_kind: recursion is refused */
  bool prune_due;                          /* an idle connection has something to read */
  bool notify_read_due;                    /* the done list has become non-empty */
  bool dead;                               /* socket_fn or timer_fn answered -1 */
  bool easy_own;                           /* the private multi of an easy handle */
#if MOTE_HAS_SHARE
  bool mixed;                              /* queued transfers wait for different pools, or did */
  atomic_bool slot_freed;                  /* by other threads (transfer/share.h): let the queue ask again */
#endif
  struct mote_account account;             /* connections, names, buffers */
};

#if MOTE_HAS_SHARE
/* A free slot may be any queued transfer's, not the first one's alone. */
static inline bool mote_multi_mixed(const struct mote_multi *m)
{
  return m->mixed;
}

/* Let the queue ask when another multi has left a connection of a shared pool. */
static inline void mote_multi_look_for_slots(struct mote_multi *m)
{
  if(atomic_load_explicit(&m->slot_freed, memory_order_relaxed) && atomic_exchange(&m->slot_freed, false))
    mote_multi_wake_queued(m);
}
#else
#define mote_multi_mixed(m) ((void)(m), false)
#define mote_multi_look_for_slots(m) ((void)(m))
#endif

/* Private to one easy handle. */
static inline bool mote_multi_is_private(const struct mote_multi *m)
{
  return m->easy_own;
}

/* A callback of the application is running: what would drive or end the multi is refused. */
static inline bool mote_multi_in_callback(const struct mote_multi *m)
{
  return m->in_callback != MOTE_CALLBACK_NONE;
}

/* The same, and no handle may come or go. CURLMOPT_NOTIFYFUNCTION is none of these. */
static inline bool mote_multi_in_strict_callback(const struct mote_multi *m)
{
  return m->in_callback != MOTE_CALLBACK_NONE && m->in_callback != MOTE_CALLBACK_NOTIFY;
}

/* CURLMOPT_SOCKETFUNCTION or CURLMOPT_TIMERFUNCTION is running. */
static inline bool mote_multi_in_watch(const struct mote_multi *m)
{
  return m->in_callback == MOTE_CALLBACK_WATCH;
}

/* A callback of the application has ended it for good. */
static inline bool mote_multi_is_dead(const struct mote_multi *m)
{
  return m->dead;
}

void mote_multi_remove_all(struct mote_multi *m);
/* Give timer_fn the nearest deadline when that has changed. */
CURLMcode mote_multi_report_timer(struct mote_multi *m);
/* Give the buffer back when it is not needed. */
void mote_multi_tidy(struct mote_multi *m);
/* What its tables take at most when `more` connections come, and two attempts; m may be NULL: a fresh one. */
void mote_multi_ceiling(const struct mote_multi *m, uint32_t more, struct mote_ceiling *c);

extern const struct mote_waitset_app mote_multi_app; /* the application watches the descriptors */

/* Call notify_fn for what has happened. Only while no transfer is being stepped: it may add and remove
 * handles. */
void mote_multi_notify(struct mote_multi *m);

/* Close all idle connections, under the guard against CURLOPT_CLOSESOCKETFUNCTION's re-entry. */
void mote_multi_close_idle(struct mote_multi *m);

/* The message of a transfer that is over is read; notify_fn is called for it nevertheless. */
void mote_multi_read(struct mote_multi *m, struct mote_transfer *t);

#else

struct mote_multi {
  CURLM *handle;
  struct mote_transfer *only;              /* the transfer under way, or NULL */
  struct mote_waitset set;
  struct mote_pool pool;
#if MOTE_HAS_SESSIONS
  struct mote_session_cache sessions;
#endif
  char *buffer;                            /* receive and send buffer */
  uint32_t buffer_size;
  int32_t added;                           /* transfers ever added */
  bool easy_own;                           /* always */
  struct mote_account account;             /* connections, names, buffers */
};

#define mote_multi_is_private(m) ((void)(m), true)
#define mote_multi_in_callback(m) ((void)(m), false)
#define mote_multi_in_strict_callback(m) ((void)(m), false)
#define mote_multi_in_watch(m) ((void)(m), false)
#define mote_multi_is_dead(m) ((void)(m), false)
#define mote_multi_report_timer(m) ((void)(m), CURLM_OK)
#endif

/* ---- driving ---- */

void mote_multi_setup(struct mote_multi *m);
/* All transfers must have been removed. Connections are closed, lookups abandoned. */
void mote_multi_close(struct mote_multi *m);

void mote_multi_add(struct mote_multi *m, struct mote_transfer *t);
void mote_multi_remove(struct mote_multi *m, struct mote_transfer *t);

/* Step everything that is ready or due. */
void mote_multi_run(struct mote_multi *m);
/* Microseconds until something is to be done without an event: 0 now, -1 never. */
int64_t mote_multi_next(const struct mote_multi *m, mote_time now);
/* Wait for events, at most ms milliseconds; curl_multi_wakeup() does not end it. CURLM_OUT_OF_MEMORY,
 * CURLM_UNRECOVERABLE_POLL. */
CURLMcode mote_multi_wait(struct mote_multi *m, int ms);

/* Its TLS sessions. */
#if MOTE_HAS_SESSIONS
static inline void mote_multi_sessions_init(struct mote_multi *m)
{
  mote_session_cache_init(&m->sessions, &m->account);
}

static inline void mote_multi_sessions_close(struct mote_multi *m)
{
  mote_session_cache_close(&m->sessions);
}
#else
#define mote_multi_sessions_init(m) ((void)(m))
#define mote_multi_sessions_close(m) ((void)(m))
#endif

#endif
