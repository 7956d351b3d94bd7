/* base/memory/block.h: an allocator that has one block of the caller's and nothing else, for programs without
 * malloc.
 *
 * Best fit over one list of free pieces in the order of their addresses; a piece that is freed is joined
 * with its neighbours at once. Small blocks are taken from the front of a piece, those of MOTE_BLOCK_LARGE
 * bytes and more (buffers, what TLS works in) from its end, so that what lives long does not end up between
 * them. realloc() grows in place if the bytes that follow are free, and shrinks in place.
 *
 * Layout:     a block is aligned to 8 bytes and has its size in the 4 bytes in front of it, because the
 *             allocator's functions get no size. Both together are a multiple of 8, so a request of n bytes
 *             takes n + 4 to n + 11; with 64 bits at least 16.
 * Invariants: the pieces and the blocks in use fill the block without a gap; no two pieces touch.
 * Failure:    NULL; nothing has changed but `missing`.
 * Threads:    one lock around each call; opened and closed while nothing else runs.
 * Tests:      tests/unit/base/test_block.c */
#ifndef MOTE_BASE_MEMORY_BLOCK_H
#define MOTE_BASE_MEMORY_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

#define MOTE_BLOCK_LARGE 512

/* All in bytes; the 4 in front of each block and the rounding count as used. */
struct mote_block_info {
  uint32_t size;    /* what can be handed out at most */
  uint32_t used;    /* now */
  uint32_t peak;    /* most ever used at once */
  uint32_t largest; /* the largest free piece */
  uint32_t missing; /* how much too small `largest` was when a request failed last; 0: none has */
};

#if MOTE_HAS_STATIC_MEMORY

/* Makes it the allocator of base/memory.h. p: not NULL, of any alignment. size: at least 64 bytes; up to 4 GB
 * of it are used. No other may be open. */
void mote_block_open(void *p, size_t size);
/* Gives base/memory.h its first allocator again. False: a block is in use, and all stays open. True also when
 * none is open. */
bool mote_block_close(void);
/* False: no block is open. */
bool mote_block_get(struct mote_block_info *out);

#else

#define mote_block_close() (true)
#define mote_block_get(out) ((void)(out), false)
#endif

#endif
