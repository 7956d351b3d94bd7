/* base/memory/slab.c: blocks, their chunks, and spare blocks by size (base/memory/slab.h). */
#include "base/memory/slab.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/block.h"

/* The head of a block, 4 bytes before an address that is a multiple of 8. The bytes follow; a spare block has
 * the pointer to the next one there. */
struct mote_slab_block {
  uint32_t steps : 22; /* of 8 bytes, head included */
  uint32_t place : 10; /* where it lies in its chunk, in such steps; or IN_FIRST, ALONE */
};

#define STEP 8u
#define HEAD 4u       /* sizeof(struct mote_slab_block) */
#define FINE_MAX 96u  /* bytes of a block: larger ones are multiples of 16 */
#define SMALL_MAX 240u /* there is a list for each size up to this one */
#define CUT_MAX 1024u /* larger blocks are the account's own */

/* mote_slab_block.place */
enum { IN_FIRST, ALONE };

_Static_assert(sizeof(struct mote_slab_block) == HEAD, "the bytes follow it");
_Static_assert((FINE_MAX - 16) / STEP + 1 + (SMALL_MAX - FINE_MAX) / 16 == MOTE_SLAB_LISTS,
               "one for each size");

struct mote_slab_chunk {
  struct mote_slab_chunk *next;
  uint32_t size; /* bytes of the whole chunk */
  uint32_t used; /* bytes that were ever handed out, this head included */
  uint32_t live; /* blocks that the library has */
};

/* Where its first block begins. */
#define CHUNK_HEAD (((uint32_t)sizeof(struct mote_slab_chunk) + STEP - 1) / STEP * STEP + HEAD)

/* How many large blocks are looked at for one that fits: those that were freed last. */
#define LARGE_LOOKS 16

/* Returns the size of a block for so many bytes. */
static uint32_t slab_whole(size_t bytes)
{
  uint32_t size = ((uint32_t)bytes + HEAD + STEP - 1) / STEP * STEP;
  if(size < 16)
    return 16;
  return size > FINE_MAX ? (size + 15) / 16 * 16 : size;
}

static uint32_t slab_size_of(const struct mote_slab_block *b)
{
  return b->steps * STEP;
}

static char *slab_bytes_of(struct mote_slab_block *b)
{
  return (char *)(b + 1);
}

static struct mote_slab_block *slab_block_of(void *p)
{
  return (struct mote_slab_block *)p - 1;
}

static struct mote_slab_block **slab_next_of(struct mote_slab_block *b)
{
  return (struct mote_slab_block **)(void *)slab_bytes_of(b);
}

/* Returns the list of spare blocks for a size. */
static struct mote_slab_block **slab_list_for(struct mote_slab *m, uint32_t size)
{
  if(size > SMALL_MAX)
    return &m->large;
  return &m->small[size <= FINE_MAX ? size / STEP - 2 : FINE_MAX / STEP - 2 + (size - FINE_MAX) / 16];
}

static struct mote_slab_chunk *slab_chunk_of(struct mote_slab_block *b)
{
  return (struct mote_slab_chunk *)(void *)((char *)b - HEAD - b->place * STEP);
}

static void *slab_ask(struct mote_slab *m, size_t size)
{
  void *p = mote_mem_alloc(m->account, MOTE_PART_CONN, size);
  if(p)
    m->held += (uint32_t)size;
  return p;
}

static void slab_release(struct mote_slab *m, void *p, uint32_t size)
{
  m->held -= size;
  mote_mem_free(m->account, MOTE_PART_CONN, p, size);
}

static void slab_free_alone(struct mote_slab *m, struct mote_slab_block *b)
{
  slab_release(m, (char *)b - HEAD, slab_size_of(b) + HEAD);
}

/* ---- giving back ---- */

/* Takes the blocks of chunks without a live block out of a list, and frees those that are the account's
 * own. */
