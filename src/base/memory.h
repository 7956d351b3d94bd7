/* base/memory.h: the only way to memory, and who pays for it.
 *
 * Every block is asked for in the name of an account (who pays) and of a part (what it is for), and is
 * given back with the size it was asked for: no block carries a header of ours. Three kinds of account:
 * a handle's, a multi's, and the process's (mote_mem_process).
 *
 * An account counts live and peak bytes and calls, and refuses what would take it over its limit. Parts are
 * counted for the whole process; an account that was opened while details were on counts its own, too.
 * A limit and an account's own parts lie in a block of their own (`more`), which the account itself pays for:
 * an account without them costs 32 bytes. base/account.c counts; without the part account
 * nothing is counted and nothing is refused, and the stubs below take its place.
 *
 * Invariants: live <= peak; live <= limit unless the limit was lowered below what was already held; where an
 *             account has parts, their live bytes add up to its own.
 * Ownership:  who embeds an account opens it before its first block and closes it after its last one; all
 *             zero bytes are an account that needs neither: without details, and never given a limit.
 * Failure:    NULL; nothing has changed, the old block of a failed realloc is intact.
 * Threads:    an account belongs to the thread that uses its owner; the process account, the part counters
 *             and the switch are safe between threads. The allocator is set while nothing else runs.
 * Tests:      tests/unit/base/test_memory.c, test_account.c */
#ifndef MOTE_BASE_MEMORY_H
#define MOTE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

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
  MOTE_PART_OTHER,    /* hash tables, and what an account keeps about itself */
  MOTE_PART_LAST
};

/* Counters of one part, whole process. */
struct mote_part_count {
  size_t live;   /* bytes */
  size_t peak;   /* bytes */
  size_t calls;
};

#if MOTE_HAS_ACCOUNT

/* One part of one account. */
struct mote_account_part {
  size_t live;    /* bytes held now */
  size_t peak;    /* most bytes ever held at once */
  uint32_t calls; /* successful allocations */
};

struct mote_account_more {
  size_t limit;    /* refuse above this many live bytes; 0: no limit */
  bool shared;     /* the process's: changed under a lock */
  bool has_parts;  /* MOTE_PART_LAST parts follow, else none */
  struct mote_account_part parts[];
};

/* Embed it in the owner. */
struct mote_account {
  size_t live;   /* bytes held now */
  size_t peak;   /* most bytes ever held at once */
  struct mote_account_more *more; /* the account's own, or NULL: no limit, no parts */
  uint32_t calls;    /* successful allocations, a growing realloc included */
  uint32_t refused;  /* allocations refused by the limit */
};

/* The process's own account: trust store, TLS contexts, whatever outlives handles. It has no parts. */
struct mote_account *mote_mem_process(void);

/* Accounts that are opened from now on keep their parts, or do not. */
void mote_account_keep_parts(bool on);
/* a: all zero. False: out of memory for its details; it needs no close then. */
bool mote_account_open(struct mote_account *a);
/* Gives `more` back. The account can still pay, and be paid back. */
void mote_account_close(struct mote_account *a);
/* bytes 0: no limit. False: out of memory (or over the old limit) for the block that keeps it. */
bool mote_account_limit(struct mote_account *a, size_t bytes);
size_t mote_account_limit_of(const struct mote_account *a); /* 0: none */
/* Bytes of `more`: of an account opened now, and of one that gets a limit. */
size_t mote_account_open_size(void);
size_t mote_account_limit_size(void);

/* ---- for base/memory.c alone ---- */

bool mote_account_reserve_more(struct mote_account *a, size_t size);

/* Take room for `size` bytes before the allocation, so that a limit is never passed, even for a moment. */
static inline bool mote_account_reserve(struct mote_account *a, size_t size)
{
  if(a->more)
    return mote_account_reserve_more(a, size);
  a->live += size;
  return true;
}

/* The allocation has failed. */
void mote_account_cancel(struct mote_account *a, size_t size);
/* It has succeeded: part has grown by `grown`. */
void mote_account_granted(struct mote_account *a, enum mote_part part, size_t grown);
/* Bytes were given back. */
void mote_account_release(struct mote_account *a, enum mote_part part, size_t size);
/* Bytes change their account; no limit is applied. */
void mote_mem_move(struct mote_account *from, struct mote_account *to, enum mote_part part, size_t size);

void mote_mem_part_get(enum mote_part part, struct mote_part_count *out);

#else

struct mote_account {
  char none; /* C has no empty struct */
};

static inline struct mote_account *mote_mem_process(void)
{
  return NULL;
}

static inline bool mote_account_open(struct mote_account *a)
{
  (void)a;
  return true;
}

static inline void mote_account_close(struct mote_account *a)
{
  (void)a;
}

static inline bool mote_account_reserve(struct mote_account *a, size_t size)
{
  (void)a;
  (void)size;
  return true;
}

static inline void mote_account_cancel(struct mote_account *a, size_t size)
{
  (void)a;
  (void)size;
}

static inline void mote_account_granted(struct mote_account *a, enum mote_part part, size_t grown)
{
  (void)a;
  (void)part;
  (void)grown;
}

static inline void mote_account_release(struct mote_account *a, enum mote_part part, size_t size)
{
  (void)a;
  (void)part;
  (void)size;
}

static inline void mote_mem_part_get(enum mote_part part, struct mote_part_count *out)
{
  (void)part;
  *out = (struct mote_part_count){0};
}

#endif

/* ---- blocks ---- */

/* NULL when memory or the account has run out. size 0 is asked for as 1. */
void *mote_mem_alloc(struct mote_account *a, enum mote_part part, size_t size);
void *mote_mem_zalloc(struct mote_account *a, enum mote_part part, size_t size);

/* p may be NULL with old_size 0. */
void *mote_mem_realloc(struct mote_account *a, enum mote_part part, void *p, size_t old_size, size_t size);

/* size is the one that was asked for. p may be NULL. */
void mote_mem_free(struct mote_account *a, enum mote_part part, void *p, size_t size);

/* A copy of len bytes and a NUL: a block of len + 1 bytes. */
char *mote_mem_strndup(struct mote_account *a, enum mote_part part, const char *s, size_t len);

/* Memory that the caller of the public interface will own and give to curl_free(): in no account, and
 * freed without its size. */
void *mote_mem_public_alloc(size_t size);
void *mote_mem_public_realloc(void *p, size_t size);
void mote_mem_public_free(void *p);
char *mote_mem_public_strndup(const char *s, size_t len);

/* The allocator below; every function is there. No size is 0, no pointer NULL. curl_global_init_mem and
 * mote_init_static set it. Before that it is the C library's; without the part libc_malloc one that has
 * nothing. */
struct mote_allocator {
  void *(*malloc_fn)(size_t size);
  void (*free_fn)(void *p);
  void *(*realloc_fn)(void *p, size_t size);
};
extern struct mote_allocator mote_mem_below; /* for base/memory.c alone */
void mote_mem_set_allocator(const struct mote_allocator *allocator); /* NULL: the one to begin with */

#if MOTE_HAS_STATIC_MEMORY
/* For texts: how many bytes too small the largest piece of a static block was for the last request that
 * failed; 0: none has (base/block.c). */
uint32_t mote_block_missing(void);
#else
static inline uint32_t mote_block_missing(void)
{
  return 0;
}
#endif

#endif
