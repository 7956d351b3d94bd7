/* base/containers/list.h: intrusive doubly linked list; the node is a field of what is linked.
 *
 * Invariants: a list head and an unlinked node point to themselves.
 * Ownership:  a list owns nothing; no allocation.
 * Tests:      tests/unit/base/test_list.c */
#ifndef MOTE_BASE_CONTAINERS_LIST_H
#define MOTE_BASE_CONTAINERS_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define mote_container_of(ptr, type, member) ((type *)(void *)((char *)(ptr) - offsetof(type, member)))

struct mote_list {
  struct mote_list *next;
  struct mote_list *prev;
};

static inline void mote_list_init(struct mote_list *n)
{
  n->next = n;
  n->prev = n;
}

static inline bool mote_list_empty(const struct mote_list *head)
{
  return head->next == head;
}

static inline bool mote_list_linked(const struct mote_list *n)
{
  return n->next != n;
}

static inline void mote_list_append(struct mote_list *head, struct mote_list *n)
{
  n->prev = head->prev;
  n->next = head;
  head->prev->next = n;
  head->prev = n;
}

static inline void mote_list_prepend(struct mote_list *head, struct mote_list *n)
{
  n->next = head->next;
  n->prev = head;
  head->next->prev = n;
  head->next = n;
}

/* Unlinking what is not linked does nothing. */
static inline void mote_list_remove(struct mote_list *n)
{
  n->prev->next = n->next;
  n->next->prev = n->prev;
  mote_list_init(n);
}

/* Moves n, which may be linked, to the end of the list `head`. */
static inline void mote_list_move(struct mote_list *head, struct mote_list *n)
{
  n->prev->next = n->next;
  n->next->prev = n->prev;
  mote_list_append(head, n);
}

/* Moves all of `from` to the end of `to`; `from` is empty then. */
static inline void mote_list_move_all(struct mote_list *to, struct mote_list *from)
{
  if(mote_list_empty(from))
    return;
  from->next->prev = to->prev;
  to->prev->next = from->next;
  from->prev->next = to;
  to->prev = from->prev;
  mote_list_init(from);
}

#endif
