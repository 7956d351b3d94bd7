/* protocol/http2/h2_memory.c: a slab, spare blocks and a common frame buffer for nghttp2. */
#include "protocol/http2/h2_memory.h"

#include <string.h>

#include "base/memory/block.h"

/* The head of a block, 4 bytes before an address that is a multiple of 8. The bytes follow; a spare block has
 * the pointer to the next one there. */
struct mote_h2_block {
  uint32_t steps : 22; /* of 8 bytes, head included */
  uint32_t place : 10; /* where it lies in its chunk, in such steps; or IN_SLAB, ALONE */
};

#define STEP 8u
#define HEAD 4u /* sizeof(struct mote_h2_block) */
#define FINE_MAX 96u /* bytes of a block: larger ones are multiples of 16 */
#define SMALL_MAX 256u /* there is a list for each size up to this one, a stream's among them */
#define CUT_MAX 1024u /* larger blocks are the account's own */

/* mote_h2_block.place */
enum { IN_SLAB, ALONE };

_Static_assert(sizeof(struct mote_h2_block) == HEAD, "the bytes follow it");
_Static_assert((FINE_MAX - 16) / STEP + 1 + (SMALL_MAX - FINE_MAX) / 16 == MOTE_H2_LISTS,
               "one for each size");
_Static_assert(MOTE_H2_BLOCK_LIMIT / STEP < 1u << 22, "steps has room");

struct mote_h2_chunk {
  struct mote_h2_chunk *next;
  uint32_t size; /* bytes of the whole chunk */
  uint32_t used; /* bytes that were ever handed out, this head included */
  uint32_t live; /* blocks that nghttp2 has */
};

/* Where its first block begins. */
#define CHUNK_HEAD (((uint32_t)sizeof(struct mote_h2_chunk) + STEP - 1) / STEP * STEP + HEAD)
/* Blocks up to this size are of header fields. */
#define FIELD_MAX 128u
/* Three answers of nginx, which adds all of its fields to the table each time. */
#define FIELD_CHUNK 3072u
#define STREAM_CHUNK 4096u
#define OWN_CHUNK 2048u

/* What lives equally long shares a chunk: nghttp2's fields and streams, and the driver's. */
enum kind { FIELD, STREAM, OWN };

_Static_assert(OWN + 1 == MOTE_H2_KINDS, "each has its chunks");

/* How many large blocks are looked at for one that fits: those that were freed last. */
#define LARGE_LOOKS 4

/* Returns the size of a block for so many bytes. */
static uint32_t h2_memory_whole(size_t bytes)
{
  uint32_t size = ((uint32_t)bytes + HEAD + STEP - 1) / STEP * STEP;
  if(size < 16)
    return 16;
  return size > FINE_MAX ? (size + 15) / 16 * 16 : size;
}

static void set_size(struct mote_h2_block *b, uint32_t size)
{
  b->steps = (size / STEP) & 0x3fffff;
}

static uint32_t h2_memory_size_of(const struct mote_h2_block *b)
{
  return b->steps * STEP;
}

static char *h2_memory_bytes_of(struct mote_h2_block *b)
{
  return (char *)(b + 1);
}

static struct mote_h2_block *block_of(void *p)
{
  return (struct mote_h2_block *)p - 1;
}

static struct mote_h2_block **next_of(struct mote_h2_block *b)
{
  return (struct mote_h2_block **)(void *)h2_memory_bytes_of(b);
}

/* Returns the list of spare blocks for a size. */
static struct mote_h2_block **list_for(struct mote_h2_memory *m, uint32_t size)
{
  if(size > SMALL_MAX)
    return &m->large;
  return &m->small[size <= FINE_MAX ? size / STEP - 2 : FINE_MAX / STEP - 2 + (size - FINE_MAX) / 16];
}

static struct mote_h2_chunk *chunk_of(struct mote_h2_block *b)
{
  return (struct mote_h2_chunk *)(void *)((char *)b - HEAD - b->place * STEP);
}

static void *h2_memory_ask(struct mote_h2_memory *m, size_t size)
{
  void *p = mote_mem_alloc(m->account, MOTE_PART_CONN, size);
  if(p)
    m->held += (uint32_t)size;
  return p;
}

static void h2_memory_release(struct mote_h2_memory *m, void *p, uint32_t size)
{
  m->held -= size;
  mote_mem_free(m->account, MOTE_PART_CONN, p, size);
}

/* Takes the blocks of chunks without a live block out of a list. */
static void h2_memory_unlist(struct mote_h2_block **at)
{
  while(*at) {
    struct mote_h2_block *b = *at;
    if(b->place > ALONE && !chunk_of(b)->live)
      *at = *next_of(b);
    else
      at = next_of(b);
  }
}

