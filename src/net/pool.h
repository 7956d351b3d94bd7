/* net/pool.h: connections kept for later, and how many there may be.
 *
 * A connection is found by its key alone, plus a filter for the address family. A pool belongs to a multi
 * or to a share; limits are the multi's own and are asked for when a transfer wants a new connection.
 *
 * A connection of many transfers is in its multi's pool while it is in use. Idle it may be in a share's, and
 * in no wait set; the multi that takes it is its next one (connect/reuse.c).
 *
 * A discarded connection says goodbye, in the background if that takes longer than one try (MOTE_GOODBYE),
 * but not when its pool closes or is a share's.
 *
 * Invariants: every connection is in exactly one of idle and busy. A look-up sees idle ones and those with
 *             room for another transfer only, so that thousands of busy ones to one host cost it nothing.
 * Ownership:  the pool owns its connections; a transfer borrows one while it uses it.
 * Threads:    a shared pool is locked by its caller.
 * Tests:      tests/unit/net/test_pool.c */
#ifndef MOTE_NET_POOL_H
#define MOTE_NET_POOL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/containers/hash.h"
#include "base/containers/list.h"
#include "base/time.h"
#include "parts.h"

struct mote_account;
struct mote_ceiling;
struct mote_conn;
struct mote_driver;
struct mote_pool_hosts;
struct mote_timers;

#define MOTE_GOODBYE (2 * MOTE_SECOND) /* then a connection is closed without one */

struct mote_pool {
  struct mote_hash by_key;   /* the idle ones, those of one key youngest first, and those with room; its
                                account pays for connections */
  struct mote_list idle;     /* in the order of last use, oldest first, after those that are suspects */
  struct mote_list busy;     /* also those that say goodbye, which are not counted */
  struct mote_pool_hosts *hosts; /* their connections (net/pool_hosts.h), or NULL: none was asked for */
  struct mote_timers *timers; /* of the multi; NULL: no goodbye in the background */
  uint32_t count;            /* idle and busy */
  uint32_t idle_count : 31;
  uint32_t shared : 1;       /* a share's. A discarded connection waits uncounted at the front of busy,
                                and is closed without the share's lock (mote_pool_take_leaving()) */
  int32_t next_id;           /* CURLINFO_CONN_ID of the next one */
  int32_t last_id;           /* of the connection that was taken last; -1: none (mote_pool_forget_last()) */
};

void mote_pool_init(struct mote_pool *p, struct mote_account *account);
/* What the pool itself takes at most when `more` connections are added; NULL: an empty one. */
void mote_pool_ceiling(const struct mote_pool *p, uint32_t more, struct mote_ceiling *c);
/* Closes all idle and busy connections. */
void mote_pool_close(struct mote_pool *p);

struct mote_pool_query {
  const char *key;      /* NULL: only the connection `id`, whose key is known to be the right one */
  size_t key_len;       /* bytes */
  uint32_t hash;        /* of that connection's key (mote_pool_hash()); unused with a key */
  int32_t id;           /* likewise */
  uint8_t ip_version;   /* 4 or 6: only such a connection; 0: any */
  bool may_wait;        /* a connection that is still dialled will do (CURLOPT_PIPEWAIT) */
#if MOTE_HAS_H2
  bool alone;           /* no busy connection, whatever room it has (CURLMOPT_PIPELINING) */
  bool only_driver;     /* only a connection with this driver */
  bool prefers_driver;  /* a connection with this driver before others: */
  const struct mote_driver *driver; /* for either, or NULL */
#endif
#if MOTE_HAS_H3
  const struct mote_driver *never;  /* no connection with this driver, or NULL */
  uint32_t place;                   /* none to another alternative service than this (net/conn_struct.h) */
#endif
  mote_time now;
  uint32_t max_idle;    /* CURLOPT_MAXAGE_CONN, seconds; 0: no limit */
  uint32_t max_life;    /* CURLOPT_MAXLIFETIME_CONN, seconds; 0: no limit */
};

/* Reports what the query says of busy connections and of drivers. */
#if MOTE_HAS_H3
#define mote_pool_query_refuses(q, c) (((q)->never && (c)->driver == (q)->never) || \
                                       ((c)->place && (c)->place != (q)->place))
#define mote_pool_query_exclude(q, d, at) ((q)->never = (d), (q)->place = (at))
#else
#define mote_pool_query_exclude(q, d, at) ((void)(q), (void)(d), (void)(at))
#define mote_pool_query_refuses(q, c) false
#endif
#if MOTE_HAS_H2
#define mote_pool_query_takes_busy(q) (!(q)->alone)
#define mote_pool_query_accepts(q, c) ((!(q)->only_driver || (c)->driver == (q)->driver) && \
                                       !mote_pool_query_refuses(q, c))
