/* base/memory/ceiling.h: the most memory that a transfer can take, added up before it begins.
 *
 * Each module adds its own ceiling in a function mote_*_ceiling(), so that no number is written twice. A sum
 * that does not fit is SIZE_MAX.
 * Tests: tests/unit/base/test_ceiling.c */
#ifndef MOTE_BASE_MEMORY_CEILING_H
#define MOTE_BASE_MEMORY_CEILING_H

#include <stddef.h>
#include <stdint.h>

struct mote_ceiling {
  size_t bytes;   /* held at once, at most */
  size_t largest; /* bytes of the largest block */
};

static inline size_t mote_ceiling_sum(size_t a, size_t b)
{
  return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static inline size_t mote_ceiling_times(size_t a, size_t b)
{
  return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* Adds `count` blocks, each of at most `block` bytes. */
static inline void mote_ceiling_add(struct mote_ceiling *c, size_t count, size_t block)
{
  c->bytes = mote_ceiling_sum(c->bytes, mote_ceiling_times(count, block));
  if(count && block > c->largest)
    c->largest = block;
}

/* Adds another sum `count` times. */
static inline void mote_ceiling_add_all(struct mote_ceiling *c, size_t count, const struct mote_ceiling *more)
{
  c->bytes = mote_ceiling_sum(c->bytes, mote_ceiling_times(count, more->bytes));
  if(count && more->largest > c->largest)
    c->largest = more->largest;
}

#endif
