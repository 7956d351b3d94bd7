/* protocol/h2_memory.c: a slab, spare blocks and a common frame buffer for nghttp2. */
#include "protocol/h2_memory.h"

#include <string.h>

#include "base/block.h"
#include "base/list.h"

struct mote_h2_block {
  uint32_t size; /* of the whole block, a multiple of MOTE_H2_STEP */
  uint32_t unused;
  union {
    struct mote_h2_block *next; /* of a spare block */
    char bytes[sizeof(struct mote_h2_block *)];
  } at;
};

#define FRONT offsetof(struct mote_h2_block, at)
/* How many large blocks are looked at for one that fits: those that were freed last. */
#define LARGE_LOOKS 4

static uint32_t whole(size_t size)
{
  return (uint32_t)((size + FRONT + MOTE_H2_STEP - 1) & ~(size_t)(MOTE_H2_STEP - 1));
}

static bool in_slab(const struct mote_h2_memory *m, const struct mote_h2_block *b)
{
  return (uintptr_t)b - (uintptr_t)m->slab < MOTE_H2_SLAB;
}

static struct mote_h2_block **list_of(struct mote_h2_memory *m, uint32_t size)
{
  return size / MOTE_H2_STEP < MOTE_H2_SIZES ? &m->small[size / MOTE_H2_STEP] : &m->large;
}

static void release(struct mote_h2_memory *m, struct mote_h2_block *b)
{
  mote_mem_free(m->account, MOTE_PART_CONN, b, b->size);
}

/* Frees the blocks of a list that are not in the slab. */
static void thin(struct mote_h2_memory *m, struct mote_h2_block **at)
{
  while(*at) {
    struct mote_h2_block *b = *at;
    if(in_slab(m, b)) {
      at = &b->at.next;
      continue;
    }
    *at = b->at.next;
    m->spare -= b->size;
    release(m, b);
  }
}

static void give_back(struct mote_h2_memory *m)
{
  unsigned i;
  for(i = 1; m->spare && i < MOTE_H2_SIZES; i++)
    thin(m, &m->small[i]);
  if(m->spare)
    thin(m, &m->large);
}

/* A block that was never handed out: the next one of the slab, or one of the account. */
static struct mote_h2_block *fresh(struct mote_h2_memory *m, uint32_t size)
{
  struct mote_h2_block *b;
  if(size <= MOTE_H2_SLAB - m->used) {
    b = (struct mote_h2_block *)(void *)(m->slab + m->used);
    m->used += size;
    b->size = size;
    return b;
  }
  if(m->live + m->spare + size > m->most + MOTE_H2_SPARE)
    give_back(m);
  b = mote_mem_alloc(m->account, MOTE_PART_CONN, size);
  if(!b && m->spare) {
    give_back(m);
    b = mote_mem_alloc(m->account, MOTE_PART_CONN, size);
  }
  if(!b)
    return NULL;
  b->size = size;
  m->live += size;
  if(m->live > m->most)
    m->most = m->live;
  return b;
}

/* A spare block of more than 512 bytes, at most a quarter larger than wanted. */
static struct mote_h2_block *spare_large(struct mote_h2_memory *m, uint32_t size)
{
  struct mote_h2_block **at = &m->large;
  unsigned i;
  for(i = 0; *at && i < LARGE_LOOKS; i++, at = &(*at)->at.next) {
    struct mote_h2_block *b = *at;
    if(b->size >= size && b->size - size <= size / 4) {
      *at = b->at.next;
      return b;
    }
  }
  return NULL;
}

static struct mote_h2_block *spare_small(struct mote_h2_memory *m, uint32_t size)
{
  struct mote_h2_block **list = &m->small[size / MOTE_H2_STEP];
  struct mote_h2_block *b = *list;
  if(b)
    *list = b->at.next;
  return b;
}

static void *take(size_t bytes, void *user)
{
  struct mote_h2_memory *m = user;
  struct mote_h2_block *b;
  uint32_t size;
  if(bytes > MOTE_H2_BLOCK_LIMIT)
    return NULL;
  size = whole(bytes + !bytes);
  b = size / MOTE_H2_STEP < MOTE_H2_SIZES ? spare_small(m, size) : spare_large(m, size);
  if(!b) {
    b = fresh(m, size);
    return b ? b->at.bytes : NULL;
  }
  if(!in_slab(m, b)) {
    m->spare -= b->size;
    m->live += b->size;
  }
  return b->at.bytes;
}