static void free_alone(struct mote_h2_memory *m, struct mote_h2_block *b)
{
  h2_memory_release(m, (char *)b - HEAD, h2_memory_size_of(b) + HEAD);
}

static void free_large(struct mote_h2_memory *m)
{
  struct mote_h2_block **at = &m->large;
  while(*at) {
    struct mote_h2_block *b = *at;
    if(b->place == ALONE) {
      *at = *next_of(b);
      free_alone(m, b);
    }
    else
      at = next_of(b);
  }
}

static void free_chunks(struct mote_h2_memory *m, struct mote_h2_chunk **at)
{
  while(*at) {
    struct mote_h2_chunk *c = *at;
    if(c->live) {
      at = &c->next;
      continue;
    }
    *at = c->next;
    h2_memory_release(m, c, c->size);
  }
}

static void h2_memory_give_back(struct mote_h2_memory *m)
{
  unsigned i;
  for(i = 0; i < MOTE_H2_LISTS; i++)
    h2_memory_unlist(&m->small[i]);
  h2_memory_unlist(&m->large);
  free_large(m);
  for(i = 0; i < MOTE_H2_KINDS; i++)
    free_chunks(m, &m->chunks[i]);
}

/* Memory of the account: spare memory is given back first if it is much, or if nothing else is left. */
static void *h2_memory_more(struct mote_h2_memory *m, uint32_t size)
{
  void *p;
  if(m->held + size > m->most + MOTE_H2_SPARE)
    h2_memory_give_back(m);
  p = h2_memory_ask(m, size);
  if(p)
    return p;
  h2_memory_give_back(m);
  return h2_memory_ask(m, size);
}

static struct mote_h2_chunk *chunk_for(struct mote_h2_memory *m, uint32_t size, enum kind kind)
{
  struct mote_h2_chunk *c = m->chunks[kind];
  static const uint16_t sizes[MOTE_H2_KINDS] = {FIELD_CHUNK, STREAM_CHUNK, OWN_CHUNK};
  uint32_t bytes = sizes[kind];
  if(c && size <= c->size - c->used)
    return c;
  c = h2_memory_more(m, bytes);
  if(!c)
    return NULL;
  c->size = bytes;
  c->used = CHUNK_HEAD;
  c->live = 0;
  c->next = m->chunks[kind];
  m->chunks[kind] = c;
  return c;
}

static struct mote_h2_block *h2_memory_cut(struct mote_h2_memory *m, uint32_t size, enum kind kind)
{
  struct mote_h2_chunk *c = chunk_for(m, size, kind);
  struct mote_h2_block *b;
  if(!c)
    return NULL;
  b = (struct mote_h2_block *)(void *)((char *)c + c->used);
  b->place = (c->used / STEP) & 0x3ff;
  c->used += size;
  c->live++;
  return b;
}

static struct mote_h2_block *h2_memory_alone(struct mote_h2_memory *m, uint32_t size)
{
  char *p = h2_memory_more(m, size + HEAD);
  struct mote_h2_block *b = (struct mote_h2_block *)(void *)(p + HEAD);
  if(!p)
    return NULL;
  b->place = ALONE;
  return b;
}

/* A block that was never handed out. */
static struct mote_h2_block *h2_memory_fresh(struct mote_h2_memory *m, uint32_t size, enum kind kind)
{
  struct mote_h2_block *b;
  if(size <= MOTE_H2_SLAB - m->used) {
    b = (struct mote_h2_block *)(void *)(m->slab + m->used);
    m->used += size;
    set_size(b, size);
    b->place = IN_SLAB;
    return b;
  }
  b = size <= CUT_MAX && !m->frugal ? h2_memory_cut(m, size, kind) : h2_memory_alone(m, size);
  if(!b)
    return NULL;
  set_size(b, size);
  m->live += size;
  if(m->live > m->most)
    m->most = m->live;
  return b;
}

/* A spare block that is not small, at most a quarter larger than wanted. */
static struct mote_h2_block *spare_large(struct mote_h2_memory *m, uint32_t size)
{
  struct mote_h2_block **at = &m->large;
  unsigned i;
  for(i = 0; *at && i < LARGE_LOOKS; i++, at = next_of(*at)) {
    struct mote_h2_block *b = *at;
    if(h2_memory_size_of(b) >= size && h2_memory_size_of(b) - size <= size / 4) {
      *at = *next_of(b);
      return b;
    }
  }
  return NULL;
}

static struct mote_h2_block *spare_small(struct mote_h2_memory *m, uint32_t size)
{
  struct mote_h2_block **list = list_for(m, size);
  struct mote_h2_block *b = *list;
  if(b)
    *list = *next_of(b);
  return b;
}

