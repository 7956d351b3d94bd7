/* base/memory.c: accounts over one replaceable allocator. */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "port/lock.h"

static const struct mote_allocator libc_allocator = {
  .malloc_fn = malloc,
  .free_fn = free,
  .realloc_fn = realloc,
  .calloc_fn = calloc,
};

static struct mote_allocator allocator = {
  .malloc_fn = malloc,
  .free_fn = free,
  .realloc_fn = realloc,
  .calloc_fn = calloc,
};

static struct {
  atomic_size_t live;
  atomic_size_t peak;
  atomic_size_t calls;
} parts[MOTE_PART_LAST];

/* The process account is shared between threads: its live bytes are changed atomically. */
static struct mote_account process_account;
static struct mote_mutex process_lock = MOTE_MUTEX_INIT;

struct mote_account *mote_mem_process(void)
{
  return &process_account;
}

void mote_mem_set_allocator(const struct mote_allocator *fresh)
{
  allocator = fresh ? *fresh : libc_allocator;
}

static void lock_if_process(const struct mote_account *a)
{
  if(a == &process_account)
    mote_port_lock(&process_lock);
}

static void unlock_if_process(const struct mote_account *a)
{
  if(a == &process_account)
    mote_port_unlock(&process_lock);
}

/* Take room for `size` bytes before the allocation, so that a limit is never passed, even for a moment. */
static int reserve(struct mote_account *a, size_t size)
{
  int ok;
  lock_if_process(a);
  ok = !a->limit || (size <= a->limit && a->live <= a->limit - size);
  if(ok)
    a->live += size;
  else
    a->refused++;
  unlock_if_process(a);
  return ok;
}

static void release(struct mote_account *a, size_t size)
{
  lock_if_process(a);
  a->live -= size;
  unlock_if_process(a);
}

static void count_part(enum mote_part part, size_t grown, size_t shrunk)
{
  size_t change = grown - shrunk; /* modulo SIZE_MAX + 1 */
  size_t live = atomic_fetch_add_explicit(&parts[part].live, change, memory_order_relaxed) + change;
  size_t peak = atomic_load_explicit(&parts[part].peak, memory_order_relaxed);
  while(grown && live > peak &&
        !atomic_compare_exchange_weak_explicit(&parts[part].peak, &peak, live, memory_order_relaxed,
                                               memory_order_relaxed))
    ;
}

static void granted(struct mote_account *a, enum mote_part part, size_t grown)
{
  lock_if_process(a);
  if(a->live > a->peak)
    a->peak = a->live;
  a->calls++;
  unlock_if_process(a);
  atomic_fetch_add_explicit(&parts[part].calls, 1, memory_order_relaxed);
  count_part(part, grown, 0);
}

void *mote_mem_alloc(struct mote_account *a, enum mote_part part, size_t size)
{
  void *p;
  size += !size;
  if(!reserve(a, size))
    return NULL;
  p = allocator.malloc_fn(size);
  if(!p) {
    release(a, size);
    return NULL;
  }
  granted(a, part, size);
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
  if(size > old_size && !reserve(a, size - old_size))
    return NULL;
  q = allocator.realloc_fn(p, size);
  if(!q) {
    if(size > old_size)
      release(a, size - old_size);
    return NULL;
  }
  if(size > old_size)
    granted(a, part, size - old_size);
  else if(size < old_size) {
    release(a, old_size - size);
    count_part(part, 0, old_size - size);
  }
  return q;
}

void mote_mem_free(struct mote_account *a, enum mote_part part, void *p, size_t size)
{
  if(!p)
    return;
  size += !size;
  allocator.free_fn(p);
  release(a, size);
  count_part(part, 0, size);
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

void mote_mem_move(struct mote_account *from, struct mote_account *to, size_t size)
{
  release(from, size);
  lock_if_process(to);
  to->live += size;
  if(to->live > to->peak)
    to->peak = to->live;
  unlock_if_process(to);
}

void *mote_mem_public_alloc(size_t size)
{
  return allocator.malloc_fn(size + !size);
}

void *mote_mem_public_realloc(void *p, size_t size)
{
  return allocator.realloc_fn(p, size + !size);
}

void mote_mem_public_free(void *p)
{
  if(p)
    allocator.free_fn(p);
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

void mote_mem_part_get(enum mote_part part, struct mote_part_count *out)
{
  out->live = atomic_load_explicit(&parts[part].live, memory_order_relaxed);
  out->peak = atomic_load_explicit(&parts[part].peak, memory_order_relaxed);
  out->calls = atomic_load_explicit(&parts[part].calls, memory_order_relaxed);
}
