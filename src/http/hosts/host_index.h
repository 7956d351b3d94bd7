/* http/hosts/host_index.h: what a client remembers of hosts, found by the host's name: HSTS (RFC 6797) and
 * alternative services (RFC 7838).
 *
 * An entry is one block. The index has the entries in the order in which they were added, which is that of
 * files, and finds those of a host by a hash of its name. The hash is computed from the end of the name, so
 * that one pass over a host gives those of all domains above it, too. The cost of a search follows the labels
 * of the host and not the number of entries.
 *
 * Invariants: live <= used <= cap; a slot has the place of an entry plus 1, or 0; at most half of the slots
 *             are in use.
 * Ownership:  the index owns its entries, and its account pays. A pointer to one is valid until the next call
 *             that adds or removes.
 * Errors:     CURLE_OUT_OF_MEMORY; the index is as it was.
 * Threads:    that of a share is used under its lock.
 * Tests:      tests/unit/http/test_hsts_hosts.c */
#ifndef MOTE_HTTP_HOSTS_HOST_INDEX_H
#define MOTE_HTTP_HOSTS_HOST_INDEX_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct mote_account;

enum {
  MOTE_HOSTS_MAX = 10000 /* entries of an index, the newest; libcurl's limit (CURLOPT_HSTS(3)) */
};

/* The beginning of each entry. */
struct mote_known_host {
  int64_t expires;    /* Unix time in seconds */
  uint16_t size;      /* bytes of the block */
  uint8_t host_len;   /* bytes of the name, which has no dot at its end */
  uint8_t tail;       /* HSTS: 1 for hosts under it, too */
  char rest[4];       /* the name of HSTS begins here, where there would be padding */
};

struct mote_host_index {
  struct mote_known_host **entries; /* cap of them, NULL where one was removed; then 2 * cap slots */
  struct mote_account *account;     /* pays */
  uint32_t cap;                     /* 0, or a power of 2 */
  uint32_t used;                    /* places used from the first on */
  uint32_t live;                    /* entries */
  uint32_t first;                   /* no entry lies before this place */
  uint16_t name_at;                 /* bytes from the beginning of an entry to its name */
};

void mote_host_index_init(struct mote_host_index *x, struct mote_account *account, size_t name_at);
/* Frees all entries. The index is empty and usable. */
void mote_host_index_clear(struct mote_host_index *x);

static inline struct mote_slice mote_known_host_name(const struct mote_host_index *x,
                                                     const struct mote_known_host *e)
{
  struct mote_slice s = {(const char *)e + x->name_at, e->host_len};
  return s;
}

/* Continues the hash of a name by the byte before what was hashed. It begins with MOTE_HOST_HASH. Setting bit
 * 5 makes a capital small; what becomes equal besides is not in names. */
#define MOTE_HOST_HASH 2166136261u
static inline uint32_t mote_host_hash_byte(uint32_t hash, char c)
{
  return (hash ^ ((unsigned char)c | 0x20u)) * 16777619u;
}
uint32_t mote_host_hash(struct mote_slice host);

/* Finds the next entry of a host. *at is 0 before the first call. NULL: there is no further one. */
struct mote_known_host *mote_host_index_next(const struct mote_host_index *x, struct mote_slice host,
                                             uint32_t hash, uint32_t *at);

/* Makes an entry of `size` bytes, with the name in its place and the rest all zero, after all others. One too
 * many removes the oldest. NULL: out of memory. */
struct mote_known_host *mote_host_index_add(struct mote_host_index *x, struct mote_slice host, size_t size);
void mote_host_index_remove(struct mote_host_index *x, struct mote_known_host *e);

/* Returns the entry at a place or the next one after it, and moves *at past it. NULL: the end. */
struct mote_known_host *mote_host_index_walk(const struct mote_host_index *x, uint32_t *at);

#endif