static void slab_thin_list(struct mote_slab *m, struct mote_slab_block **at)
{
  while(*at) {
    struct mote_slab_block *b = *at;
    if(b->place == IN_FIRST || (b->place != ALONE && slab_chunk_of(b)->live)) {
      at = slab_next_of(b);
      continue;
    }
    *at = *slab_next_of(b);
    if(b->place == ALONE)
      slab_free_alone(m, b);
  }
}

static void slab_free_chunks(struct mote_slab *m, struct mote_slab_chunk **at)
{
  while(*at) {
    struct mote_slab_chunk *c = *at;
    if(c->live) {
      at = &c->next;
      continue;
    }
    *at = c->next;
    slab_release(m, c, c->size);
  }
}

static void slab_give_back(struct mote_slab *m)
{
  unsigned i;
  for(i = 0; i < MOTE_SLAB_LISTS; i++)
    slab_thin_list(m, &m->small[i]);
  slab_thin_list(m, &m->large);
  for(i = 0; i < MOTE_SLAB_KINDS; i++)
    slab_free_chunks(m, &m->chunks[i]);
}

/* ---- blocks that were never handed out ---- */

/* Memory of the account: spare memory is given back first if it is much, or if nothing else is left. */
static void *slab_more(struct mote_slab *m, uint32_t size)
{
  void *p;
  if((uint64_t)m->held + size > (uint64_t)m->most + m->plan->spare)
    slab_give_back(m);
  p = slab_ask(m, size);
  if(p)
    return p;
  slab_give_back(m);
  return slab_ask(m, size);
}

static struct mote_slab_chunk *slab_chunk_for(struct mote_slab *m, uint32_t size, unsigned kind)
{
  struct mote_slab_chunk *c = m->chunks[kind];
  uint32_t bytes = m->plan->chunk[kind];
  if(c && size <= c->size - c->used)
    return c;
  c = slab_more(m, bytes);
  if(!c)
    return NULL;
  c->size = bytes;
  c->used = CHUNK_HEAD;
  c->live = 0;
  c->next = m->chunks[kind];
  m->chunks[kind] = c;
  return c;
}

static struct mote_slab_block *slab_cut(struct mote_slab *m, uint32_t size, unsigned kind)
{
  struct mote_slab_chunk *c = slab_chunk_for(m, size, kind);
  struct mote_slab_block *b;
  if(!c)
    return NULL;
  b = (struct mote_slab_block *)(void *)((char *)c + c->used);
  b->place = (c->used / STEP) & 0x3ff;
  c->used += size;
  c->live++;
  return b;
}

static struct mote_slab_block *slab_alone(struct mote_slab *m, uint32_t size)
{
  char *p = slab_more(m, size + HEAD);
  struct mote_slab_block *b = (struct mote_slab_block *)(void *)(p + HEAD);
  if(!p)
    return NULL;
  b->place = ALONE;
  return b;
}

static struct mote_slab_block *slab_fresh(struct mote_slab *m, uint32_t size, unsigned kind)
{
  bool cut = size <= CUT_MAX && m->plan->chunk[kind] && !m->frugal;
  struct mote_slab_block *b;
  if(m->first && kind >= m->plan->first_from && m->used + size <= m->plan->first) {
    b = (struct mote_slab_block *)(void *)(m->first + m->used);
    m->used = (uint16_t)(m->used + size);
    b->place = IN_FIRST;
  }
  else
    b = cut ? slab_cut(m, size, kind) : slab_alone(m, size);
  if(!b)
    return NULL;
  b->steps = (size / STEP) & 0x3fffff;
  if(b->place != IN_FIRST)
    m->live += size;
  if(m->live > m->most)
    m->most = m->live;
  return b;
}

/* ---- spare blocks ---- */

/* Takes the last one freed that is no smaller, and at most a quarter larger. */
static struct mote_slab_block *slab_large_spare(struct mote_slab *m, uint32_t size)
{
  struct mote_slab_block **at = &m->large;
  unsigned i;
  for(i = 0; *at && i < LARGE_LOOKS; i++, at = slab_next_of(*at)) {
    struct mote_slab_block *b = *at;
    if(slab_size_of(b) >= size && slab_size_of(b) - size <= size / 4) {
      *at = *slab_next_of(b);
      return b;
    }
  }
  return NULL;
}

