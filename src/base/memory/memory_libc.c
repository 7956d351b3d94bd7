/* base/memory/memory_libc.c: the C library's allocator, until another one is set. */
#include <stdlib.h>

#include "base/memory.h"

static const struct mote_allocator libc_allocator = {
  .malloc_fn = malloc,
  .free_fn = free,
  .realloc_fn = realloc,
};

struct mote_allocator mote_mem_below = {
  .malloc_fn = malloc,
  .free_fn = free,
  .realloc_fn = realloc,
};

void mote_mem_set_allocator(const struct mote_allocator *fresh)
{
  mote_mem_below = fresh ? *fresh : libc_allocator;
}
