/* proofs/model/allocator.c: the blocks of base/memory.h for the prover, without the accounts. Each may be
 * refused. A block must be freed, and grown, with the size that was asked for last. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define OWED(what) __CPROVER_assert((what), "base/memory.h: " #what)

void *mote_mem_alloc(struct mote_account *a, enum mote_part part, size_t size)
{
  (void)a;
  (void)part;
  return malloc(size + !size);
}

void *mote_mem_zalloc(struct mote_account *a, enum mote_part part, size_t size)
{
  void *p = mote_mem_alloc(a, part, size);
  if(p)
    memset(p, 0, size);
  return p;
}

void mote_mem_free(struct mote_account *a, enum mote_part part, void *p, size_t size)
{
  (void)a;
  (void)part;
  OWED(!p || __CPROVER_OBJECT_SIZE(p) == size + !size);
  free(p);
}

/* It always moves, so that what still points into the old block is found. */
void *mote_mem_realloc(struct mote_account *a, enum mote_part part, void *p, size_t old_size, size_t size)
{
  void *q = mote_mem_alloc(a, part, size);
  if(p && q) {
    memcpy(q, p, old_size < size ? old_size : size);
    mote_mem_free(a, part, p, old_size);
  }
  return q;
}