static void *take_block(struct mote_h2_memory *m, uint32_t size, enum kind kind)
{
  struct mote_h2_block *b = size <= SMALL_MAX ? spare_small(m, size) : spare_large(m, size);
  if(!b) {
    b = h2_memory_fresh(m, size, kind);
    return b ? h2_memory_bytes_of(b) : NULL;
  }
  if(b->place != IN_SLAB) {
    m->live += h2_memory_size_of(b);
    if(b->place != ALONE)
      chunk_of(b)->live++;
  }
  return h2_memory_bytes_of(b);
}

static void *h2_memory_take(size_t bytes, void *user)
{
  uint32_t size;
  if(bytes > MOTE_H2_BLOCK_LIMIT)
    return NULL;
  size = h2_memory_whole(bytes + !bytes);
  return take_block(user, size, size <= FIELD_MAX ? FIELD : STREAM);
}

static bool is_frame(const struct mote_h2_memory *m, const void *p)
{
  return p == (*m->common)->frame;
}

static void h2_memory_put(void *p, void *user)
{
  struct mote_h2_memory *m = user;
  struct mote_h2_block *b;
  struct mote_h2_block **list;
  if(!p || is_frame(m, p))
    return;
  b = block_of(p);
  if(b->place != IN_SLAB) {
    m->live -= h2_memory_size_of(b);
    if(b->place != ALONE)
      chunk_of(b)->live--;
    else if(m->frugal) {
      free_alone(m, b);
      return;
    }
  }
  list = list_for(m, h2_memory_size_of(b));
  *next_of(b) = *list;
  *list = b;
}

static void *h2_memory_take_zero(size_t count, size_t each, void *user)
{
  void *p;
  if(each && count > MOTE_H2_BLOCK_LIMIT / each)
    return NULL;
  p = h2_memory_take(count * each, user);
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

static size_t h2_memory_room_of(const struct mote_h2_memory *m, void *p)
{
  return is_frame(m, p) ? MOTE_H2_FRAME : h2_memory_size_of(block_of(p)) - HEAD;
}

static void *h2_memory_resize(void *p, size_t bytes, void *user)
{
  struct mote_h2_memory *m = user;
  void *q = p ? NULL : frame_for(m, bytes);
  if(q)
    return q;
  if(p && bytes <= h2_memory_room_of(m, p))
    return p;
  q = h2_memory_take(bytes, user);
  if(!q || !p)
    return q;
  memcpy(q, p, h2_memory_room_of(m, p));
  h2_memory_put(p, user);
  return q;
}

static bool h2_memory_join(struct mote_h2_memory *m, bool static_block)
{
  struct mote_h2_common *common = *m->common;
  if(!common) {
    common = mote_mem_alloc(m->account, MOTE_PART_CONN, sizeof *common);
    if(!common)
      return false;
    common->account = m->account;
    common->sessions = 0;
    common->loan.at = offsetof(struct mote_h2_common, frame);
    common->loan.size = CURL_MAX_WRITE_SIZE;
    mote_h2_windows_init(&common->windows, mote_account_room(m->account), static_block);
    *m->common = common;
  }
  common->sessions++;
  return true;
}

static void h2_memory_leave(struct mote_h2_memory *m)
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
  m->used = HEAD;
  if(!h2_memory_join(m, m->frugal))
    return false;
  m->slab = mote_mem_alloc(account, MOTE_PART_CONN, MOTE_H2_SLAB);
  if(!m->slab)
    h2_memory_leave(m);
  return m->slab;
}

nghttp2_mem mote_h2_memory_hook(struct mote_h2_memory *m)
{
  nghttp2_mem hook;
  hook.mem_user_data = m;
  hook.malloc = h2_memory_take;
  hook.free = h2_memory_put;
  hook.calloc = h2_memory_take_zero;
  hook.realloc = h2_memory_resize;
  return hook;
}

void *mote_h2_memory_take(struct mote_h2_memory *m, size_t bytes)
{
  void *p = take_block(m, h2_memory_whole(bytes), OWN);
  if(p)
    memset(p, 0, bytes);
  return p;
}

void mote_h2_memory_put(struct mote_h2_memory *m, void *p)
{
  h2_memory_put(p, m);
}

void mote_h2_memory_idle(struct mote_h2_memory *m)
{
  if(mote_h2_memory_has_spare(m))
    h2_memory_give_back(m);
  m->most = m->live;
}

void mote_h2_memory_close(struct mote_h2_memory *m)
{
  if(!m->slab)
    return;
  h2_memory_give_back(m);
  mote_mem_free(m->account, MOTE_PART_CONN, m->slab, MOTE_H2_SLAB);
  m->slab = NULL;
  h2_memory_leave(m);
}
