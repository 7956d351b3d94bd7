/* net/waitset.h: which descriptors a multi waits for, and for what.
 *
 * A watch is a field of what owns the descriptor. The set has one of three modes. A small set uses plain poll
 * over the watches. The first wait with more than MOTE_WAIT_SMALL watches makes a kernel set (epoll), which
 * changes only when interest changes. Or the application watches the descriptors itself
 * (CURLMOPT_SOCKETFUNCTION). Readiness calls the watch's `ready` at once.
 *
 * An application is asked to watch what a transfer waits for, and nothing else: event loops drop their
 * watches and timers when no transfer runs, and what the library believed to be watched would never be seen
 * again. So a connection is unwatched when its last transfer leaves it; it is looked at when it is used next,
 * and a goodbye goes on by a timer (net/pool.c). That a descriptor is no longer watched is reported at the
 * end of the run (mote_waitset_settle()), if it is not watched again by then: some applications take that for
 * the end of the socket, with which a redirect may go on. Where the library waits itself, idle connections
 * stay watched.
 *
 * Invariants: a watch with fd != CURL_SOCKET_BAD is in the set; `known` is what the kernel set or the
 *             application watches for it.
 * Ownership:  watches are their owners'. The set owns its hash array, its wake-up and its kernel descriptors.
 * Failure:    adding to a kernel set may fail: CURLE_OUT_OF_MEMORY. poll mode cannot fail.
 * Threads:    mote_waitset_wake() only, from any thread.
 * Tests:      tests/unit/net/test_waitset.c, test_waitset_app.c */
#ifndef MOTE_NET_WAITSET_H
#define MOTE_NET_WAITSET_H

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/containers/hash.h"
#include "parts.h"

#define MOTE_WAIT_SMALL 8 /* watches polled without a kernel set */

struct mote_account;
struct mote_ceiling;
struct mote_drive;
struct mote_wakeup;
struct mote_watch;
struct mote_waitset;

struct mote_watch {
  struct mote_hash_node node;  /* in the set, by descriptor */
  curl_socket_t fd;            /* CURL_SOCKET_BAD: not in a set */
  uint8_t want;                /* MOTE_WANT_* now */
  uint8_t known;               /* MOTE_WANT_* that kernel set or application have; 0: none */
  uint8_t error;               /* the last event was an error or hang-up */
  bool parted;                 /* its transfer has left, of which the application has not heard */
  void (*ready)(struct mote_watch *w, unsigned events); /* events: MOTE_WANT_*. May remove
                                  watches, its own too, but must not free any. */
  void *app;                   /* curl_multi_assign's pointer */
  void *user;                  /* the transfer that waits (struct mote_transfer *), or NULL; where `parted`,
                                  the handle for which it did (CURL *) */
};

/* Notifies the application of a change (curl_multi_socket_action); `what` is CURL_POLL_*. The callee finds
 * the easy handle of the watch. Returns false when the application's callback has returned -1. */
struct mote_waitset_app {
  bool (*notify)(struct mote_waitset *set, struct mote_watch *w, int what);
};

struct mote_waitset {
  struct mote_hash by_fd;             /* of struct mote_watch.node */
  const struct mote_waitset_app *app; /* not NULL: the application watches */
  struct mote_drive *turns;           /* the last in the ring of drivers that ask for a turn (net/driver.h),
                                         or NULL */
  struct mote_wakeup *wakeup;         /* a block of the hash's account, or NULL until needed */
  curl_socket_t kernel;               /* kernel set's descriptor, or CURL_SOCKET_BAD */
  uint32_t owner_pid;                 /* process that made the kernel set and the wake-up: the low 32 bits of
                                         mote_port_pid() */
  curl_socket_t parting;              /* the last one that is known and no longer wanted, of which the
                                         application has not heard; or CURL_SOCKET_BAD */
  atomic_bool woken;                  /* a wake-up that no wait has consumed yet */
  atomic_bool wake_open;              /* wakeup may be used by other threads */
  bool takes_wake : 1;                /* the wait under way consumes wake-ups */
  bool polled : 1;                    /* events were collected since the last mote_waitset_take_polled() */
  unsigned wake_wanted : 2;           /* bits by enum mote_wake_for */
};

void mote_waitset_init(struct mote_waitset *set, struct mote_account *account);
/* What a set takes at most when `more` watches are added; NULL: an empty set. Not counted are the 16 bytes
 * for each descriptor that a wait takes while it lasts when it has more than 64 of them, the application's
 * own included. */
void mote_waitset_ceiling(const struct mote_waitset *set, uint32_t more, struct mote_ceiling *c);
void mote_waitset_close(struct mote_waitset *set);

/* mote_watch_want() for what is not known yet. */
CURLcode mote_watch_change(struct mote_waitset *set, struct mote_watch *w, unsigned want);

/* Adds a descriptor to the set, or changes what is wanted of it. Wanting what is already known costs
 * nothing. */
