/* net/names/names.h: resolves host names to addresses, from a cache or by lookups that never block.
 *
 * A lookup runs in a thread of its own, or in another way (net/names/lookup.h), and can be abandoned; its
 * end is never waited for. Transfers with equal queries join one lookup. At most max_lookups threads run
 * for one cache; further lookups in threads wait for a free one. One that all of its waiters have left goes
 * on alone and still counts, and the cache keeps its answer, unless all of them were shared queries; in
 * another way than a thread it ends then.
 * Answers are shared by reference, so that a transfer keeps its own when the cache drops it.
 *
 * The last lookup in a way that can do so (net/names/lookup.h) is kept for the next one, a minute at most:
 * the first mote_names_collect() after that frees it.
 *
 * Invariants: running is the number of threads under way; a lookup without waiters is one of them, or kept.
 * Ownership:  struct mote_answer is counted; every mote_names_* that returns one returns a reference.
 * Failure:    CURLE_COULDNT_RESOLVE_HOST with a text, CURLE_OUT_OF_MEMORY.
 * Threads:    a cache belongs to one multi or share (locked by the caller).
 * Tests:      tests/unit/net/test_names.c, test_names_preset.c, tests/e2e/test_names.py */
#ifndef MOTE_NET_NAMES_NAMES_H
#define MOTE_NET_NAMES_NAMES_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/containers/hash.h"
#include "base/containers/list.h"
#include "base/time.h"
#include "parts.h"
#include "port/addr.h"

struct mote_account;
struct mote_ceiling;
struct mote_dns_service;
struct mote_lookup;
struct mote_lookup_way;
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
  bool shared;              /* a share's cache answers and keeps it, and the multi's does neither */
  mote_time now;
  const struct mote_lookup_way *way; /* how to look the name up; NULL: the system's way */
  void *asker;              /* for a way that needs it, the transfer; lives while it waits */
#if MOTE_HAS_H3
  bool service;             /* HTTPS records are wanted besides, where the way has them */
#endif
};

/* Addresses of one name and port. */
struct mote_answer {
  struct mote_hash_node node;  /* in the cache, by name and port */
  struct mote_list link;       /* in the cache, oldest first */
  struct mote_account *account;
  uint32_t refs;               /* the cache counts as one */
  uint16_t count;              /* addresses; 0: the name has none (kept for half the timeout) */
  uint16_t port;
  uint8_t family;              /* of the query: 0 any, 4, 6 */
  bool passing;                /* is not to be kept: its TTL is over */
  bool preset;                 /* from CURLOPT_RESOLVE; there is one for each family */
  bool permanent;              /* likewise, without '+': never too old */
  uint16_t name_len;
  uint16_t ttl;                /* seconds that it may be kept whatever the timeout is; 0: unknown */
  mote_time born;
#if MOTE_HAS_H3
  struct mote_dns_service *service; /* which speaks HTTP/3, a block of the account; NULL: none is known */
  uint32_t service_size;            /* bytes of that block */
#endif
  /* count addresses, then name_len bytes of lower-case name */
  struct mote_addr addrs[];
};

struct mote_names {
  struct mote_hash by_name;
  struct mote_list order;      /* all cached answers, oldest first */
  struct mote_list lookups;    /* first the kept one, then those under way, then the queued ones, the oldest
                                  of them first */
  struct mote_account *account;
  uint32_t count;              /* cached answers */
  uint16_t max_lookups;        /* threads at once; 0: MOTE_LOOKUPS_DEFAULT. May be changed at any time. */
  uint16_t running;            /* threads under way, also those without a waiter */
};

void mote_answer_unref(struct mote_answer *a);

/* ---- service.c: what HTTPS records say besides (RFC 9460), with part h3 ---- */

#if MOTE_HAS_H3
/* Stores a copy of what another answer or a job has, whose bytes only the way of the lookup and the dial know
 * (codec/dns.h). Without memory the answer has none. */
void mote_answer_set_service(struct mote_answer *a, const struct mote_dns_service *s, uint32_t size);
void mote_answer_drop_service(struct mote_answer *a);
#define mote_answer_take_service(a, from) mote_answer_set_service(a, (from)->service, (from)->service_size)
#else
#define mote_answer_take_service(a, from) ((void)(a), (void)(from))
#define mote_answer_drop_service(a) ((void)(a))
#endif

