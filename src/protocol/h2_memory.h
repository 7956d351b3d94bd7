/* protocol/h2_memory.h: the memory of one HTTP/2 session: what nghttp2 asks for comes from here.
 *
 * nghttp2 frees without a size and asks for the same few sizes with every stream. One slab, made with the
 * session, holds the session and its first stream; further blocks are blocks of the account. A freed block
 * goes to the spare ones of its size and is handed out again, so that a connection that goes on as before
 * allocates nothing. Each block has its size in 8 bytes in front of it.
 *
 * The frame buffer of a session (16 KB, more than half of what an idle one takes) is the same memory for all
 * sessions of a multi. It is the first block of that size that nghttp2_session_client_new3() asks for.
 * nghttp2 writes a frame into it and returns it from nghttp2_session_mem_send(), and looks at it no more: so
 * the bytes that this function returns must be copied before another session of the multi sends, and
 * nghttp2_session_send(), which keeps what could not be sent, must not be used.
 *
 * Invariants: used <= MOTE_H2_SLAB; outside the slab, live + spare <= most + MOTE_H2_SPARE after each
 *             allocation. A server that makes nghttp2 use blocks of ever other sizes cannot pass that.
 * Ownership:  the session's driver embeds the struct. nghttp2 keeps a pointer to it: it does not move
 *             between mote_h2_memory_init() and mote_h2_memory_close(). All is charged to the account that
 *             init got, part CONN. What sessions share ends with the last of them.
 * Failure:    NULL to nghttp2, which reports NGHTTP2_ERR_NOMEM. Before that, all spare blocks are given back
 *             and the allocator is asked again.
 * A static block (mote_init_static) has no bytes to spare: there, only the slab is used again.
 * Tests:      tests/unit/protocol/test_h2_memory.c */
#ifndef MOTE_PROTOCOL_H2_MEMORY_H
#define MOTE_PROTOCOL_H2_MEMORY_H

#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "protocol/h2_window.h"

/* Bytes of the slab: a session of nghttp2 1.52 without its frame buffer (9 KB), one stream and the header
 * fields that a small answer leaves in the tables. */
#define MOTE_H2_SLAB 11008
/* A frame buffer: a frame of 16,384 bytes, its head and a byte of padding. */
#define MOTE_H2_FRAME 16394
/* Bytes that spare blocks may take beyond what was needed at once: a round of streams of another shape. */
#define MOTE_H2_SPARE 16384
/* The largest block. The tables of 100,000 streams take 4 MB. */
#define MOTE_H2_BLOCK_LIMIT (16u << 20)

#define MOTE_H2_STEP 16   /* sizes are rounded up to it, the 8 bytes in front included */
#define MOTE_H2_SIZES 33  /* lists of spare blocks: of 16, 32 .. 512 bytes ([0] is not used) */

struct mote_h2_block;

/* What the sessions of a multi share. */
struct mote_h2_common {
  struct mote_account *account; /* of the first session, that pays: borrowed */
  struct mote_h2_windows windows;
  uint32_t sessions;         /* that use it */
  _Alignas(8) char frame[MOTE_H2_FRAME];
};

struct mote_h2_memory {
  struct mote_account *account; /* that pays */
  struct mote_h2_common **common; /* where the multi has it */
  char *slab;                   /* MOTE_H2_SLAB bytes */
  uint32_t used;                /* bytes of the slab that were ever handed out */
  bool frugal;                  /* keep no spare blocks but the slab's */
  bool framed;                  /* nghttp2 has its frame buffer */
  size_t live;                  /* bytes nghttp2 holds outside the slab */
  size_t spare;                 /* bytes of spare blocks outside the slab */
  size_t most;                  /* the most live bytes since the session was last idle */
  struct mote_h2_block *large;  /* spare blocks of more than 512 bytes, the last one first */
  struct mote_h2_block *small[MOTE_H2_SIZES]; /* spare blocks by size / MOTE_H2_STEP */
};

/* common: the multi's (transfer/multi.h), made with its first session. False: out of memory; nothing is held
 * then. */
bool mote_h2_memory_init(struct mote_h2_memory *m, struct mote_account *account,
                         struct mote_h2_common **common);
/* nghttp2's hook, for nghttp2_session_client_new3(). */
nghttp2_mem mote_h2_memory_hook(struct mote_h2_memory *m);
/* The connection has no stream now: gives back all spare blocks outside the slab. */
void mote_h2_memory_idle(struct mote_h2_memory *m);
/* Gives back the slab and all spare blocks, after nghttp2_session_del(). m may be all zero. */
void mote_h2_memory_close(struct mote_h2_memory *m);

#endif
