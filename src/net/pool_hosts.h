/* net/pool_hosts.h: what a pool knows of each host, where connections to a host have a limit
 * (CURLMOPT_MAX_HOST_CONNECTIONS(3)): how many there are, and what waits for one.
 *
 * A host is the first text of a connection's key (connect/identity.h). The table is made when a limit is
 * first asked for, so that other pools have none. A host has an entry while it has connections, or transfers
 * that wait.
 *
 * Without memory for an entry the counts are given up: mote_pool_count_host() walks over the connections
 * then, as it does without part host_limit.
 *
 * Ownership: the pool owns the table, which the account of its connections pays for.
 * Errors:    NULL or false: out of memory.
 * Threads:   as the pool's.
 * Tests:     tests/unit/net/test_pool_hosts.c */
#ifndef MOTE_NET_POOL_HOSTS_H
#define MOTE_NET_POOL_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/containers/hash.h"
#include "base/containers/list.h"
#include "parts.h"

struct mote_ceiling;
struct mote_conn;
struct mote_pool;

struct mote_pool_host {
  struct mote_hash_node node; /* in by_host */
  struct mote_list link;      /* in all */
  struct mote_list waiting;   /* what waits for a connection, the longest first; for the pool's owner */
  uint32_t count;             /* connections, idle and busy */
  uint32_t idle;              /* of them */
  uint32_t size : 31;         /* bytes of the host with its NUL */
  uint32_t mixed : 1;         /* what waits does so for different pools (transfer/multi/share.h) */
  char host[];
};

struct mote_pool_hosts {
  struct mote_hash by_host;
  struct mote_list all;
  bool uncounted; /* the counts are given up */
};

#if MOTE_HAS_HOST_LIMIT

/* Returns the counts of a host. NULL: they are given up. */
const struct mote_pool_host *mote_pool_hosts_counts(struct mote_pool *p, const char *host);

/* Makes the table and counts the connections of the pool, if that was not done before. */
bool mote_pool_hosts_open(struct mote_pool *p);
/* Frees it, unless the pool has none. Nothing waits. */
void mote_pool_hosts_close(struct mote_pool *p);
/* Adds the most memory that it takes when `more` connections to hosts of at most host_len bytes are added. */
void mote_pool_hosts_ceiling(const struct mote_pool *p, uint32_t more, size_t host_len,
                             struct mote_ceiling *c);

/* Finds the entry of a host. NULL: there is none. With a table. */
struct mote_pool_host *mote_pool_hosts_find(const struct mote_pool *p, const char *host);
/* Finds or makes it. */
struct mote_pool_host *mote_pool_hosts_get(struct mote_pool *p, const char *host);
/* Frees an entry without connections for which nothing waits. */
void mote_pool_hosts_tidy(struct mote_pool *p, struct mote_pool_host *h);

/* A connection has come (1) or gone (-1), or has become idle or busy. Does nothing without a table. */
void mote_pool_hosts_count(struct mote_pool *p, const struct mote_conn *c, int by);
void mote_pool_hosts_count_idle(struct mote_pool *p, const struct mote_conn *c, int by);

#else

#define mote_pool_hosts_counts(p, host) ((void)(p), (void)(host), (const struct mote_pool_host *)NULL)
#define mote_pool_hosts_close(p) ((void)(p))
#define mote_pool_hosts_ceiling(p, more, host_len, c) ((void)(p), (void)(more), (void)(host_len), (void)(c))
#define mote_pool_hosts_count(p, c, by) ((void)(p), (void)(c), (void)(by))
#define mote_pool_hosts_count_idle(p, c, by) ((void)(p), (void)(c), (void)(by))

#endif

#endif
