/* net/names.h: host names to addresses: the cache, and lookups that never block.
 *
 * A lookup runs in a thread of its own (port), touches only its own block, counted by reference, and is
 * abandoned, never waited for. Equal lookups under way are joined. Results are shared by reference:
 * a transfer keeps the answer it got although the cache forgets it.
 *
 * Ownership:  struct mote_answer is counted; every mote_names_* that gives one out gives a reference.
 * Failure:    CURLE_COULDNT_RESOLVE_HOST with a text, CURLE_OUT_OF_MEMORY.
 * Threads:    a cache belongs to one multi or share (locked by the caller).
 * Tests:      tests/unit/net/test_names.c, tests/e2e/test_names.py */
#ifndef MOTE_NET_NAMES_H
#define MOTE_NET_NAMES_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/time.h"
#include "net/address.h"

struct mote_account;
struct mote_report;
struct mote_waitset;

/* Addresses of one name and port. */
struct mote_answer {
  struct mote_hash_node node;  /* in the cache, by name, port and family */
  struct mote_list link;       /* in the cache, oldest first */
  struct mote_account *account;
  uint32_t refs;               /* the cache counts as one */
  uint16_t count;              /* addresses; 0: the name does not exist (kept for half the timeout) */
  uint16_t port;
  uint8_t family;              /* 0 any, 4, 6: what was asked */
  bool cached;                 /* is in a cache */
  bool permanent;              /* from CURLOPT_RESOLVE without '+': never too old */
  uint16_t name_len;
  mote_time born;
  /* count addresses, then name_len bytes of lower-case name */
  struct mote_addr addrs[];
};

void mote_answer_unref(struct mote_answer *a);

struct mote_names {
  struct mote_hash by_name;
  struct mote_list order;      /* all cached answers, oldest first */
  struct mote_list lookups;    /* lookups under way (struct mote_lookup.link) */
  struct mote_account *account;
  uint32_t count;
};

/* Who waits for a lookup; a field of the waiter (the transfer's run). */
struct mote_name_wait {
  struct mote_list link;             /* in the lookup's waiters */
  void (*done)(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc); /* a: a reference for the waiter */
};

struct mote_name_query {
  const char *name;         /* any case; without brackets; NOT a literal address */
  size_t name_len;
  uint16_t port;
  uint8_t family;           /* 0 any, 4, 6 */
  int64_t max_age_us;       /* CURLOPT_DNS_CACHE_TIMEOUT; -1: for ever; 0: do not use the cache */
  bool shuffle;             /* CURLOPT_DNS_SHUFFLE_ADDRESSES */
  mote_time now;
};

void mote_names_init(struct mote_names *n, struct mote_account *account);
/* Abandons lookups, forgets answers. Waiters must have left. */
void mote_names_close(struct mote_names *n);

/* The cached answer, borrowed until the next call on the cache; NULL: none, or too old. */
struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q);

/* A cache shared between threads gives and takes copies only: answers are counted without atomics.
 * NULL, CURLE_OUT_OF_MEMORY. */
struct mote_answer *mote_answer_copy(struct mote_account *account, struct mote_answer *a);
CURLcode mote_names_keep(struct mote_names *n, struct mote_answer *a, mote_time now);

/* The answer at once from the cache (CURLE_OK, *out), or CURLE_AGAIN: a lookup is under way and w->done will
 * be called by mote_names_collect(); set's wake-up tells when. "localhost" names are answered without a
 * lookup (127.0.0.1 and ::1). */
CURLcode mote_names_ask(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                        struct mote_name_wait *w, struct mote_answer **out);
/* Leave; the lookup goes on for the others, or is abandoned. Harmless when not waiting. */
void mote_names_leave(struct mote_names *n, struct mote_name_wait *w);
/* Finished lookups: put into the cache, waiters called. Cheap when there is none. */
void mote_names_collect(struct mote_names *n, mote_time now);
/* Lookups under way. */
bool mote_names_busy(const struct mote_names *n);

/* One line of CURLOPT_RESOLVE: "[+]HOST:PORT:ADDRESS[,ADDRESS]…", "-HOST:PORT", "*:PORT:ADDRESS".
 * CURLE_SETOPT_OPTION_SYNTAX when it is none (CURLOPT_RESOLVE(3)). */
CURLcode mote_names_preset(struct mote_names *n, const char *line, mote_time now, struct mote_report *report);
/* Drop what is older than max_age_us (not the permanent ones); all of them with max_age_us < 0. */
void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us);

#endif
