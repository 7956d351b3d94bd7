/* base/out.h: writes texts and numbers into a block of the caller's, and never past its end.
 *
 * A writer that measures first and then writes through a bare pointer is right only as long as both halves
 * agree. Here each piece is checked against the room that is left. A piece that does not fit is left out as a
 * whole, and so is all after it, so that what is there is always the beginning of what was meant; `cut` says
 * so, and is looked at once, at the end:
 *
 *   struct mote_out o = mote_out_in(block, sizeof block);
 *   mote_out_text(&o, "SIZE ");
 *   mote_out_slice(&o, name);
 *   if(o.cut)
 *     return CURLE_TOO_LARGE;
 *
 * Nothing is allocated. The bytes are not NUL-terminated unless the caller writes one (mote_out_end_text()).
 *
 * Invariants: len <= room; once set, `cut` stays.
 * Ownership:  the block is the caller's, and must outlive the writer.
 * Errors:     `cut`: something did not fit, or a format was wrong.
 * Tests:      tests/unit/base/test_out.c */
#ifndef MOTE_BASE_OUT_H
#define MOTE_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

struct mote_out {
  char *ptr;   /* the block; may be NULL without room */
  size_t len;  /* bytes written */
  size_t room; /* bytes of the block */
  bool cut;    /* something was left out */
};

static inline struct mote_out mote_out_in(char *block, size_t room)
{
  struct mote_out o = {block, 0, room, false};
  return o;
}

/* These are not static, so that a build for size (-Os) has one copy of each where it does not inline them. */

/* Reports whether n more bytes fit, and notes it where they do not. */
inline bool mote_out_fits(struct mote_out *o, size_t n)
{
  o->cut = o->cut || n > o->room - o->len;
  return !o->cut;
}

inline void mote_out_char(struct mote_out *o, char c)
{
  if(mote_out_fits(o, 1))
    o->ptr[o->len++] = c;
}

/* bytes may be NULL where n is 0. */
inline void mote_out_bytes(struct mote_out *o, const void *bytes, size_t n)
{
  if(!n || !mote_out_fits(o, n))
    return;
  memcpy(o->ptr + o->len, bytes, n);
  o->len += n;
}

static inline void mote_out_slice(struct mote_out *o, struct mote_slice s)
{
  mote_out_bytes(o, s.ptr, s.len);
}

/* Numbers in network order. */
static inline void mote_out_16(struct mote_out *o, uint16_t n)
{
  const char bytes[] = {(char)(n >> 8), (char)n};
  mote_out_bytes(o, bytes, sizeof bytes);
}

static inline void mote_out_32(struct mote_out *o, uint32_t n)
{
  const char bytes[] = {(char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n};
  mote_out_bytes(o, bytes, sizeof bytes);
}

static inline void mote_out_64(struct mote_out *o, uint64_t n)
{
  mote_out_32(o, (uint32_t)(n >> 32));
  mote_out_32(o, (uint32_t)n);
}

static inline void mote_out_text(struct mote_out *o, const char *text)
{
  mote_out_bytes(o, text, strlen(text));
}

/* Writes a slice with its capitals made small. */
void mote_out_lower(struct mote_out *o, struct mote_slice s);
/* Writes a number in decimal digits. */
void mote_out_dec(struct mote_out *o, uint64_t v);

/* Writes a NUL that does not count in `len`. A text that was cut ends where it was cut. room is not 0. */
static inline void mote_out_end_text(struct mote_out *o)
{
  if(o->len == o->room) {
    o->cut = true;
    o->len--;
  }
  o->ptr[o->len] = 0;
}

/* What was written. */
static inline struct mote_slice mote_out_written(const struct mote_out *o)
{
  struct mote_slice s = {o->ptr, o->len};
  return s;
}

#endif