#define mote_pool_query_has_preference(q) ((q)->prefers_driver)
#define mote_pool_query_narrow(q) ((q)->only_driver = true)
#else
#define mote_pool_query_takes_busy(q) ((void)(q), true)
#define mote_pool_query_accepts(q, c) ((void)(q), (void)(c), true)
#define mote_pool_query_has_preference(q) ((void)(q), false)
#define mote_pool_query_narrow(q) ((void)(q))
#endif

/* Makes the most recently used idle connection that has this key, is alive and is young enough busy, and
 * returns it; else a busy one with room; or NULL. Closes dead and too old ones that it finds on the way. */
struct mote_conn *mote_pool_take(struct mote_pool *p, const struct mote_pool_query *q);

/* Returns the connection that was taken last, or NULL when it is busy or gone. */
struct mote_conn *mote_pool_last(const struct mote_pool *p);
/* Takes that one; NULL when it is busy or not good enough. For a caller that knows that its key is the right
 * one: q->key is not read. */
struct mote_conn *mote_pool_take_last(struct mote_pool *p, const struct mote_pool_query *q);

/* The connection that was taken last is another user's, so that mote_pool_take_last() must not find it. */
static inline void mote_pool_forget_last(struct mote_pool *p)
{
  p->last_id = -1;
}

/* Returns the hash of a connection's key, for a query without one. */
#define mote_pool_hash(c) ((c)->node.hash)

/* The pool becomes the owner of a new connection, which is busy. */
void mote_pool_add(struct mote_pool *p, struct mote_conn *c);
/* A busy connection is offered to other transfers, until a look-up finds that its driver has no room. Does
 * nothing with one that is offered. */
void mote_pool_offer(struct mote_pool *p, struct mote_conn *c);
/* The connection is offered no longer. */
void mote_pool_withdraw(struct mote_pool *p, struct mote_conn *c);
/* A transfer leaves a connection whose driver has room for many. True: others still use it, and it is
 * offered if it is reusable. False: that was the last one, and the caller releases or discards it. */
bool mote_pool_leave(struct mote_pool *p, struct mote_conn *c);

/* Gives a connection the next CURLINFO_CONN_ID of another pool, a share's, to which it may be handed over. */
void mote_pool_number(struct mote_pool *numbers, struct mote_conn *c);
/* A busy connection becomes another pool's, where it keeps its number. Both may use the account that pays for
 * it. */
void mote_pool_hand_over(struct mote_pool *p, struct mote_conn *c, struct mote_pool *to);

/* Moves what was discarded from a shared pool, which is locked, into this list. */
void mote_pool_take_leaving(struct mote_pool *p, struct mote_list *leaving);
/* Closes the list's connections, without the lock. */
void mote_pool_close_leaving(struct mote_list *leaving);

/* Removes a connection from the pool and closes it, with a goodbye when `polite`. */
void mote_pool_discard(struct mote_pool *p, struct mote_conn *c, bool polite);

/* The last user has left. Keeps the connection when it is reusable and max_kept allows (the oldest idle one
 * is closed for it), and closes it otherwise. With max_kept 0 none is kept. */
void mote_pool_release(struct mote_pool *p, struct mote_conn *c, uint32_t max_kept, mote_time now);

/* The socket of the idle connection with that CURLINFO_CONN_ID, or CURL_SOCKET_BAD. */
curl_socket_t mote_pool_idle_socket(const struct mote_pool *p, int32_t id);

/* Number of connections whose key begins with the same host part (up to its first NUL, included), for
 * CURLMOPT_MAX_HOST_CONNECTIONS. Without memory for the counts it walks over all connections. */
uint32_t mote_pool_count_host(struct mote_pool *p, const char *key);
/* Number of those that are busy. */
uint32_t mote_pool_count_busy_host(struct mote_pool *p, const char *key);
/* Closes an idle connection to that host; false when there is none. */
bool mote_pool_close_idle_host(struct mote_pool *p, const char *key);
/* Closes the oldest idle connection; false when there is none. */
bool mote_pool_close_oldest(struct mote_pool *p);
/* Closes the idle connections, and lets the busy ones be closed when their transfers have left. */
void mote_pool_retire(struct mote_pool *p);
/* Closes idle connections that are dead or have been idle longer than max_idle seconds (0: no limit). */
void mote_pool_prune(struct mote_pool *p, mote_time now, uint32_t max_idle);
/* An idle connection has an event that no step has looked at. It is the next one to go until the pool is
 * pruned. Does nothing with a busy one. */
void mote_pool_suspect(struct mote_pool *p, struct mote_conn *c);
/* Closes the suspects that are dead. It costs the same however many others are idle. */
void mote_pool_prune_suspects(struct mote_pool *p);

#endif
