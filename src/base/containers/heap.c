/* base/containers/heap.c: intrusive pairing heap; no recursion. */
#include "base/containers/heap.h"

#include <stddef.h>

/* Two trees without siblings become one. */
static struct mote_heap_node *heap_meld(struct mote_heap_node *a, struct mote_heap_node *b)
{
  if(!a)
    return b;
  if(!b)
    return a;
  if(b->key < a->key) {
    struct mote_heap_node *swap = a;
    a = b;
    b = swap;
  }
  b->prev = a;
  b->next = a->child;
  if(a->child)
    a->child->prev = b;
  a->child = b;
  return a;
}

/* All siblings from `first` on become one tree: melded in pairs, then from the last pair to the first. */
static struct mote_heap_node *meld_siblings(struct mote_heap_node *first)
{
  struct mote_heap_node *pairs = NULL; /* linked by next, last pair first */
  struct mote_heap_node *top = NULL;
  while(first) {
    struct mote_heap_node *a = first;
    struct mote_heap_node *b = a->next;
    first = b ? b->next : NULL;
    a->next = NULL;
    a->prev = NULL;
    if(b) {
      b->next = NULL;
      b->prev = NULL;
    }
    a = heap_meld(a, b);
    a->next = pairs;
    pairs = a;
  }
  while(pairs) {
    struct mote_heap_node *next = pairs->next;
    pairs->next = NULL;
    top = heap_meld(top, pairs);
    pairs = next;
  }
  return top;
}

/* Takes n, which is not the top, with everything below it out of its parent. */
static void heap_cut(struct mote_heap_node *n)
{
  if(n->prev->child == n)
    n->prev->child = n->next;
  else
    n->prev->next = n->next;
  if(n->next)
    n->next->prev = n->prev;
  n->next = NULL;
  n->prev = NULL;
}

void mote_heap_insert(struct mote_heap *h, struct mote_heap_node *n, int64_t key)
{
  n->child = NULL;
  n->next = NULL;
  n->prev = NULL;
  n->key = key;
  h->top = heap_meld(h->top, n);
}

void mote_heap_remove(struct mote_heap *h, struct mote_heap_node *n)
{
  struct mote_heap_node *below;
  if(!mote_heap_has(h, n))
    return;
  below = meld_siblings(n->child);
  n->child = NULL;
  if(h->top == n)
    h->top = below;
  else {
    heap_cut(n);
    h->top = heap_meld(h->top, below);
  }
}

void mote_heap_update(struct mote_heap *h, struct mote_heap_node *n, int64_t key)
{
  if(mote_heap_has(h, n)) {
    if(key == n->key)
      return;
    if(key < n->key) {
      n->key = key;
      if(h->top != n) {
        heap_cut(n);
        h->top = heap_meld(h->top, n);
      }
      return;
    }
    mote_heap_remove(h, n);
  }
  mote_heap_insert(h, n, key);
}

void mote_heap_take(struct mote_heap *h, int64_t key, unsigned most, struct mote_heap_node *under)
{
  struct mote_heap_node *last = under;
  under->child = NULL;
  for(; most && h->top && h->top->key <= key; most--) {
    struct mote_heap_node *n = h->top;
    mote_heap_remove(h, n);
    if(last == under)
      under->child = n;
    else
      last->next = n;
    n->prev = last;
    last = n;
  }
}
