/* base/memory/account.c: counts the memory of accounts, of their parts, and of the parts of the whole
 * process. */
#include "base/memory.h"

#include <stdatomic.h>
#include <string.h>

#include "port/lock.h"

static struct {
  atomic_size_t live;
  atomic_size_t peak;
  atomic_size_t calls;
} parts[MOTE_PART_LAST];

static struct mote_account_more process_more = { .shared = true };
static struct mote_account process_account = { .more = &process_more };
static struct mote_mutex process_lock = MOTE_MUTEX_INIT;

static atomic_bool detailed; /* accounts opened now keep their parts */

struct mote_account *mote_mem_process(void)
{
  return &process_account;
}

static void lock_if_shared(const struct mote_account_more *m)
{
  if(m->shared)
    mote_port_lock(&process_lock);
}

static void unlock_if_shared(const struct mote_account_more *m)
{
  if(m->shared)
    mote_port_unlock(&process_lock);
}

/* ---- opened and closed ---- */

void mote_account_keep_parts(bool on)
{
  atomic_store(&detailed, on);
}

static size_t memory_account_more_size(bool has_parts)
{
  size_t parts_size = MOTE_PART_LAST * sizeof(struct mote_account_part);
  return sizeof(struct mote_account_more) + (has_parts ? parts_size : 0);
}

size_t mote_account_open_size(void)
{
  return atomic_load(&detailed) ? memory_account_more_size(true) : 0;
}

size_t mote_account_limit_size(void)
{
  return memory_account_more_size(false);
}

/* The account pays for its own block. It comes straight from the allocator, because base/memory.c is above
 * this file and counts here. */
static bool make_more(struct mote_account *a, bool has_parts)
{
  size_t size = memory_account_more_size(has_parts);
  struct mote_account_more *m;
  if(!mote_account_reserve(a, size))
    return false;
  m = mote_mem_below.malloc_fn(size);
  if(!m) {
    mote_account_cancel(a, size);
    return false;
  }
  memset(m, 0, size);
  mote_account_granted(a, MOTE_PART_OTHER, size);
  m->has_parts = has_parts;
  if(has_parts)
    m->parts[MOTE_PART_OTHER] = (struct mote_account_part){ .live = size, .peak = size, .calls = 1 };
  a->more = m;
  return true;
}

bool mote_account_open(struct mote_account *a)
{
  return !atomic_load_explicit(&detailed, memory_order_relaxed) || make_more(a, true);
}

void mote_account_close(struct mote_account *a)
{
  struct mote_account_more *m = a->more;
  size_t size;
  if(!m)
    return;
  size = memory_account_more_size(m->has_parts);
  a->more = NULL;
  mote_mem_below.free_fn(m);
  mote_account_release(a, MOTE_PART_OTHER, size);
}

bool mote_account_limit(struct mote_account *a, size_t bytes)
{
  if(!a->more && !bytes)
    return true;
  if(!a->more && !make_more(a, false))
    return false;
  a->more->limit = bytes;
  return true;
}

size_t mote_account_limit_of(const struct mote_account *a)
{
  return a->more ? a->more->limit : 0;
}

size_t mote_account_room(const struct mote_account *a)
{
  size_t limit = mote_account_limit_of(a);
  if(!limit) /* the process's account, which other threads change, has none */
    return 0;
  return limit > a->live ? limit - a->live : 1;
}

/* ---- the whole process ---- */

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

void mote_mem_part_get(enum mote_part part, struct mote_part_count *out)
{
  out->live = atomic_load_explicit(&parts[part].live, memory_order_relaxed);
  out->peak = atomic_load_explicit(&parts[part].peak, memory_order_relaxed);
  out->calls = atomic_load_explicit(&parts[part].calls, memory_order_relaxed);
}

/* ---- one account ---- */

static void note_peak(struct mote_account *a)
{
  if(a->live > a->peak)
    a->peak = a->live;
}

static void part_grown(struct mote_account_more *m, enum mote_part part, size_t size)
{
  struct mote_account_part *p = &m->parts[part];
  if(!m->has_parts)
    return;
  p->live += size;
  if(p->live > p->peak)
    p->peak = p->live;
}

static void part_shrunk(struct mote_account_more *m, enum mote_part part, size_t size)
{
  if(m->has_parts)
    m->parts[part].live -= size;
}

bool mote_account_reserve_more(struct mote_account *a, size_t size)
{
  struct mote_account_more *m = a->more;
  bool ok;
  lock_if_shared(m);
  ok = !m->limit || (size <= m->limit && a->live <= m->limit - size);
  if(ok)
    a->live += size;
  else
    a->refused++;
  unlock_if_shared(m);
  return ok;
}

static void change_live(struct mote_account *a, size_t grown, size_t shrunk)
{
  if(a->more)
    lock_if_shared(a->more);
  a->live += grown - shrunk;
  if(grown)
    note_peak(a);
  if(a->more)
    unlock_if_shared(a->more);
}

void mote_account_cancel(struct mote_account *a, size_t size)
{
  change_live(a, 0, size);
}

static void granted_more(struct mote_account *a, enum mote_part part, size_t grown)
{
  struct mote_account_more *m = a->more;
  lock_if_shared(m);
  note_peak(a);
  a->calls++;
  part_grown(m, part, grown);
  if(m->has_parts)
    m->parts[part].calls++;
  unlock_if_shared(m);
}

void mote_account_granted(struct mote_account *a, enum mote_part part, size_t grown)
{
  if(a->more)
    granted_more(a, part, grown);
  else {
    note_peak(a);
    a->calls++;
  }
  atomic_fetch_add_explicit(&parts[part].calls, 1, memory_order_relaxed);
  count_part(part, grown, 0);
}

void mote_account_release(struct mote_account *a, enum mote_part part, size_t size)
{
  if(a->more) {
    change_live(a, 0, size);
    part_shrunk(a->more, part, size);
  }
  else
    a->live -= size;
  count_part(part, 0, size);
}
