/* base/containers/heap.h: intrusive pairing heap, ordered by a 64-bit key (a deadline), with the smallest
 * on top.
 *
 * Invariants: a node in no heap has prev == NULL and is not the top.
 * Ownership:  nodes are the caller's fields; no allocation, so nothing can fail.
 * Tests:      tests/unit/base/test_heap.c */
#ifndef MOTE_BASE_CONTAINERS_HEAP_H
#define MOTE_BASE_CONTAINERS_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct mote_heap_node {
  struct mote_heap_node *child; /* first child */
  struct mote_heap_node *next;  /* next sibling */
  struct mote_heap_node *prev;  /* previous sibling, or parent for a first child; NULL: top or in no heap */
  int64_t key;                  /* set by insert and update */
};

struct mote_heap {
  struct mote_heap_node *top; /* smallest key, or NULL */
};

static inline bool mote_heap_has(const struct mote_heap *h, const struct mote_heap_node *n)
{
  return n->prev || h->top == n;
}

void mote_heap_insert(struct mote_heap *h, struct mote_heap_node *n, int64_t key);
/* Does nothing when n is in no heap. */
void mote_heap_remove(struct mote_heap *h, struct mote_heap_node *n);
/* Inserts a node, or moves it to another key. */
void mote_heap_update(struct mote_heap *h, struct mote_heap_node *n, int64_t key);
/* Moves the nodes whose key is at most `key`, `most` of them at most, out of the heap and makes them the
 * children of `under`, in the order of their keys. mote_heap_remove() and mote_heap_update() take them from
 * there as they take them from the heap, so that a walk over them may change any of them. under->child is
 * NULL when none is left. */
void mote_heap_take(struct mote_heap *h, int64_t key, unsigned most, struct mote_heap_node *under);

#endif