void mote_watch_init(struct mote_watch *w, void (*ready)(struct mote_watch *w, unsigned events));
void mote_watch_add(struct mote_waitset *set, struct mote_watch *w, curl_socket_t fd);
/* Not static, so that a build for size (-Os) has one copy. */
inline CURLcode mote_watch_want(struct mote_waitset *set, struct mote_watch *w, unsigned want)
{
  w->want = (uint8_t)want;
  return want == w->known || w->fd == CURL_SOCKET_BAD ? CURLE_OK : mote_watch_change(set, w, want);
}
/* Call it before the descriptor is closed. Notifies an application that watches it with CURL_POLL_REMOVE. */
void mote_watch_remove(struct mote_waitset *set, struct mote_watch *w);
/* Makes another watch, which is in no set, the descriptor's. Nothing of what is waited for changes. */
void mote_watch_move(struct mote_waitset *set, struct mote_watch *from, struct mote_watch *to);

/* mote_watch_want() of nothing, when the last transfer leaves a watch that an application has. The callback
 * names the handle for which it waited, which must be in the multi until mote_waitset_settle(). A transfer of
 * the library's own has the handle that it serves, whose next request may have the descriptor again. */
void mote_watch_part(struct mote_waitset *set, struct mote_watch *w, CURL *handle);
/* Notifies an application that watches of what is no longer wanted. To be called at the end of each call that
 * may change what is wanted, and before a handle leaves. */
void mote_waitset_end_parting(struct mote_waitset *set); /* the part for when there is such a descriptor */
static inline void mote_waitset_settle(struct mote_waitset *set)
{
  if(set->parting != CURL_SOCKET_BAD)
    mote_waitset_end_parting(set);
}
/* True for the set's own watch, which is for wake-ups. */
bool mote_watch_is_wake(const struct mote_watch *w);
struct mote_watch *mote_watch_find(const struct mote_waitset *set, curl_socket_t fd);

struct mote_wait {
  struct curl_waitfd *extra; /* the application's own descriptors, whose revents are set */
  unsigned extra_count;
  int timeout_ms;            /* 0: it does not wait. The wait may make it shorter */
  bool with_wake;            /* a mote_waitset_wake() ends the wait, which consumes it and does not count it.
                                A wait without leaves a wake-up for the next one that has it */
  int events;                /* set: how many descriptors have events, extra ones included */
};

/* Collects events and calls `ready` for each. */
CURLMcode mote_waitset_wait(struct mote_waitset *set, struct mote_wait *wait);

/* From now on the application watches the descriptors, or (NULL) no longer does. The next mote_watch_want()
 * for a descriptor notifies it. */
void mote_waitset_watched_by(struct mote_waitset *set, const struct mote_waitset_app *app);

/* Ends a wait that runs or the next one; from any thread. CURLM_WAKEUP_FAILURE when that is impossible. */
CURLMcode mote_waitset_wake(struct mote_waitset *set);
/* Makes the wake-up descriptor, so that a wait for descriptors sees mote_waitset_wake() of other threads. It
 * is an ordinary watch; where the application watches, the caller also calls mote_waitset_want_wake().
 * Errors: CURLM_OUT_OF_MEMORY; CURLM_WAKEUP_FAILURE when no descriptor is available. */
CURLMcode mote_waitset_open_wake(struct mote_waitset *set);
/* mote_watch_want() for the wake-up; does nothing when it is not open. */
CURLcode mote_waitset_watch_wake(struct mote_waitset *set, bool on);

/* What the wake-up is watched for. */
enum mote_wake_for {
  MOTE_WAKE_FOR_NAMES, /* lookups under way */
  MOTE_WAKE_FOR_SLOTS  /* transfers that wait for a connection of a shared pool */
};

#if MOTE_HAS_SHARE
static inline bool mote_waitset_wake_wanted(struct mote_waitset *set, enum mote_wake_for reason, bool on)
{
  unsigned bit = 1u << reason;
  set->wake_wanted = (on ? set->wake_wanted | bit : set->wake_wanted & ~bit) & 3u;
  return set->wake_wanted != 0;
}
#else
#define mote_waitset_wake_wanted(set, reason, on) ((void)(set), (void)(reason), (on))
#endif

/* Watches the wake-up while there is any reason to. */
static inline CURLcode mote_waitset_want_wake(struct mote_waitset *set, enum mote_wake_for reason, bool on)
{
  return mote_waitset_watch_wake(set, mote_waitset_wake_wanted(set, reason, on));
}

/* Calls f for each watch with want != 0. */
void mote_waitset_each(const struct mote_waitset *set, void (*f)(struct mote_watch *w, void *arg), void *arg);

/* True when the application watches the descriptors. */
static inline bool mote_waitset_by_app(const struct mote_waitset *set)
{
  return set->app != NULL;
}

/* True when idle connections are watched, so that one that the server ends is closed promptly. */
static inline bool mote_waitset_watches_idle(void)
{
  return true;
}

#endif
