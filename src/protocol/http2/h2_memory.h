/* protocol/http2/h2_memory.h: the memory of one HTTP/2 session: what nghttp2 asks for comes from here.
 *
 * It is a slab (base/memory/slab.h) whose first block holds the session, its first stream and the fields of a
 * small answer. Header fields, which stay in the tables of HPACK, have chunks of their own, so that those of
 * streams become free.
 *
 * The frame buffer of a session (16 KB, more than half of what an idle one takes) is the same memory for all
 * sessions of a multi, with versions of nghttp2 that were tested with it (h2_memory.c). nghttp2 writes a
 * frame into it and returns it from nghttp2_session_mem_send(), and looks at it no more: so the bytes that
 * this function returns must be copied before another session of the multi sends, and nghttp2_session_send(),
 * which keeps what could not be sent, must not be used. It is also the multi's buffer, unless a larger one is
 * asked for, so that the bytes must be copied to other memory.
 *
 * Ownership:  the session's driver embeds the struct. nghttp2 keeps a pointer to it: it does not move
 *             between mote_h2_memory_init() and mote_h2_memory_close(). All is charged to the account that
 *             init got, part CONN. What sessions share ends with the last of them.
 * Failure:    NULL to nghttp2, which reports NGHTTP2_ERR_NOMEM.
 * Tests:      tests/unit/protocol/test_h2_memory.c */
#ifndef MOTE_PROTOCOL_HTTP2_H2_MEMORY_H
#define MOTE_PROTOCOL_HTTP2_H2_MEMORY_H

#include <nghttp2/nghttp2.h>

#include "base/memory/slab.h"
#include "net/mux/window.h"
#include "transfer/schedule.h"

/* Bytes of the slab: a session of nghttp2 without its frame buffer (9 KB in 1.52, 5 KB in 1.64, whose table
 * of streams begins small), one stream and the header fields that a small answer leaves in the tables. */
#if NGHTTP2_VERSION_NUM >= 0x014000
#define MOTE_H2_SLAB 7616
#else
#define MOTE_H2_SLAB 11408
#endif
/* A frame buffer: a frame of 16,384 bytes, its head and a byte of padding. */
#define MOTE_H2_FRAME 16394
/* Spare bytes that an idle connection keeps: what ten streams at a time need. More is all given back. */
#define MOTE_H2_IDLE_SPARE 16384

/* What the sessions of a multi share. */
struct mote_h2_common {
  struct mote_loan loan;     /* first: the frame buffer, as the multi's buffer (transfer/schedule.h) */
  struct mote_account *account; /* of the first session, that pays: borrowed */
  uint32_t sessions;         /* that use it */
  bool framing;              /* `frame` is the frame buffer of all of them */
  struct mote_mux_windows windows;
  _Alignas(8) char frame[MOTE_H2_FRAME];
};

struct mote_h2_memory {
  struct mote_slab slab;
  struct mote_h2_common **common; /* where the multi has it */
  bool framed;                    /* nghttp2 has its frame buffer */
};

/* common: the multi's (transfer/multi.h), made with its first session. False: out of memory; nothing is held
 * then. */
bool mote_h2_memory_init(struct mote_h2_memory *m, struct mote_account *account,
                         struct mote_h2_common **common);
/* nghttp2's hook, for nghttp2_session_client_new3(). */
nghttp2_mem mote_h2_memory_hook(struct mote_h2_memory *m);
/* A block of zeros for the driver, which lives as long as a stream. NULL: out of memory. */
void *mote_h2_memory_take(struct mote_h2_memory *m, size_t bytes);
void mote_h2_memory_put(struct mote_h2_memory *m, void *p); /* NULL is allowed */
/* The connection has no stream now: gives back what is spare. */
static inline void mote_h2_memory_idle(struct mote_h2_memory *m)
{
  mote_slab_idle(&m->slab, MOTE_H2_IDLE_SPARE);
}
/* Reports whether that is worth a turn of the driver. */
static inline bool mote_h2_memory_has_spare(const struct mote_h2_memory *m)
{
  return mote_slab_spare(&m->slab) > MOTE_H2_IDLE_SPARE;
}
/* Reports whether mote_h2_memory_close() ends what sessions share. */
static inline bool mote_h2_memory_is_last(const struct mote_h2_memory *m)
{
  return m->slab.first && (*m->common)->sessions == 1;
}
/* Gives back the slab and all spare blocks, after nghttp2_session_del(). m may be all zero. */
void mote_h2_memory_close(struct mote_h2_memory *m);

#endif
