/* log/held.c: which blocks and descriptors are held, and how large the blocks are.
 *
 * Blocks: an open-addressed table in pages of its own (mmap), at most half full, doubled when it would be
 * more. Without pages for it no further block is held, and none is called bad. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "log/inner.h"

struct slot {
  uintptr_t block; /* 0: free */
  size_t size;
  struct mote_log_where from; /* the place that asked for it */
};

enum {
  FIRST = 1 << 14,   /* slots */
  MOST_FDS = 1 << 20 /* descriptors known by number */
};

static struct slot *slots;
static size_t room, full;
static bool lost; /* a block is not in the table */
static atomic_uchar how_made[MOST_FDS]; /* the call, plus 1; 0: not held */
static atomic_llong blocks, bytes, fds, bad;

void mote_log_held_get(struct mote_log_held *out)
{
  out->blocks = atomic_load(&blocks);
  out->bytes = atomic_load(&bytes);
  out->fds = atomic_load(&fds);
  out->bad = atomic_load(&bad);
}

static size_t held_home(uintptr_t block)
{
  return (size_t)((block >> 4) * (uintptr_t)0x9E3779B97F4A7C15u >> 20) & (room - 1);
}

static void held_insert(struct slot s)
{
  size_t i = held_home(s.block);
  while(slots[i].block)
    i = (i + 1) & (room - 1);
  slots[i] = s;
  full++;
}

struct mote_log_where mote_log_held_one(void)
{
  struct mote_log_where none = {NULL, 0};
  size_t i;
  for(i = 0; i < room; i++)
    if(slots[i].block)
      return slots[i].from;
  return none;
}

static bool held_grow(void)
{
  struct slot *old = slots;
  size_t old_room = room, i;
  size_t wanted = room ? room * 2 : FIRST;
  void *pages =
    mmap(NULL, wanted * sizeof *slots, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if(pages == MAP_FAILED)
    return false;
  slots = pages;
  room = wanted;
  full = 0;
  for(i = 0; i < old_room; i++)
    if(old[i].block)
      held_insert(old[i]);
  if(old)
    (void)munmap(old, old_room * sizeof *slots);
  return true;
}

void mote_log_hold(const void *p, size_t size)
{
  int saved = errno;
  if(full * 2 >= room && !held_grow())
    lost = true;
  else {
    held_insert((struct slot){(uintptr_t)p, size, mote_log_here()});
    atomic_fetch_add(&blocks, 1);
    atomic_fetch_add(&bytes, (long long)size);
  }
  errno = saved;
}

/* Empties slot i and moves up those after it that a search would no longer find. */
static void held_empty(size_t i)
{
  size_t next = i;
  full--;
  for(;;) {
    size_t wanted;
    slots[i].block = 0;
    do {
      next = (next + 1) & (room - 1);
      if(!slots[next].block)
        return;
      wanted = held_home(slots[next].block);
    } while(((next - wanted) & (room - 1)) < ((next - i) & (room - 1)));
    slots[i] = slots[next];
    i = next;
  }
}

bool mote_log_drop(const void *p, size_t *size)
{
  size_t i = room ? held_home((uintptr_t)p) : 0;
  while(room && slots[i].block) {
    if(slots[i].block == (uintptr_t)p) {
      *size = slots[i].size;
      held_empty(i);
      atomic_fetch_sub(&blocks, 1);
      atomic_fetch_sub(&bytes, (long long)*size);
      return true;
    }
    i = (i + 1) & (room - 1);
  }
  *size = 0;
  if(lost)
    return true;
  atomic_fetch_add(&bad, 1);
  return false;
}

void mote_log_hold_fd(int fd, enum mote_log_call how)
{
  if(fd > 2 && fd < MOST_FDS && !atomic_exchange(&how_made[fd], (unsigned char)(how + 1)))
    atomic_fetch_add(&fds, 1);
}

void mote_log_drop_fd(int fd)
{
  if(fd >= 0 && fd < MOST_FDS && atomic_exchange(&how_made[fd], 0))
    atomic_fetch_sub(&fds, 1);
}

bool mote_log_is_eventfd(int fd)
{
  return fd >= 0 && fd < MOST_FDS && atomic_load(&how_made[fd]) == MOTE_LOG_EVENTFD + 1;
}
