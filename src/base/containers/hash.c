/* base/containers/hash.c: intrusive hash table.
 *
 * The array doubles when chains are two nodes long on average, and halves when seven eighths of it would be
 * unused; the smallest array stays until the table is closed, so that a few nodes coming and going cost no
 * allocation. */
#include "base/containers/hash.h"

#include "base/memory.h"
#include "base/memory/ceiling.h"

enum {
  MIN_BITS = 4,     /* the first array has 16 buckets */
  MAX_BITS = 24,    /* beyond 16 million buckets chains become longer */
  SMALL_COUNT = 12, /* nodes on the only chain before there is an array */
};

void mote_hash_init(struct mote_hash *h, struct mote_account *account)
{
  h->small = NULL;
  h->account = account;
  h->count = 0;
  h->bits = 0;
}

static size_t array_size(unsigned bits)
{
  return sizeof(struct mote_hash_node *) << bits;
}

void mote_hash_close(struct mote_hash *h)
{
  if(h->bits)
    mote_mem_free(h->account, MOTE_PART_OTHER, h->buckets, array_size(h->bits));
  mote_hash_init(h, h->account);
}

static struct mote_hash_node **chain_of(struct mote_hash *h, uint32_t hash)
{
  return h->bits ? &h->buckets[mote_hash_slot(hash, h->bits)] : &h->small;
}

static struct mote_hash_node *reversed(struct mote_hash_node *n)
{
  struct mote_hash_node *before = NULL;
  while(n) {
    struct mote_hash_node *next = n->next;
    n->next = before;
    before = n;
    n = next;
  }
  return before;
}

/* The node that was inserted last stays in front. */
static void move_chain(struct mote_hash_node *n, struct mote_hash_node **buckets, unsigned bits)
{
  n = reversed(n);
  while(n) {
    struct mote_hash_node *next = n->next;
    struct mote_hash_node **slot = &buckets[mote_hash_slot(n->hash, bits)];
    n->next = *slot;
    *slot = n;
    n = next;
  }
}

/* Without memory nothing changes. */
static void hash_resize(struct mote_hash *h, unsigned bits)
{
  struct mote_hash_node **fresh = mote_mem_zalloc(h->account, MOTE_PART_OTHER, array_size(bits));
  size_t i;
  if(!fresh)
    return;
  if(h->bits) {
    for(i = 0; i < (size_t)1 << h->bits; i++)
      move_chain(h->buckets[i], fresh, bits);
    mote_mem_free(h->account, MOTE_PART_OTHER, h->buckets, array_size(h->bits));
  }
  else
    move_chain(h->small, fresh, bits);
  h->buckets = fresh;
  h->bits = (uint8_t)bits;
}

void mote_hash_insert(struct mote_hash *h, struct mote_hash_node *n, uint32_t hash)
{
  struct mote_hash_node **chain;
  if(!h->bits) {
    if(h->count >= SMALL_COUNT)
      hash_resize(h, MIN_BITS);
  }
  else if(h->count >> 1 >= (uint32_t)1 << h->bits && h->bits < MAX_BITS)
    hash_resize(h, h->bits + 1u);
  chain = chain_of(h, hash);
  n->hash = hash;
  n->next = *chain;
  *chain = n;
  h->count++;
}

/* While an array is replaced, both exist. */
void mote_hash_ceiling(const struct mote_hash *h, uint32_t more, struct mote_ceiling *c)
{
  uint32_t count = more + (h ? h->count : 0);
  unsigned have = h ? h->bits : 0, bits = have ? have : MIN_BITS;
  if(!have && count <= SMALL_COUNT)
    return;
  if(!have)
    mote_ceiling_add(c, 1, array_size(bits));
  for(; bits < MAX_BITS && count >> 1 >= (uint32_t)1 << bits; bits++)
    mote_ceiling_add(c, 1, array_size(bits + 1));
}

void mote_hash_remove(struct mote_hash *h, struct mote_hash_node *n)
{
  struct mote_hash_node **at = chain_of(h, n->hash);
  while(*at && *at != n)
    at = &(*at)->next;
  if(!*at)
    return;
  *at = n->next;
  n->next = NULL;
  h->count--;
  if(h->bits > MIN_BITS && h->count < (uint32_t)1 << (h->bits - 3))
    hash_resize(h, h->bits - 1u);
}

uint32_t mote_hash_bytes(const void *p, size_t len, uint32_t seed)
{
  const unsigned char *s = p;
  uint32_t h = seed ? seed : 2166136261u;
  for(; len; len--)
    h = (h ^ *s++) * 16777619u;
  return h;
}
