/* memory.c: the allocator, counted (preload.h). Every block has a head with the size that was asked for. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "inner.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct preload_held preload_held;

static atomic_flag busy = ATOMIC_FLAG_INIT;
static struct count total;

static void begin_counting(void)
{
  while(atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    ;
}

static void end_counting(void)
{
  atomic_flag_clear_explicit(&busy, memory_order_release);
}

PRELOAD_EXPORT void mote_count_now(struct count *out)
{
  begin_counting();
  *out = total;
  end_counting();
}

PRELOAD_EXPORT void mote_count_peak_reset(void)
{
  begin_counting();
  total.peak = total.live;
  total.own_peak = total.own_live;
  end_counting();
}

#ifndef PRELOAD_NO_MEMORY

#define MAGIC 0x6d6f7465636f756eULL

void *__libc_malloc(size_t size);
void *__libc_memalign(size_t align, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

struct head {
  uint64_t magic; /* MAGIC while the block is live */
  uint64_t size;  /* as asked for */
  union {
    void *base;   /* what the C library gave */
    uint64_t room; /* as many bytes where pointers are shorter */
  };
  uint64_t by;    /* enum preload_module: the caller */
};
_Static_assert(sizeof(struct head) == 32, "blocks stay aligned to 16");

static void count_block(size_t size, uint64_t by)
{
  total.calls++;
  total.live += (long)size;
  if(total.live > total.peak)
    total.peak = total.live;
  if(by & PRELOAD_OWN) {
    total.own_calls++;
    total.own_live += (long)size;
    if(total.own_live > total.own_peak)
      total.own_peak = total.own_live;
  }
  if(by & PRELOAD_LIBRARY) {
    preload_held.calls++;
    preload_held.blocks++;
    preload_held.bytes += (long long)size;
    if(preload_held.bytes > preload_held.peak)
      preload_held.peak = preload_held.bytes;
  }
}

/* A block that is no longer held (sign -1), or that is held after all (1): neither is an allocation. */
static void count_held(size_t size, uint64_t by, int sign)
{
  total.live += sign * (long)size;
  if(by & PRELOAD_OWN)
    total.own_live += sign * (long)size;
  if(by & PRELOAD_LIBRARY) {
    preload_held.blocks += sign;
    preload_held.bytes += sign * (long long)size;
  }
}

static void *new_block(size_t align, size_t size, enum preload_module by)
{
  size_t room = align > sizeof(struct head) ? align : sizeof(struct head);
  char *base;
  struct head *h;
  if(size > SIZE_MAX - room) {
    errno = ENOMEM;
    return NULL;
  }
  base = align > 16 ? __libc_memalign(align, size + room) : __libc_malloc(size + room);
  if(!base)
    return NULL;
  h = (struct head *)(void *)(base + room) - 1;
  h->magic = MAGIC;
  h->size = size;
  h->base = base;
  h->by = by;
  begin_counting();
  count_block(size, by);
  end_counting();
  return h + 1;
}

static void *asked_for(size_t align, size_t size, void *caller)
{
  enum preload_module by = preload_module_of(caller);
  if(by == PRELOAD_LIBRARY && preload_fails("alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  return new_block(align, size, by);
}

/* NULL: not one of ours (the loader's first blocks). */
static struct head *head_of(void *p)
{
  struct head *h = (struct head *)p - 1;
  return h->magic == MAGIC ? h : NULL;
}

PRELOAD_EXPORT void *malloc(size_t size)
{
  return asked_for(16, size, PRELOAD_CALLER);
}

PRELOAD_EXPORT void *calloc(size_t n, size_t size)
{
  void *p;
  if(size && n > SIZE_MAX / size) {
    errno = ENOMEM;
    return NULL;
  }
  p = asked_for(16, n * size, PRELOAD_CALLER);
  return p ? memset(p, 0, n * size) : NULL;
}

PRELOAD_EXPORT void free(void *p)
{
  struct head *h = p ? head_of(p) : NULL;
  if(!p)
    return;
  if(!h) {
    __libc_free(p);
    return;
  }
  h->magic = 0;
  begin_counting();
  count_held(h->size, h->by, -1);
  end_counting();
  __libc_free(h->base);
}

static void *resize(void *p, size_t size, void *caller)
{
  struct head *old = head_of(p);
  enum preload_module by = preload_module_of(caller);
  void *q;
  if(by == PRELOAD_LIBRARY && preload_fails("alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  if(!old)
    return __libc_realloc(p, size);
  begin_counting();
  count_held(old->size, old->by, -1);
  end_counting();
  q = new_block(16, size, by);
  if(!q) {
    begin_counting();
    count_held(old->size, old->by, 1);
    end_counting();
    return NULL;
  }
  memcpy(q, p, old->size < size ? old->size : size);
  old->magic = 0;
  __libc_free(old->base);
  return q;
}

PRELOAD_EXPORT void *realloc(void *p, size_t size)
{
  if(!p)
    return asked_for(16, size, PRELOAD_CALLER);
  if(!size) {
    free(p);
    return NULL;
  }
  return resize(p, size, PRELOAD_CALLER);
}

PRELOAD_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
  if(size && n > SIZE_MAX / size) {
    errno = ENOMEM;
    return NULL;
  }
  return p ? resize(p, n * size, PRELOAD_CALLER) : asked_for(16, n * size, PRELOAD_CALLER);
}

PRELOAD_EXPORT void *memalign(size_t align, size_t size)
{
  return asked_for(align, size, PRELOAD_CALLER);
}

PRELOAD_EXPORT void *aligned_alloc(size_t align, size_t size)
{
  return asked_for(align, size, PRELOAD_CALLER);
}

PRELOAD_EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
  void *p = asked_for(align, size, PRELOAD_CALLER);
  if(!p)
    return ENOMEM;
  *out = p;
  return 0;
}

PRELOAD_EXPORT size_t malloc_usable_size(void *p)
{
  struct head *h = p ? head_of(p) : NULL;
  return h ? h->size : 0;
}

/* Here, so that the call is counted for the module that wanted the copy and not for the C library. */
PRELOAD_EXPORT char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  char *p = asked_for(16, n, PRELOAD_CALLER);
  return p ? memcpy(p, s, n) : NULL;
}

PRELOAD_EXPORT char *strndup(const char *s, size_t max)
{
  size_t n = strnlen(s, max);
  char *p = asked_for(16, n + 1, PRELOAD_CALLER);
  if(!p)
    return NULL;
  memcpy(p, s, n);
  p[n] = 0;
  return p;
}

#endif
