/* base/memory/slab.h: the memory of one session of a library that frees without a size and asks for the same
 * few sizes over and over (nghttp2, net/h2/memory.c).
 *
 * A freed block goes to the spare ones of its size and is handed out again, so that a session that goes on as
 * before allocates nothing. Each block has its size, and where it lies, in 4 bytes in front of it. It is cut
 * from the first block, which is made with the slab, from a chunk, or is a block of the account of its own.
 * Blocks that live equally long have chunks of their own (a kind), so that whole chunks become free.
 *
 * Invariants: held >= live, which do not count the first block. Before `held` passes what was needed at once
 *             and plan->spare, all that is spare is given back: a peer that makes the library use blocks of
 *             ever other sizes gains nothing by it.
 * Ownership:  the session's owner embeds the struct, which does not move between open and close. All is
 *             charged to the account that open got, part CONN.
 * Failure:    NULL. Before that, all spare blocks are given back and the allocator is asked again.
 * A static block (mote_init_static) has no bytes to spare: there are no chunks, and only the first block's
 * pieces are used again.
 * Tests:      tests/unit/base/test_slab.c */
#ifndef MOTE_BASE_MEMORY_SLAB_H
#define MOTE_BASE_MEMORY_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_account;
struct mote_slab_block;
struct mote_slab_chunk;

#define MOTE_SLAB_LISTS 20 /* of spare blocks of one size each */
#define MOTE_SLAB_KINDS 3

/* What a library needs. Constant. */
struct mote_slab_plan {
  uint16_t first; /* bytes of the first block; 0: there is none */
  uint8_t first_from; /* it is for this kind and those after it */
  uint32_t block; /* bytes of the largest block, at most 16 MB */
  uint32_t most;  /* bytes that the library may hold at once, besides the first block: 240 or more */
  uint32_t spare; /* bytes that spare blocks may take beyond what was needed at once */
  uint32_t keep;  /* bytes of spare blocks, beyond which a large one is given back as soon as it is freed */
  uint16_t chunk[MOTE_SLAB_KINDS]; /* bytes of a chunk of each kind; 0: its blocks are the account's own */
};

struct mote_slab {
  const struct mote_slab_plan *plan;
  struct mote_account *account;  /* that pays: borrowed */
  char *first;                   /* NULL: there is none */
  uint32_t held;                 /* bytes of chunks and blocks of the account */
  uint32_t live;                 /* those of them that the library has */
  uint32_t most;                 /* the most live bytes since the session was last idle */
  uint16_t used;                 /* bytes of the first block that were ever handed out */
  bool frugal;                   /* no chunks, and no spare blocks but the first one's */
  struct mote_slab_chunk *chunks[MOTE_SLAB_KINDS]; /* the last one first, of which blocks are cut */
  struct mote_slab_block *large; /* spare blocks of other sizes, the last one first */
  struct mote_slab_block *small[MOTE_SLAB_LISTS]; /* spare blocks by size */
};

/* False: out of memory; nothing is held then. */
bool mote_slab_open(struct mote_slab *m, const struct mote_slab_plan *plan, struct mote_account *account);
/* Gives back all but what is live. m may be all zero. */
void mote_slab_close(struct mote_slab *m);

/* Returns a block of at least `bytes` at an address that is a multiple of 8. kind < MOTE_SLAB_KINDS. */
void *mote_slab_take(struct mote_slab *m, size_t bytes, unsigned kind);
/* Returns p if that has room, or another block with its bytes. NULL: p stays as it is. p may be NULL. */
void *mote_slab_resize(struct mote_slab *m, void *p, size_t bytes, unsigned kind);
void mote_slab_put(struct mote_slab *m, void *p); /* NULL is allowed */
/* Returns how many bytes a block has. */
size_t mote_slab_room_of(void *p);
/* The session is idle: gives back what is spare, if that is more than `keep` bytes. */
void mote_slab_idle(struct mote_slab *m, uint32_t keep);

static inline uint32_t mote_slab_spare(const struct mote_slab *m)
{
  return m->held - m->live;
}

#endif