static bool is_frame(const struct mote_h2_memory *m, const void *p)
{
  return p == (*m->common)->frame;
}

static void put(void *p, void *user)
{
  struct mote_h2_memory *m = user;
  struct mote_h2_block *b;
  struct mote_h2_block **list;
  if(!p || is_frame(m, p))
    return;
  b = mote_container_of(p, struct mote_h2_block, at);
  if(!in_slab(m, b)) {
    m->live -= b->size;
    if(m->frugal) {
      release(m, b);
      return;
    }
    m->spare += b->size;
  }
  list = list_of(m, b->size);
  b->at.next = *list;
  *list = b;
}

static void *take_zero(size_t count, size_t each, void *user)
{
  void *p;
  if(each && count > MOTE_H2_BLOCK_LIMIT / each)
    return NULL;
  p = take(count * each, user);
  if(p)
    memset(p, 0, count * each);
  return p;
}

/* The common frame buffer, for the first request that can be for one. */
static void *frame_for(struct mote_h2_memory *m, size_t bytes)
{
  if(m->framed || bytes <= MOTE_H2_FRAME - 16 || bytes > MOTE_H2_FRAME)
    return NULL;
  m->framed = true;
  return (*m->common)->frame;
}

static size_t room_of(const struct mote_h2_memory *m, void *p)
{
  return is_frame(m, p) ? MOTE_H2_FRAME : mote_container_of(p, struct mote_h2_block, at)->size - FRONT;
}

static void *resize(void *p, size_t bytes, void *user)
{
  struct mote_h2_memory *m = user;
  void *q = p ? NULL : frame_for(m, bytes);
  if(q)
    return q;
  if(p && bytes <= room_of(m, p))
    return p;
  q = take(bytes, user);
  if(!q || !p)
    return q;
  memcpy(q, p, room_of(m, p));
  put(p, user);
  return q;
}

static bool join(struct mote_h2_memory *m, bool static_block)
{
  struct mote_h2_common *common = *m->common;
  if(!common) {
    common = mote_mem_alloc(m->account, MOTE_PART_CONN, sizeof *common);
    if(!common)
      return false;
    common->account = m->account;
    common->sessions = 0;
    mote_h2_windows_init(&common->windows, mote_account_room(m->account), static_block);
    *m->common = common;
  }
  common->sessions++;
  return true;
}

static void leave(struct mote_h2_memory *m)
{
  struct mote_h2_common *common = *m->common;
  if(--common->sessions)
    return;
  *m->common = NULL;
  mote_mem_free(common->account, MOTE_PART_CONN, common, sizeof *common);
}

bool mote_h2_memory_init(struct mote_h2_memory *m, struct mote_account *account,
                         struct mote_h2_common **common)
{
  struct mote_block_info info;
  memset(m, 0, sizeof *m);
  m->account = account;
  m->common = common;
  m->frugal = mote_block_get(&info);
  if(!join(m, m->frugal))
    return false;
  m->slab = mote_mem_alloc(account, MOTE_PART_CONN, MOTE_H2_SLAB);
  if(!m->slab)
    leave(m);
  return m->slab;
}

nghttp2_mem mote_h2_memory_hook(struct mote_h2_memory *m)
{
  nghttp2_mem hook;
  hook.mem_user_data = m;
  hook.malloc = take;
  hook.free = put;
  hook.calloc = take_zero;
  hook.realloc = resize;
  return hook;
}

void mote_h2_memory_idle(struct mote_h2_memory *m)
{
  give_back(m);
  m->most = m->live;
}

void mote_h2_memory_close(struct mote_h2_memory *m)
{
  if(!m->slab)
    return;
  give_back(m);
  mote_mem_free(m->account, MOTE_PART_CONN, m->slab, MOTE_H2_SLAB);
  m->slab = NULL;
  leave(m);
}
