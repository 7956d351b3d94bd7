/* protocol/ssh/ssh_memory.c: blocks and spare blocks for libssh2 (protocol/ssh/ssh_memory.h). */
#include "protocol/ssh/ssh_memory.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/memory/block.h"

#define STEP 32u /* bytes of the smallest block, the 24 in front included */

struct mote_ssh_block {
  struct mote_list node; /* in `held` */
  uint32_t size;         /* of the whole block */
  uint32_t list;         /* where it goes when it is spare; MOTE_SSH_LISTS: it is freed */
  union {
    struct mote_ssh_block *next; /* of a spare block */
    char bytes[sizeof(struct mote_ssh_block *)];
  } at;
};

/* A block without a front. */
struct mote_ssh_bare {
  struct mote_ssh_bare *next;
  void *bytes;
  size_t size;
};

#define FRONT offsetof(struct mote_ssh_block, at)

/* Rounds a size up to the next of four between two powers of 2. Returns the list of that size. */
static uint32_t list_of(size_t *size)
{
  size_t base = STEP;
  uint32_t doublings = 0, quarter;
  while(*size > 2 * base) {
    base *= 2;
    doublings++;
  }
  quarter = *size <= base ? 0 : (uint32_t)((*size - base + base / 4 - 1) / (base / 4));
  *size = base + quarter * (base / 4);
  quarter += 4 * doublings;
  return quarter < MOTE_SSH_LISTS ? quarter : MOTE_SSH_LISTS;
}

static void ssh_memory_release(struct mote_ssh_memory *m, struct mote_ssh_block *b)
{
  mote_mem_free(m->account, MOTE_PART_CONN, b, b->size);
}

static void ssh_memory_give_back(struct mote_ssh_memory *m)
{
  unsigned i;
  for(i = 0; i < MOTE_SSH_LISTS; i++)
    while(m->list[i]) {
      struct mote_ssh_block *b = m->list[i];
      m->list[i] = b->at.next;
      m->spare -= b->size;
      ssh_memory_release(m, b);
    }
}

static struct mote_ssh_block *ssh_memory_fresh(struct mote_ssh_memory *m, size_t size, uint32_t list)
{
  struct mote_ssh_block *b = mote_mem_alloc(m->account, MOTE_PART_CONN, size);
  if(!b && m->spare) {
    ssh_memory_give_back(m);
    b = mote_mem_alloc(m->account, MOTE_PART_CONN, size);
  }
  if(b) {
    b->size = (uint32_t)size;
    b->list = list;
  }
  return b;
}

static void *take_bare(struct mote_ssh_memory *m, size_t bytes)
{
  struct mote_ssh_bare *b = mote_mem_alloc(m->account, MOTE_PART_CONN, sizeof *b);
  void *p = b && m->live + bytes <= MOTE_SSH_MEMORY_MOST ? mote_mem_public_alloc(bytes) : NULL;
  if(!p) {
    mote_mem_free(m->account, MOTE_PART_CONN, b, sizeof *b);
    return NULL;
  }
  *b = (struct mote_ssh_bare){.next = m->bares, .bytes = p, .size = bytes};
  m->bares = b;
  m->live += bytes;
  return p;
}

/* Returns where the list has the block; what is there is NULL for one with a front. */
static struct mote_ssh_bare **find_bare(struct mote_ssh_memory *m, const void *p)
{
  struct mote_ssh_bare **at = &m->bares;
  while(*at && (*at)->bytes != p)
    at = &(*at)->next;
  return at;
}

static void forget_bare(struct mote_ssh_memory *m, struct mote_ssh_bare **at)
{
  struct mote_ssh_bare *b = *at;
  *at = b->next;
  m->live -= b->size;
  mote_mem_free(m->account, MOTE_PART_CONN, b, sizeof *b);
}

/* Bytes that may be used; at: as find_bare() returns it. */
static size_t ssh_memory_room_of(void *p, struct mote_ssh_bare *const *at)
{
  return *at ? (*at)->size : mote_container_of(p, struct mote_ssh_block, at)->size - FRONT;
}

void *mote_ssh_memory_take(struct mote_ssh_memory *m, size_t bytes)
{
  size_t size = (bytes + FRONT + 7) & ~(size_t)7;
  struct mote_ssh_block *b;
  uint32_t list;
  if(bytes > MOTE_SSH_MEMORY_MOST)
    return NULL;
  if(m->bare)
    return take_bare(m, bytes);
  list = list_of(&size);
  if(m->live + size > MOTE_SSH_MEMORY_MOST)
    return NULL;
  b = list < MOTE_SSH_LISTS ? m->list[list] : NULL;
  if(b) {
    m->list[list] = b->at.next;
    m->spare -= size;
  }
  else
    b = ssh_memory_fresh(m, size, list);
  if(!b)
    return NULL;
  mote_list_append(&m->held, &b->node);
  m->live += size;
  return b->at.bytes;
}

void mote_ssh_memory_put(struct mote_ssh_memory *m, void *p)
{
  struct mote_ssh_bare **bare = find_bare(m, p);
  struct mote_ssh_block *b;
  if(!p)
    return;
  if(*bare) {
    mote_mem_public_free(p);
    forget_bare(m, bare);
    return;
  }
  b = mote_container_of(p, struct mote_ssh_block, at);
  mote_list_remove(&b->node);
  m->live -= b->size;
  if(m->frugal || b->list == MOTE_SSH_LISTS || m->spare + b->size > MOTE_SSH_SPARE) {
    ssh_memory_release(m, b);
    return;
  }
  m->spare += b->size;
  b->at.next = m->list[b->list];
  m->list[b->list] = b;
}

void *mote_ssh_memory_resize(struct mote_ssh_memory *m, void *p, size_t bytes)
{
  size_t room = p ? ssh_memory_room_of(p, find_bare(m, p)) : 0;
  void *q;
  if(p && bytes <= room)
    return p;
  q = mote_ssh_memory_take(m, bytes);
  if(q && p) {
    memcpy(q, p, room);
    mote_ssh_memory_put(m, p);
  }
  return q;
}

void mote_ssh_memory_init(struct mote_ssh_memory *m, struct mote_account *account)
{
  struct mote_block_info info;
  memset(m, 0, sizeof *m);
  mote_list_init(&m->held);
  m->account = account;
  m->frugal = mote_block_get(&info);
}

void mote_ssh_memory_close(struct mote_ssh_memory *m)
{
  while(m->bares)
    forget_bare(m, &m->bares); /* libssh2 has freed the block itself */
  if(!m->account)
    return;
  while(!mote_list_empty(&m->held))
    mote_ssh_memory_put(m, mote_container_of(m->held.next, struct mote_ssh_block, node)->at.bytes);
  ssh_memory_give_back(m);
}
