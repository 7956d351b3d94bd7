/* base/memory.h: the only way to memory, and the accounts that pay for it.
 *
 * Every block is charged to an account (that pays) and to a part (that it is for), and is freed with the
 * size that was asked for, so that no block carries a header of ours. There are three kinds of account: a
 * handle's, a multi's, and the process's (mote_mem_process).
 *
 * An account counts live and peak bytes and calls, and refuses what would take it over its limit. Parts are
 * counted for the whole process; an account that was opened while details were on counts its own, too. A
 * limit and an account's own parts lie in a block of their own (`more`), which the account itself pays for,
 * so that an account without them takes 32 bytes. base/memory/account.c counts. Without the part account
 * nothing is counted and nothing is refused, and the stubs below take its place.
 *
 * Invariants: live <= peak; live <= limit unless the limit was lowered below what was already held; where
 *             an account has parts, their live bytes add up to its own.
 * Ownership:  the struct that embeds an account opens it before its first block and closes it after its
 *             last one. An account of zero bytes needs neither, if it never gets a limit; it keeps no
 *             details.
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

/* The process's own account, for what outlives handles: trust store, TLS contexts. It has no parts. */
struct mote_account *mote_mem_process(void);

/* Sets whether accounts that are opened from now on keep their parts. */
void mote_account_keep_parts(bool on);
/* Opens an account, which is all zero. False: out of memory for its details; it needs no close then. */
bool mote_account_open(struct mote_account *a);
/* Frees `more`. Blocks may still be charged to the account, and freed. */
void mote_account_close(struct mote_account *a);
/* Sets the limit; bytes 0: none. False: out of memory (or over the old limit) for the block that keeps it. */
bool mote_account_limit(struct mote_account *a, size_t bytes);
size_t mote_account_limit_of(const struct mote_account *a); /* 0: none */
/* Bytes that the limit leaves, at least 1; 0: there is no limit. */
size_t mote_account_room(const struct mote_account *a);
/* Bytes of `more`: of an account opened now, and of one that gets a limit. */
size_t mote_account_open_size(void);
size_t mote_account_limit_size(void);

/* ---- for base/memory.c alone ---- */

bool mote_account_reserve_more(struct mote_account *a, size_t size);

/* Counts `size` bytes before the allocation, so that a limit is never passed, even for a moment. */
static inline bool mote_account_reserve(struct mote_account *a, size_t size)
{
  if(a->more)
    return mote_account_reserve_more(a, size);
  a->live += size;
  return true;
}

/* Takes that back, after the allocation failed. */
void mote_account_cancel(struct mote_account *a, size_t size);
/* The allocation succeeded, and the part has grown by `grown` bytes. */
void mote_account_granted(struct mote_account *a, enum mote_part part, size_t grown);
/* Bytes were freed. */
void mote_account_release(struct mote_account *a, enum mote_part part, size_t size);

void mote_mem_part_get(enum mote_part part, struct mote_part_count *out);

#else

struct mote_account {
  char none; /* C has no empty struct */
};

#define mote_mem_process() (NULL)
#define mote_account_open(a) ((void)(a), true)
#define mote_account_close(a) ((void)(a))
#define mote_account_room(a) ((void)(a), (size_t)0)
#define mote_account_reserve(a, size) ((void)(a), (void)(size), true)
#define mote_account_cancel(a, size) ((void)(a), (void)(size))
#define mote_account_granted(a, part, grown) ((void)(a), (void)(part), (void)(grown))
#define mote_account_release(a, part, size) ((void)(a), (void)(part), (void)(size))

static inline void mote_mem_part_get(enum mote_part part, struct mote_part_count *out)
{
  (void)part;
  *out = (struct mote_part_count){0};
}
#endif

/* ---- blocks ---- */

/* NULL when memory or the account has run out. A size of 0 counts as 1. */
void *mote_mem_alloc(struct mote_account *a, enum mote_part part, size_t size);
void *mote_mem_zalloc(struct mote_account *a, enum mote_part part, size_t size);

/* p may be NULL with old_size 0. */
void *mote_mem_realloc(struct mote_account *a, enum mote_part part, void *p, size_t old_size, size_t size);

/* size is the one that was asked for last. p may be NULL. The block is overwritten with zeros first, since it
 * may have held a password, a cookie or a key; not so those of MOTE_PART_BUFFER and MOTE_PART_CODEC, and what
 * mote_mem_realloc() moves away from. */
void mote_mem_free(struct mote_account *a, enum mote_part part, void *p, size_t size);

/* A copy of len bytes and a NUL: a block of len + 1 bytes. */
char *mote_mem_strndup(struct mote_account *a, enum mote_part part, const char *s, size_t len);

/* Memory that the caller of the public interface will own and pass to curl_free(). It is in no account, and
 * freed without its size. */
void *mote_mem_public_alloc(size_t size);
void *mote_mem_public_realloc(void *p, size_t size);
void mote_mem_public_free(void *p);
char *mote_mem_public_strndup(const char *s, size_t len);

/* The allocator below. Every function is set; they get no size of 0 and no NULL. curl_global_init_mem and
 * mote_init_static set it. Until then it is the C library's, or one without memory where the part
 * libc_malloc is left out. */
struct mote_allocator {
  void *(*malloc_fn)(size_t size);
  void (*free_fn)(void *p);
  void *(*realloc_fn)(void *p, size_t size);
};
extern struct mote_allocator mote_mem_below; /* for base/memory.c and base/memory/account.c alone */
void mote_mem_set_allocator(const struct mote_allocator *allocator); /* NULL: the first one */

#if MOTE_HAS_STATIC_MEMORY
/* How many bytes too small the largest piece of a static block was for the last request that failed; 0: none
 * has (base/memory/block.c). For texts. */
uint32_t mote_block_missing(void);
#else
#define mote_block_missing() (0)
#endif

#endif