/* A waiter for a lookup; a field of the transfer's run. */
struct mote_name_wait {
  struct mote_list link;             /* in the lookup's waiters */
  struct mote_lookup *lookup;        /* while it is linked */
  void *asker;                       /* of its query (struct mote_name_query) */
  /* Must not call mote_names_*. a is a reference for the waiter, or NULL with rc. A name that does not exist
   * has an answer with a->count 0, which may be kept, and rc CURLE_OK or CURLE_COULDNT_RESOLVE_HOST. */
  void (*done)(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc);
};

/* True when a thread looks names up and its end wakes the set. Without part threads mote_names_collect() asks
 * the port; the waiting transfer calls it too, in each of its steps. */
static inline bool mote_names_in_threads(void)
{
  return MOTE_HAS_THREADS;
}

void mote_names_init(struct mote_names *n, struct mote_account *account);
/* Abandons lookups and drops all answers. Waiters must have left. */
void mote_names_close(struct mote_names *n);

/* The cached answer, borrowed until the next call on the cache; NULL when there is none or it is too old.
 * Drops others that are too old for this query. An answer may have no addresses: the name does not exist, or
 * a line of CURLOPT_RESOLVE has none of that family. */
struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q);

/* A cache that threads share gives and takes copies only, since answers are counted without atomics.
 * mote_names_keep() does not replace what a line of CURLOPT_RESOLVE has put there, nor keep a passing answer.
 * Errors: NULL, CURLE_OUT_OF_MEMORY. */
struct mote_answer *mote_answer_copy(struct mote_account *account, struct mote_answer *a);
CURLcode mote_names_keep(struct mote_names *n, struct mote_answer *a, mote_time now);

/* Answers at once from the cache (CURLE_OK, *out), or returns CURLE_AGAIN while a lookup is under way or
 * queued. Its end wakes `set`, and mote_names_collect() calls w->done. "localhost" names need no lookup
 * (127.0.0.1 and ::1; RFC 6761 section 6.3), ".onion" names are refused (RFC 7686 section 2); lines of
 * CURLOPT_RESOLVE go before both.
 * Errors: CURLE_COULDNT_RESOLVE_HOST, CURLE_OUT_OF_MEMORY. */
CURLcode mote_names_ask(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                        struct mote_name_wait *w, struct mote_answer **out);
/* The waiter leaves, and the lookup goes on without it. Does nothing for one that does not wait. */
void mote_names_leave(struct mote_names *n, struct mote_name_wait *w);
/* Another transfer has the waiter from here on. */
void mote_names_hand_over(struct mote_name_wait *w, void *asker);
/* Puts the answers of finished lookups into the cache, calls their waiters and starts queued lookups. It
 * costs the same however many are queued. */
void mote_names_collect(struct mote_names *n, mote_time now);
/* True while a lookup is under way, queued or kept, so that mote_names_collect() has to be called. */
static inline bool mote_names_busy(const struct mote_names *n)
{
  return !mote_list_empty(&n->lookups);
}

/* What one lookup takes at most of the cache's account and of the process's, its answer included. */
void mote_names_ceiling(size_t name_len, struct mote_ceiling *cache, struct mote_ceiling *process);
/* What a line of CURLOPT_RESOLVE takes at most. */
void mote_names_preset_ceiling(const char *line, struct mote_ceiling *cache);

/* Takes in one line of CURLOPT_RESOLVE (net/names/preset.h).
 * Errors: CURLE_SETOPT_OPTION_SYNTAX; CURLE_OUT_OF_MEMORY, and the cache has no answer for that host and
 *         port. */
CURLcode mote_names_preset(struct mote_names *n, const char *line, mote_time now, struct mote_report *report);
/* Drops answers older than max_age_us, all of them with max_age_us < 0. Permanent ones stay. */
void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us);

/* CURLMOPT_RESOLVE_THREADS_MAX */
static inline void mote_names_set_most(struct mote_names *n, uint16_t lookups)
{
  n->max_lookups = lookups;
}

#endif
