/* base/memory/memory_none.c: no memory until an allocator is set, in a build without malloc. */
#include "base/memory.h"

static void *no_malloc(size_t size)
{
  (void)size;
  return NULL;
}

static void *no_realloc(void *p, size_t size)
{
  (void)p;
  (void)size;
  return NULL;
}

static void no_free(void *p)
{
  (void)p;
}

static const struct mote_allocator no_allocator = {
  .malloc_fn = no_malloc,
  .free_fn = no_free,
  .realloc_fn = no_realloc,
};

struct mote_allocator mote_mem_below = {
  .malloc_fn = no_malloc,
  .free_fn = no_free,
  .realloc_fn = no_realloc,
};

void mote_mem_set_allocator(const struct mote_allocator *fresh)
{
  mote_mem_below = fresh ? *fresh : no_allocator;
}
