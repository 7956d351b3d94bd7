/* base/memory.c: every block, out of one replaceable allocator and into an account. */
#include "base/memory.h"

#include <string.h>

void *mote_mem_alloc(struct mote_account *a, enum mote_part part, size_t size)
{
  void *p;
  size += !size;
  if(!mote_account_reserve(a, size))
    return NULL;
  p = mote_mem_below.malloc_fn(size);
  if(!p) {
    mote_account_cancel(a, size);
    return NULL;
  }
  mote_account_granted(a, part, size);
  return p;
}

void *mote_mem_zalloc(struct mote_account *a, enum mote_part part, size_t size)
{
  void *p = mote_mem_alloc(a, part, size);
  if(p)
    memset(p, 0, size);
  return p;
}

void *mote_mem_realloc(struct mote_account *a, enum mote_part part, void *p, size_t old_size, size_t size)
{
  void *q;
  if(!p)
    return mote_mem_alloc(a, part, size);
  old_size += !old_size;
  size += !size;
  if(size > old_size && !mote_account_reserve(a, size - old_size))
    return NULL;
  q = mote_mem_below.realloc_fn(p, size);
  if(!q) {
    if(size > old_size)
      mote_account_cancel(a, size - old_size);
    return NULL;
  }
  if(size > old_size)
    mote_account_granted(a, part, size - old_size);
  else if(size < old_size)
    mote_account_release(a, part, old_size - size);
  return q;
}

/* Windows of decoders and the multi's buffers are large, and would cost more than the transfers that use
 * them. */
static bool memory_may_hold_secret(enum mote_part part)
{
  return part != MOTE_PART_BUFFER && part != MOTE_PART_CODEC;
}

void mote_mem_free(struct mote_account *a, enum mote_part part, void *p, size_t size)
{
  if(!p)
    return;
  size += !size;
  if(memory_may_hold_secret(part))
    memset(p, 0, size); /* what is called through a pointer may read it, so that no compiler leaves it out */
  mote_mem_below.free_fn(p);
  mote_account_release(a, part, size);
}

char *mote_mem_strndup(struct mote_account *a, enum mote_part part, const char *s, size_t len)
{
  char *p = mote_mem_alloc(a, part, len + 1);
  if(p) {
    memcpy(p, s, len);
    p[len] = 0;
  }
  return p;
}

void *mote_mem_public_alloc(size_t size)
{
  return mote_mem_below.malloc_fn(size + !size);
}

void *mote_mem_public_realloc(void *p, size_t size)
{
  return mote_mem_below.realloc_fn(p, size + !size);
}

void mote_mem_public_free(void *p)
{
  if(p)
    mote_mem_below.free_fn(p);
}

char *mote_mem_public_strndup(const char *s, size_t len)
{
  char *p = mote_mem_public_alloc(len + 1);
  if(p) {
    memcpy(p, s, len);
    p[len] = 0;
  }
  return p;
}
