/* proofs/proof.h: what a harness is made of. A harness is a main() that CBMC runs for all inputs at once: it
 * makes bytes of any value and any length up to a bound, calls the functions that are proven, and states with
 * PROVE() what their headers promise. That no access is out of bounds, no arithmetic overflows and each loop
 * ends is proven without being stated (proofs/run.py).
 *
 * An array without an initializer has any content, and so has what proof_any_*() returns. */
#ifndef MOTE_PROOFS_PROOF_H
#define MOTE_PROOFS_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define PROVE(what) __CPROVER_assert((what), #what)
#define ASSUME(what) __CPROVER_assume(what)

/* Without a body: any value. */
bool nondet_bool(void);
size_t nondet_size(void);
uint8_t nondet_u8(void);
uint16_t nondet_u16(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);
int64_t nondet_i64(void);

/* Any number up to `most`. */
static inline size_t proof_any_up_to(size_t most)
{
  size_t n = nondet_size();
  ASSUME(n <= most);
  return n;
}

/* Any bytes, of any length up to the block's. They lie at the beginning of the block, where a step in front
 * of them is found, or at its end, where one past them is. */
static inline struct mote_slice proof_any_slice(char *block, size_t most)
{
  struct mote_slice s;
  s.len = proof_any_up_to(most);
  s.ptr = nondet_bool() ? block : block + (most - s.len);
  return s;
}

/* The same as a text: no NUL but one after its last byte. `most` is the block's size, the NUL included. */
static inline char *proof_any_text(char *block, size_t most)
{
  size_t len = proof_any_up_to(most - 1), i;
  char *text = block + (most - 1 - len);
  for(i = 0; i + 1 < most; i++)
    ASSUME(i < most - 1 - len || block[i]);
  block[most - 1] = 0;
  return text;
}

/* The last `room` bytes of a block of `size`: what is written past them is found. */
static inline char *proof_room(char *block, size_t size, size_t room)
{
  return block + (size - room);
}

/* Whether a slice lies within another. */
static inline bool proof_within(struct mote_slice inner, struct mote_slice outer)
{
  return __CPROVER_same_object(inner.ptr, outer.ptr) && inner.ptr >= outer.ptr &&
         (size_t)(inner.ptr - outer.ptr) <= outer.len &&
         inner.len <= outer.len - (size_t)(inner.ptr - outer.ptr);
}

#endif
