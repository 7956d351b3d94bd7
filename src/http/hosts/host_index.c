/* http/hosts/host_index.c: entries of hosts in their order, and the table that finds them
 * (http/hosts/host_index.h). */
#include "http/hosts/host_index.h"

#include <string.h>

#include "base/memory.h"

enum {
  FIRST_CAP = 8, /* entries that the first array has room for */
  EACH = sizeof(struct mote_known_host *) + 2 * sizeof(uint16_t) /* bytes of the array per entry */
};

_Static_assert(2 * MOTE_HOSTS_MAX < UINT16_MAX, "a place plus 1 fits a slot, also when as many were removed");

static uint16_t *slots_of(const struct mote_host_index *x)
{
  return (uint16_t *)(void *)(x->entries + x->cap);
}

/* There are twice as many slots as places. */
static uint32_t slot_of(const struct mote_host_index *x, uint32_t hash)
{
  return (hash ^ hash >> 15) * 2654435769u >> 7 & (2 * x->cap - 1);
}

void mote_host_index_init(struct mote_host_index *x, struct mote_account *account, size_t name_at)
{
  memset(x, 0, sizeof *x);
  x->account = account;
  x->name_at = (uint16_t)name_at;
}

static void host_index_free_entry(struct mote_host_index *x, struct mote_known_host *e)
{
  mote_mem_free(x->account, MOTE_PART_OTHER, e, e->size);
}

void mote_host_index_clear(struct mote_host_index *x)
{
  uint32_t i;
  for(i = x->first; i < x->used; i++)
    if(x->entries[i])
      host_index_free_entry(x, x->entries[i]);
  if(x->cap)
    mote_mem_free(x->account, MOTE_PART_OTHER, x->entries, (size_t)x->cap * EACH);
  mote_host_index_init(x, x->account, x->name_at);
}

uint32_t mote_host_hash(struct mote_slice host)
{
  uint32_t hash = MOTE_HOST_HASH;
  while(host.len--)
    hash = mote_host_hash_byte(hash, host.ptr[host.len]);
  return hash;
}

/* Most names are in lower case. */
static bool host_index_is_name(const struct mote_host_index *x, const struct mote_known_host *e,
                               struct mote_slice host)
{
  const char *name = (const char *)e + x->name_at;
  return e->host_len == host.len &&
         (!memcmp(name, host.ptr, host.len) || mote_equal_nocase_n(name, host.ptr, host.len));
}

/* A slot whose entry was removed stays in use, so that a search goes on after it. */
struct mote_known_host *mote_host_index_next(const struct mote_host_index *x, struct mote_slice host,
                                             uint32_t hash, uint32_t *at)
{
  uint32_t mask = 2 * x->cap - 1, place;
  if(!x->live)
    return NULL;
  for(;;) {
    place = slots_of(x)[(slot_of(x, hash) + *at) & mask];
    if(!place)
      return NULL;
    ++*at;
    if(x->entries[place - 1] && host_index_is_name(x, x->entries[place - 1], host))
      return x->entries[place - 1];
  }
}

static void put_slot(struct mote_host_index *x, uint32_t place)
{
  uint32_t mask = 2 * x->cap - 1;
  uint32_t slot = slot_of(x, mote_host_hash(mote_known_host_name(x, x->entries[place])));
  while(slots_of(x)[slot & mask])
    slot++;
  slots_of(x)[slot & mask] = (uint16_t)(place + 1);
}

/* Makes an array without the places of removed entries, twice as long where three quarters are left. */
static bool host_index_make_room(struct mote_host_index *x)
{
  uint32_t cap = !x->cap ? FIRST_CAP : x->live > x->cap / 4 * 3 ? 2 * x->cap : x->cap;
  struct mote_host_index old = *x;
  uint32_t i;
  x->entries = mote_mem_zalloc(x->account, MOTE_PART_OTHER, (size_t)cap * EACH);
  if(!x->entries) {
    *x = old;
    return false;
  }
  x->cap = cap;
  x->used = 0;
  x->first = 0;
  for(i = old.first; i < old.used; i++)
    if(old.entries[i]) {
      x->entries[x->used] = old.entries[i];
      put_slot(x, x->used++);
    }
  if(old.cap)
    mote_mem_free(x->account, MOTE_PART_OTHER, old.entries, (size_t)old.cap * EACH);
  return true;
}

static void remove_at(struct mote_host_index *x, uint32_t place)
{
  host_index_free_entry(x, x->entries[place]);
  x->entries[place] = NULL;
  x->live--;
  while(x->first < x->used && !x->entries[x->first])
    x->first++;
}

struct mote_known_host *mote_host_index_add(struct mote_host_index *x, struct mote_slice host, size_t size)
{
  struct mote_known_host *e;
  if(x->used == x->cap && !host_index_make_room(x))
    return NULL;
  e = mote_mem_zalloc(x->account, MOTE_PART_OTHER, size);
  if(!e)
    return NULL;
  if(x->live == MOTE_HOSTS_MAX)
    remove_at(x, x->first);
  e->size = (uint16_t)size;
  e->host_len = (uint8_t)host.len;
  memcpy((char *)e + x->name_at, host.ptr, host.len);
  x->entries[x->used] = e;
  put_slot(x, x->used++);
  x->live++;
  return e;
}

void mote_host_index_remove(struct mote_host_index *x, struct mote_known_host *e)
{
  uint32_t place, at = 0;
  uint32_t mask = 2 * x->cap - 1;
  uint32_t slot = slot_of(x, mote_host_hash(mote_known_host_name(x, e)));
  for(;; at++) {
    place = slots_of(x)[(slot + at) & mask];
    if(!place)
      return;
    if(x->entries[place - 1] == e) {
      remove_at(x, place - 1);
      return;
    }
  }
}

struct mote_known_host *mote_host_index_walk(const struct mote_host_index *x, uint32_t *at)
{
  if(*at < x->first)
    *at = x->first;
  while(*at < x->used) {
    struct mote_known_host *e = x->entries[(*at)++];
    if(e)
      return e;
  }
  return NULL;
}
