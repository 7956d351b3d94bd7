/* transfer/multi/multi.h: many transfers in one thread, and what they share. Transfers use
 * transfer/multi/schedule.h and the fields that they need; how they are driven is in engine/multi.h.
 *
 * Invariants: buffer != NULL only while a transfer is active; running counts transfers that are not done.
 * Ownership:  api/multi/multi.c embeds struct mote_multi. Transfers belong to their handles.
 * Tests:      tests/e2e/test_multi.py */
#ifndef MOTE_TRANSFER_MULTI_MULTI_H
#define MOTE_TRANSFER_MULTI_MULTI_H

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "net/mux/window.h"
#include "net/names/names.h"
#include "net/pool.h"
#include "net/timers.h"
#include "net/waitset.h"
#include "tls/session.h"
#include "transfer/multi/schedule.h"

struct mote_ceiling;
struct mote_h2_common;
struct mote_push;
struct mote_notify;
struct mote_transfer;

#define MOTE_MULTI_STREAMS 100u /* the default of CURLMOPT_MAX_CONCURRENT_STREAMS(3) */

/* The application's callback that is running. */
enum mote_callback_kind {
  MOTE_CALLBACK_NONE,
  MOTE_CALLBACK_TRANSFER, /* a transfer's or share's callback, or sockets are being closed */
  MOTE_CALLBACK_WATCH,    /* CURLMOPT_SOCKETFUNCTION, CURLMOPT_TIMERFUNCTION */
  MOTE_CALLBACK_NOTIFY    /* CURLMOPT_NOTIFYFUNCTION, which may do all but drive the multi
                             and clean it up */
};

struct mote_multi {
  uint32_t magic;                          /* of the CURLM that this is (api/multi/multi_handle.h) */
  uint32_t last_prune;                     /* second of the last check of unwatched idle connections */
  struct mote_list lists[MOTE_LIST_LAST];
  struct mote_timers timers;               /* of transfers and connections */
  struct mote_waitset set;
  struct mote_pool pool;                   /* used unless the transfer's share has a pool */
  struct mote_names names;                 /* likewise */
  struct mote_session_cache sessions;      /* TLS sessions */
#if MOTE_HAS_H2
  struct mote_h2_common *h2;               /* of its HTTP/2 sessions (protocol/http2/h2_common.c), or
                                              NULL; begins with struct mote_loan */
  struct mote_push *push;                  /* of pushed responses (transfer/multi/push.h), or NULL */
#endif
#if MOTE_HAS_H3
  struct mote_mux_windows h3_windows;      /* of its HTTP/3 streams (protocol/http3/h3_driver.c) */
#endif

  char *buffer;                            /* receive and send buffer, one step at a time */
  uint32_t buffer_size;                    /* bytes; 0 without a buffer */
  uint32_t total;                          /* transfers in all lists */
  uint32_t running;                        /* transfers that are not done */
  uint32_t active;                         /* transfers past pending, for which the buffer is kept */
  uint32_t unread;                         /* transfers in the done list */
  uint32_t added;                          /* transfers ever added */

  uint32_t max_connects;                   /* CURLMOPT_MAXCONNECTS; 0: the default of four per transfer */
  uint32_t max_host;                       /* CURLMOPT_MAX_HOST_CONNECTIONS; 0: no limit */
  uint32_t max_total;                      /* CURLMOPT_MAX_TOTAL_CONNECTIONS; 0: no limit */
  uint32_t hurry;                          /* transfers that become the first of the ready ones when their
                                              deadline passes; 0: they are appended */

