/* base/memory/block.c: best fit in one block. Sizes are those of whole pieces, the number in front
 * included. */
#include "base/memory/block.h"

#include <string.h>

#include "base/memory.h"
#include "port/lock.h"

#define ALIGN 8u
#define ROUNDED(n) (((n) + ALIGN - 1) / ALIGN * ALIGN)
#define FRONT ((uint32_t)sizeof(uint32_t))
#define LEAST ROUNDED(FRONT + (uint32_t)sizeof(struct piece))
#define MOST (UINT32_MAX / ALIGN * ALIGN)

/* A free piece; a pointer to it is where a block's bytes would begin. */
struct piece {
  struct piece *next; /* at a higher address, or NULL */
};

static struct {
  uint32_t none[2];  /* 0: the size of `first`, which nothing touches */
  struct piece first; /* not a piece: its next is the first one */
  struct mote_mutex lock;
  struct mote_block_info info; /* without `largest` */
} block;

static uint32_t *block_size_of(void *p)
{
  return (uint32_t *)p - 1;
}

static struct piece *piece_at(struct piece *p, uint32_t size)
{
  return (struct piece *)(void *)((char *)p + size);
}

static uint32_t block_whole(size_t size)
{
  uint32_t n = size > MOST - FRONT ? MOST : ROUNDED((uint32_t)size + FRONT);
  return n < LEAST ? LEAST : n;
}

static struct piece *block_before(const struct piece *p)
{
  struct piece *prev = &block.first;
  while(prev->next && prev->next < p)
    prev = prev->next;
  return prev;
}

/* Joins p and the next free piece if they touch. */
static void block_join(struct piece *p)
{
  struct piece *next = p->next;
  if(piece_at(p, *block_size_of(p)) == next) {
    *block_size_of(p) += *block_size_of(next);
    p->next = next->next;
  }
}

static void block_put(struct piece *p)
{
  struct piece *prev = block_before(p);
  block.info.used -= *block_size_of(p);
  p->next = prev->next;
  prev->next = p;
  block_join(p);
  block_join(prev);
}

/* Cuts a used block down to `size` bytes at its front, or (at_end) at its end, and frees the rest. */
static struct piece *block_cut(struct piece *p, uint32_t size, bool at_end)
{
  uint32_t rest = *block_size_of(p) - size;
  struct piece *q;
  if(rest < LEAST)
    return p;
  q = piece_at(p, at_end ? rest : size);
  *block_size_of(p) = at_end ? rest : size;
  *block_size_of(q) = at_end ? size : rest;
  block_put(at_end ? p : q);
  return at_end ? q : p;
}

static struct piece *block_take(uint32_t need)
{
  struct piece *best = NULL; /* in front of the smallest piece that is large enough */
  struct piece *prev;
  struct piece *p;
  uint32_t largest = 0;
  for(prev = &block.first; (p = prev->next) != NULL; prev = p) {
    uint32_t have = *block_size_of(p);
    if(have > largest)
      largest = have;
    if(have >= need && (!best || have < *block_size_of(best->next)))
      best = prev;
  }
  if(!best) {
    block.info.missing = need - largest;
    return NULL;
  }
  p = best->next;
  best->next = p->next;
  block.info.used += *block_size_of(p);
  return block_cut(p, need, need >= MOTE_BLOCK_LARGE);
}

/* Resizes in place if the bytes that follow are free, else makes a copy and leaves p. */
static struct piece *block_resize(struct piece *p, uint32_t need)
{
  struct piece *prev = block_before(p);
  struct piece kept = *p;
  uint32_t had = *block_size_of(p);
  struct piece *q = p;
  p->next = prev->next;
  block_join(p);
  prev->next = p->next;
  *p = kept;
  block.info.used += *block_size_of(p) - had;
  if(need > *block_size_of(p)) {
    q = block_take(need);
    if(q)
      memcpy(q, p, had - FRONT);
    need = had;
  }
  (void)block_cut(p, need, false);
  return q;
}

/* Resizes p. p NULL: a new block; size 0: p is freed. */
static void *block_change(void *p, size_t size)
{
  struct piece *q = NULL;
  mote_port_lock(&block.lock);
  if(size)
    q = p ? block_resize(p, block_whole(size)) : block_take(block_whole(size));
  if(block.info.used > block.info.peak)
    block.info.peak = block.info.used;
  if(p && (!size || (q && q != p)))
    block_put(p);
  mote_port_unlock(&block.lock);
  return q;
}

static void *block_malloc(size_t size)
{
  return block_change(NULL, size);
}

static void block_free(void *p)
{
  (void)block_change(p, 0);
}

static const struct mote_allocator block_allocator = {
  .malloc_fn = block_malloc,
  .free_fn = block_free,
  .realloc_fn = block_change,
};

void mote_block_open(void *p, size_t size)
{
  uintptr_t from = ROUNDED((uintptr_t)p + FRONT);
  uintptr_t to = ((uintptr_t)p + (size < MOST ? size : MOST) + FRONT) / ALIGN * ALIGN;
  struct piece *only = piece_at(p, (uint32_t)(from - (uintptr_t)p));
  block.info = (struct mote_block_info){.size = (uint32_t)(to - from)};
  *block_size_of(only) = block.info.size;
  only->next = NULL;
  block.first.next = only;
  mote_mem_set_allocator(&block_allocator);
}

bool mote_block_close(void)
{
  if(block.info.used)
    return false;
  if(block.info.size)
    mote_mem_set_allocator(NULL);
  block.info.size = 0;
  block.first.next = NULL;
  return true;
}

uint32_t mote_block_missing(void)
{
  return block.info.missing;
}

bool mote_block_get(struct mote_block_info *out)
{
  struct piece *p;
  mote_port_lock(&block.lock);
  *out = block.info;
  for(p = block.first.next; p; p = p->next)
    if(*block_size_of(p) > out->largest)
      out->largest = *block_size_of(p);
  mote_port_unlock(&block.lock);
  return out->size > 0;
}
