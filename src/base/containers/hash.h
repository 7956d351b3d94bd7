/* base/containers/hash.h: intrusive hash table; one linked bucket while small, a bucket array when it pays.
 *
 * Invariants: count nodes are linked; without an array (bits 0) all of them hang on `small`.
 * Ownership:  nodes are the caller's fields. The bucket array is the table's.
 * Failure:    inserting never fails: when the array cannot grow, chains become longer.
 * Tests:      tests/unit/base/test_hash.c */
#ifndef MOTE_BASE_CONTAINERS_HASH_H
#define MOTE_BASE_CONTAINERS_HASH_H

#include <stddef.h>
#include <stdint.h>

struct mote_account;
struct mote_ceiling;

struct mote_hash_node {
  struct mote_hash_node *next; /* in its bucket */
  uint32_t hash;               /* the caller's, of the whole key */
};

struct mote_hash {
  union {
    struct mote_hash_node *small;    /* without an array: the only chain */
    struct mote_hash_node **buckets; /* 1 << bits of them */
  };
  struct mote_account *account; /* pays for the array */
  uint32_t count;               /* nodes linked */
  uint8_t bits;                 /* log2 of the array's length; 0: there is none */
};

/* The multiplication (2^32 / golden ratio) spreads callers' hashes that differ in their low bits only. */
static inline uint32_t mote_hash_slot(uint32_t hash, unsigned bits)
{
  return (uint32_t)(hash * 2654435769u) >> (32 - bits);
}

void mote_hash_init(struct mote_hash *h, struct mote_account *account);
/* Frees the array and forgets the nodes that are still linked. The table is empty and usable. */
void mote_hash_close(struct mote_hash *h);
void mote_hash_insert(struct mote_hash *h, struct mote_hash_node *n, uint32_t hash);
/* Does nothing when n is not in the table; n->hash must be set (all zero bytes will do). */
void mote_hash_remove(struct mote_hash *h, struct mote_hash_node *n);
/* Adds what the arrays take at most when `more` nodes are added; h NULL: to an empty table. */
void mote_hash_ceiling(const struct mote_hash *h, uint32_t more, struct mote_ceiling *c);
/* First node of a chain that has all nodes with this hash, the one inserted last in front of the others; walk
 * by ->next and compare ->hash and the key. Removing takes as long as finding. */
static inline struct mote_hash_node *mote_hash_chain(const struct mote_hash *h, uint32_t hash)
{
  return h->bits ? h->buckets[mote_hash_slot(hash, h->bits)] : h->small;
}
/* FNV-1a of bytes; start with seed 0 or continue from an earlier result. */
uint32_t mote_hash_bytes(const void *p, size_t len, uint32_t seed);

#endif