static struct mote_slab_block *slab_small_spare(struct mote_slab *m, uint32_t size)
{
  struct mote_slab_block **list = slab_list_for(m, size), *b = *list;
  if(b)
    *list = *slab_next_of(b);
  return b;
}

/* The library has the spare block again. */
static void *slab_hand_out(struct mote_slab *m, struct mote_slab_block *b)
{
  if(b->place != IN_FIRST) {
    m->live += slab_size_of(b);
    if(b->place != ALONE)
      slab_chunk_of(b)->live++;
  }
  return slab_bytes_of(b);
}

/* Takes a block of which no spare one is small, or for which there may be no room. */
static void *slab_take_other(struct mote_slab *m, size_t bytes, unsigned kind)
{
  struct mote_slab_block *b;
  uint32_t size;
  if(bytes > m->plan->block)
    return NULL;
  size = slab_whole(bytes);
  if((uint64_t)m->live + size > m->plan->most)
    return NULL;
  b = size > SMALL_MAX ? slab_large_spare(m, size) : slab_small_spare(m, size);
  if(b)
    return slab_hand_out(m, b);
  b = slab_fresh(m, size, kind);
  return b ? slab_bytes_of(b) : NULL;
}

/* Most blocks are small, and one of the size was freed before. */
void *mote_slab_take(struct mote_slab *m, size_t bytes, unsigned kind)
{
  struct mote_slab_block *b;
  if(bytes > SMALL_MAX - HEAD || m->live > m->plan->most - SMALL_MAX)
    return slab_take_other(m, bytes, kind);
  b = slab_small_spare(m, slab_whole(bytes));
  return b ? slab_hand_out(m, b) : slab_take_other(m, bytes, kind);
}

void mote_slab_put(struct mote_slab *m, void *p)
{
  struct mote_slab_block *b, **list;
  if(!p)
    return;
  b = slab_block_of(p);
  if(b->place != IN_FIRST) {
    m->live -= slab_size_of(b);
    if(b->place != ALONE)
      slab_chunk_of(b)->live--;
    else if(m->frugal || mote_slab_spare(m) > m->plan->keep) {
      slab_free_alone(m, b);
      return;
    }
  }
  list = slab_list_for(m, slab_size_of(b));
  *slab_next_of(b) = *list;
  *list = b;
}

size_t mote_slab_room_of(void *p)
{
  return slab_size_of(slab_block_of(p)) - HEAD;
}

void *mote_slab_resize(struct mote_slab *m, void *p, size_t bytes, unsigned kind)
{
  size_t room = p ? mote_slab_room_of(p) : 0;
  void *q;
  if(p && bytes <= room)
    return p;
  q = mote_slab_take(m, bytes, kind);
  if(q && p) {
    memcpy(q, p, room);
    mote_slab_put(m, p);
  }
  return q;
}

/* ---- the whole ---- */

bool mote_slab_open(struct mote_slab *m, const struct mote_slab_plan *plan, struct mote_account *account)
{
  struct mote_block_info info;
  memset(m, 0, sizeof *m);
  m->plan = plan;
  m->account = account;
  m->frugal = mote_block_get(&info);
  m->used = HEAD;
  if(plan->first)
    m->first = mote_mem_alloc(account, MOTE_PART_CONN, plan->first);
  return m->first || !plan->first;
}

void mote_slab_idle(struct mote_slab *m, uint32_t keep)
{
  if(mote_slab_spare(m) > keep)
    slab_give_back(m);
  m->most = m->live;
}

void mote_slab_close(struct mote_slab *m)
{
  if(!m->plan)
    return;
  slab_give_back(m);
  if(m->first)
    mote_mem_free(m->account, MOTE_PART_CONN, m->first, m->plan->first);
  m->plan = NULL;
}
