/* count.c: counts what a process asks of the allocator (LD_PRELOAD=count.so).
 *
 * Every block carries a head of 32 bytes with the size that was asked for, so that bytes are exact. Calls
 * are counted by the module that made them. "own" is the program itself and any libcurl or libmote; the rest
 * is the C library's, the TLS library's and so on.
 *
 * COUNT_OUT=file: one line at exit is added to that file.
 * Programs may find mote_count_now() and mote_count_peak_reset() by dlsym(). */
#define _GNU_SOURCE
#include "count.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define MAGIC 0x6d6f7465636f756eULL
#define CALLER __builtin_return_address(0)

void *__libc_malloc(size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

struct head {
  uint64_t magic; /* MAGIC while the block is live */
  size_t size;    /* as asked for */
  void *base;     /* what the C library gave */
  uint64_t own;   /* 1: by the program or libcurl/libmote */
};
_Static_assert(sizeof(struct head) == 32, "blocks stay aligned to 16");

static atomic_flag busy = ATOMIC_FLAG_INIT;
static struct count total;

static void lock(void)
{
  while(atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    ;
}

static void unlock(void)
{
  atomic_flag_clear_explicit(&busy, memory_order_release);
}

/* glibc's _dl_find_object takes no lock and allocates nothing. */
static int is_own(void *caller)
{
  struct dl_find_object found;
  const char *name;
  if(_dl_find_object(caller, &found))
    return 0;
  name = found.dlfo_link_map->l_name;
  return !*name || strstr(name, "libcurl") || strstr(name, "libmote");
}

static void grow(size_t size, int own)
{
  total.calls++;
  total.live += (long)size;
  if(total.live > total.peak)
    total.peak = total.live;
  if(own) {
    total.own_calls++;
    total.own_live += (long)size;
    if(total.own_live > total.own_peak)
      total.own_peak = total.own_live;
  }
}

static void shrink(size_t size, int own)
{
  total.live -= (long)size;
  if(own)
    total.own_live -= (long)size;
}

static void *block(size_t align, size_t size, void *caller)
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
  h->own = (uint64_t)(is_own(caller) != 0);
  lock();
  grow(size, (int)h->own);
  unlock();
  return h + 1;
}

/* NULL: not one of ours (the loader's first blocks). */
static struct head *head_of(void *p)
{
  struct head *h = (struct head *)p - 1;
  return h->magic == MAGIC ? h : NULL;
}

EXPORT void *malloc(size_t size)
{
  return block(16, size, CALLER);
}

EXPORT void *calloc(size_t n, size_t size)
{
  void *p;
  if(size && n > SIZE_MAX / size) {
    errno = ENOMEM;
    return NULL;
  }
  p = block(16, n * size, CALLER);
  return p ? memset(p, 0, n * size) : NULL;
}

EXPORT void free(void *p)
{
  struct head *h = p ? head_of(p) : NULL;
  if(!p)
    return;
  if(!h) {
    __libc_free(p);
    return;
  }
  h->magic = 0;
  lock();
  shrink(h->size, (int)h->own);
  unlock();
  __libc_free(h->base);
}

/* A realloc is one call, and never holds two blocks. */
static void *resize(void *p, size_t size, void *caller)
{
  struct head *old = head_of(p);
  size_t kept;
  void *q;
  if(!old) {
    errno = ENOMEM;
    return NULL;
  }
  kept = old->size;
  lock();
  shrink(kept, (int)old->own);
  unlock();
  q = block(16, size, caller);
  if(!q) {
    lock();
    total.live += (long)kept;
    total.own_live += old->own ? (long)kept : 0;
    unlock();
    return NULL;
  }
  memcpy(q, p, kept < size ? kept : size);
  old->magic = 0;
  __libc_free(old->base);
  return q;
}

EXPORT void *realloc(void *p, size_t size)
{
  if(!p)
    return block(16, size, CALLER);
  if(!size) {
    free(p);
    return NULL;
  }
  return resize(p, size, CALLER);
}

EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
  if(size && n > SIZE_MAX / size) {
    errno = ENOMEM;
    return NULL;
  }
  return p ? resize(p, n * size, CALLER) : block(16, n * size, CALLER);
}

EXPORT void *memalign(size_t align, size_t size)
{
  return block(align, size, CALLER);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
  return block(align, size, CALLER);
}

EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
  void *p = block(align, size, CALLER);
  if(!p)
    return ENOMEM;
  *out = p;
  return 0;
}

EXPORT size_t malloc_usable_size(void *p)
{
  struct head *h = p ? head_of(p) : NULL;
  return h ? h->size : 0;
}

/* Here, so that the call is counted for who wanted the copy and not for the C library. */
EXPORT char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  char *p = block(16, n, CALLER);
  return p ? memcpy(p, s, n) : NULL;
}

EXPORT char *strndup(const char *s, size_t max)
{
  size_t n = strnlen(s, max);
  char *p = block(16, n + 1, CALLER);
  if(!p)
    return NULL;
  memcpy(p, s, n);
  p[n] = 0;
  return p;
}

EXPORT void mote_count_now(struct count *out)
{
  lock();
  *out = total;
  unlock();
}

EXPORT void mote_count_peak_reset(void)
{
  lock();
  total.peak = total.live;
  total.own_peak = total.own_live;
  unlock();
}

__attribute__((destructor)) static void report(void)
{
  const char *name = getenv("COUNT_OUT");
  char line[200];
  int fd;
  int n;
  if(!name)
    return;
  n = snprintf(line, sizeof line, "calls=%ld peak=%ld live=%ld own_calls=%ld own_peak=%ld own_live=%ld\n",
               total.calls, total.peak, total.live, total.own_calls, total.own_peak, total.own_live);
  fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if(fd < 0)
    return;
  if(write(fd, line, (size_t)n) != n)
    _exit(99);
  close(fd);
}