  curl_socket_callback socket_fn;
  void *socket_data;
  curl_multi_timer_callback timer_fn;
  void *timer_data;
#if MOTE_HAS_NOTIFICATIONS
  struct mote_notify *notify;              /* of notifications (transfer/multi/notify.h), or NULL */
#endif
  mote_time announced;                     /* deadline last reported to timer_fn; 0: none */
  uint8_t in_callback;                     /* enum mote_callback_kind; re-entry is refused */
  bool prune_due : 1;                      /* an idle connection has something to read */
  bool dead : 1;                           /* socket_fn or timer_fn has returned -1; until a
                                              handle is added after all have been removed */
  bool easy_own : 1;                       /* this is the private multi of an easy handle */
  bool one_by_one : 1;                     /* CURLMOPT_PIPELINING forbids to share a busy connection */
  uint16_t max_streams;                    /* CURLMOPT_MAX_CONCURRENT_STREAMS; 0: the default */
#if MOTE_HAS_SHARE
  bool mixed;                              /* queued transfers wait for different pools, or did */
  atomic_bool slot_freed;                  /* by others (transfer/multi/share.h): what waits must retry */
#endif
  struct mote_account account;             /* connections, names, buffers */
};

/* Returns what callbacks get. */
static inline CURLM *mote_multi_public(struct mote_multi *m)
{
  return (CURLM *)m;
}

/* Returns how many streams a connection of many transfers has at most. */
static inline unsigned mote_multi_streams(const struct mote_multi *m)
{
  return m->max_streams ? m->max_streams : MOTE_MULTI_STREAMS;
}

/* Returns what the multi may use as its buffer, or NULL. */
#if MOTE_HAS_H2
static inline struct mote_loan *mote_multi_loan(const struct mote_multi *m)
{
  return (struct mote_loan *)m->h2;
}
#else
#define mote_multi_loan(m) ((void)(m), (struct mote_loan *)NULL)
#endif

#if MOTE_HAS_SHARE
/* Reports whether a free slot may suit another queued transfer than the first one. */
static inline bool mote_multi_mixed(const struct mote_multi *m)
{
  return m->mixed;
}

/* Lets queued transfers retry when another multi has left a connection of a shared pool. */
static inline void mote_multi_look_for_slots(struct mote_multi *m)
{
  if(!atomic_load_explicit(&m->slot_freed, memory_order_relaxed) || !atomic_exchange(&m->slot_freed, false))
    return;
  mote_schedule_wake_shared_hosts(m);
  mote_schedule_wake_queued(m);
}
#else
#define mote_multi_mixed(m) ((void)(m), false)
#define mote_multi_look_for_slots(m) ((void)(m))
#endif

/* Reports whether a transfer is ready, or a driver has asked for a turn. */
static inline bool mote_multi_has_work(const struct mote_multi *m)
{
  return !mote_list_empty(&m->lists[MOTE_LIST_READY]) || m->set.turns;
}

/* Returns the nearest deadline. 1, which is long past: there is work now. 0: there is none. */
static inline mote_time mote_multi_deadline(const struct mote_multi *m)
{
  return mote_multi_has_work(m) ? 1 : mote_timers_next(&m->timers);
}

/* Reports whether timer_fn is due, which it rarely is after an event. */
static inline bool mote_multi_has_new_deadline(const struct mote_multi *m)
{
  return m->timer_fn && mote_multi_deadline(m) != m->announced;
}

/* Reports whether the multi is private to one easy handle. */
static inline bool mote_multi_is_private(const struct mote_multi *m)
{
  return m->easy_own;
}

/* Reports whether a callback is running, in which the multi must not be driven or closed. */
static inline bool mote_multi_in_callback(const struct mote_multi *m)
{
  return m->in_callback != MOTE_CALLBACK_NONE;
}

/* Reports whether a callback is running in which handles must not be added or removed, nor options set.
 * CURLMOPT_NOTIFYFUNCTION is not among them. */
static inline bool mote_multi_in_strict_callback(const struct mote_multi *m)
{
  return m->in_callback != MOTE_CALLBACK_NONE && m->in_callback != MOTE_CALLBACK_NOTIFY;
}

/* Reports whether CURLMOPT_SOCKETFUNCTION or CURLMOPT_TIMERFUNCTION is running. */
static inline bool mote_multi_in_watch(const struct mote_multi *m)
{
  return m->in_callback == MOTE_CALLBACK_WATCH;
}

/* Returns the multi's TLS sessions. */
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
