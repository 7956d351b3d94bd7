/* base/memory.h: the only way to memory.
 *
 * Every block is asked for in the name of an account (who pays) and of a part (what it is for), and is
 * given back with the size it was asked for: no block carries a header of ours. Three kinds of account:
 * a handle's, a multi's, and the process's (mote_mem_process). An account counts live and peak bytes and
 * calls, and refuses what would take it over its limit. Parts are counted for the whole process.
 *
 * Invariants: live <= peak; live <= limit unless the limit was lowered below what was already held.
 * Failure:    NULL; nothing has changed, the old block of a failed realloc is intact.
 * Threads:    an account belongs to the thread that uses its owner; the process account and the part
 *             counters are safe between threads.
 * Tests:      tests/unit/base/test_memory.c */
#ifndef MOTE_BASE_MEMORY_H
#define MOTE_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum mote_part {
  MOTE_PART_HANDLE,   /* easy handles and their option arrays */
  MOTE_PART_STRING,   /* copied option strings and blobs */
  MOTE_PART_TRANSFER, /* transfer state, request leftovers, paused bytes */
  MOTE_PART_HEADER,   /* stored response headers */
  MOTE_PART_MULTI,    /* multi handles and their tables */
  MOTE_PART_BUFFER,   /* receive, send and decoder buffers of a multi */
  MOTE_PART_CONN,     /* connections and what they hold over */
  MOTE_PART_NAME,     /* name lookups and the name cache */
  MOTE_PART_TLS,      /* our side of TLS: streams, sessions, trust store index */
  MOTE_PART_URL,      /* parsed URLs */
  MOTE_PART_SHARE,    /* share objects */
  MOTE_PART_CODEC,    /* decoders (gzip, brotli, zstd), mime */
  MOTE_PART_OTHER,
  MOTE_PART_LAST
};

/* An account. Embed it in the owner; all zero bytes plus mote_mem_open() is a fresh one. */
struct mote_account {
  size_t live;   /* bytes held now */
  size_t peak;   /* most bytes ever held at once */
  size_t limit;  /* refuse above this many live bytes; 0: no limit */
  uint32_t calls;    /* successful allocations, a growing realloc included */
  uint32_t refused;  /* allocations refused by the limit */
};

/* Counters of one part, whole process. */
struct mote_part_count {
  size_t live;   /* bytes */
  size_t peak;   /* bytes */
  size_t calls;
};

/* The process's own account: trust store, TLS contexts, whatever outlives handles. */
struct mote_account *mote_mem_process(void);

/* NULL when memory or the account has run out. size 0 is asked for as 1. */
void *mote_mem_alloc(struct mote_account *a, enum mote_part part, size_t size);
void *mote_mem_zalloc(struct mote_account *a, enum mote_part part, size_t size);

/* p may be NULL with old_size 0. */
void *mote_mem_realloc(struct mote_account *a, enum mote_part part, void *p, size_t old_size, size_t size);

/* size is the one that was asked for. p may be NULL. */
void mote_mem_free(struct mote_account *a, enum mote_part part, void *p, size_t size);

/* A copy of len bytes and a NUL: a block of len + 1 bytes. */
char *mote_mem_strndup(struct mote_account *a, enum mote_part part, const char *s, size_t len);

/* Move a block's cost from one account to another (a connection changes its owner). No limit is applied. */
void mote_mem_move(struct mote_account *from, struct mote_account *to, size_t size);

/* Memory that the caller of the public interface will own and give to curl_free(): in no account, and
 * freed without its size. */
void *mote_mem_public_alloc(size_t size);
void *mote_mem_public_realloc(void *p, size_t size);
void mote_mem_public_free(void *p);
char *mote_mem_public_strndup(const char *s, size_t len);

void mote_mem_part_get(enum mote_part part, struct mote_part_count *out);

/* The allocator below. curl_global_init_mem sets it; every pointer is non-NULL. */
struct mote_allocator {
  void *(*malloc_fn)(size_t size);
  void (*free_fn)(void *p);
  void *(*realloc_fn)(void *p, size_t size);
  void *(*calloc_fn)(size_t count, size_t size);
};
void mote_mem_set_allocator(const struct mote_allocator *allocator); /* NULL: the C library's */

#endif
