/* net/names.h: host names to addresses: the cache, and lookups that never block.
 *
 * A lookup runs in a thread of its own (net/lookup.h) and is abandoned, never waited for. Equal lookups under
 * way are joined. At most max_lookups threads run for one cache; further lookups wait for a free one. A
 * lookup that everybody has left goes on alone, still counts, and its answer is kept when it comes. Answers
 * are shared by reference: a transfer keeps the one it got although the cache forgets it.
 *
 * Invariants: running is the number of threads under way; a lookup without waiters is running.
 * Ownership:  struct mote_answer is counted; every mote_names_* that gives one out gives a reference.
 * Failure:    CURLE_COULDNT_RESOLVE_HOST with a text, CURLE_OUT_OF_MEMORY.
 * Threads:    a cache belongs to one multi or share (locked by the caller).
 * Tests:      tests/unit/net/test_names.c, test_names_preset.c, tests/e2e/test_names.py */
#ifndef MOTE_NET_NAMES_H
#define MOTE_NET_NAMES_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/time.h"
#include "parts.h"
#include "port/addr.h"

struct mote_account;
struct mote_ceiling;
struct mote_report;
struct mote_waitset;

#define MOTE_LOOKUPS_DEFAULT 20 /* CURLMOPT_RESOLVE_THREADS_MAX */

struct mote_name_query {
  const char *name;         /* any case; without brackets; NOT a literal address; lives until the answer */
  size_t name_len;
  uint16_t port;
  uint8_t family;           /* 0 any, 4, 6 */
  int64_t max_age_us;       /* CURLOPT_DNS_CACHE_TIMEOUT; -1: for ever; 0: do not use the cache */
  bool shuffle;             /* CURLOPT_DNS_SHUFFLE_ADDRESSES */
  mote_time now;
};

/* Addresses of one name and port. */
struct mote_answer {
  struct mote_hash_node node;  /* in the cache, by name and port */
  struct mote_list link;       /* in the cache, oldest first */
  struct mote_account *account;
  uint32_t refs;               /* the cache counts as one */
  uint16_t count;              /* addresses; 0: the name has none (kept for half the timeout) */
  uint16_t port;
  uint8_t family;              /* 0 any, 4, 6: what was asked */
  bool cached;                 /* is in a cache */
  bool preset;                 /* from CURLOPT_RESOLVE; there is one for each family */
  bool permanent;              /* likewise, without '+': never too old */
  uint16_t name_len;
  mote_time born;
  /* count addresses, then name_len bytes of lower-case name */
  struct mote_addr addrs[];
};

struct mote_names {
  struct mote_hash by_name;
  struct mote_list order;      /* all cached answers, oldest first */
  struct mote_list lookups;    /* under way or queued, oldest first (struct mote_lookup.link) */
  struct mote_account *account;
  uint32_t count;              /* cached answers */
  uint16_t max_lookups;        /* threads at once; 0: MOTE_LOOKUPS_DEFAULT. May be changed at any time. */
  uint16_t running;            /* threads under way, those included that everybody has left */
};

void mote_answer_unref(struct mote_answer *a);

/* Who waits for a lookup; a field of the waiter (the transfer's run). */
struct mote_name_wait {
  struct mote_list link;             /* in the lookup's waiters */
  /* Must not call back into mote_names_*. a: a reference for the waiter, or NULL with rc. a->count 0: the
   * name does not exist (rc is CURLE_OK or CURLE_COULDNT_RESOLVE_HOST then). */
  void (*done)(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc);
};

/* A thread looks names up, and its end wakes the set. Without part threads the port is asked by
 * mote_names_collect(): by the transfer that waits, too, whenever it is stepped. */
static inline bool mote_names_in_threads(void)
{
  return MOTE_HAS_THREADS;
}

void mote_names_init(struct mote_names *n, struct mote_account *account);
/* Abandons lookups, forgets answers. Waiters must have left. */
void mote_names_close(struct mote_names *n);

/* The cached answer, borrowed until the next call on the cache; NULL: none, or too old. Others that are too
 * old for this query are forgotten. An answer without addresses is one, too: the name does not exist, or a
 * CURLOPT_RESOLVE line has none of that family. */
struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q);

/* A cache shared between threads gives and takes copies only: answers are counted without atomics.
 * NULL, CURLE_OUT_OF_MEMORY. What a CURLOPT_RESOLVE line has put there is not replaced. */
struct mote_answer *mote_answer_copy(struct mote_account *account, struct mote_answer *a);
CURLcode mote_names_keep(struct mote_names *n, struct mote_answer *a, mote_time now);

/* The answer at once from the cache (CURLE_OK, *out), or CURLE_AGAIN: a lookup is under way or queued and
 * w->done will be called by mote_names_collect(); set's wake-up tells when. "localhost" names are answered
 * without a lookup (127.0.0.1 and ::1; RFC 6761 section 6.3), ".onion" names are refused (RFC 7686 section
 * 2); CURLOPT_RESOLVE lines go before both. CURLE_COULDNT_RESOLVE_HOST, CURLE_OUT_OF_MEMORY. */
CURLcode mote_names_ask(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                        struct mote_name_wait *w, struct mote_answer **out);
/* Leave; the lookup goes on without. Harmless when not waiting. */
void mote_names_leave(struct mote_names *n, struct mote_name_wait *w);
/* Finished lookups: put into the cache, waiters called, queued lookups started. Cheap when there is none. */
void mote_names_collect(struct mote_names *n, mote_time now);
/* There are lookups, under way or queued: mote_names_collect() is to be called. */
bool mote_names_busy(const struct mote_names *n);

/* What one lookup takes at most of the cache's account and of the process's, its answer included. */
void mote_names_ceiling(size_t name_len, struct mote_ceiling *cache, struct mote_ceiling *process);
/* What a line of CURLOPT_RESOLVE takes at most. */
void mote_names_preset_ceiling(const char *line, struct mote_ceiling *cache);

/* One line of CURLOPT_RESOLVE (net/preset.h).
 * CURLE_SETOPT_OPTION_SYNTAX when it is none; CURLE_OUT_OF_MEMORY: nothing is known of that host and port. */
CURLcode mote_names_preset(struct mote_names *n, const char *line, mote_time now, struct mote_report *report);
/* Drop what is older than max_age_us (not the permanent ones); all of them with max_age_us < 0. */
void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us);

/* CURLMOPT_RESOLVE_THREADS_MAX */
static inline void mote_names_set_most(struct mote_names *n, uint16_t lookups)
{
  n->max_lookups = lookups;
}

#endif
