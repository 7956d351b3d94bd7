/* Lists of any length: an operation touches no node but those that are here, which may be the same ones. */
#include "base/containers/list.h"
#include "proof.h"

/* A list of none, one, or two nodes and more; of the latter `first` and `last` are the ends, and what lies
 * between them is not touched. */
static void proof_any_list(struct mote_list *head, struct mote_list *first, struct mote_list *last)
{
  mote_list_init(head);
  if(nondet_bool())
    return;
  head->next = first;
  first->prev = head;
  if(nondet_bool())
    last = first;
  last->next = head;
  head->prev = last;
}

int main(void)
{
  struct mote_list head, other, n, first, last, other_first, other_last, *end, *begin;
  proof_any_list(&head, &first, &last);
  mote_list_init(&n);
  end = head.prev;
  begin = head.next;
  switch(nondet_u8()) {
  case 0:
    mote_list_append(&head, &n);
    PROVE(head.prev == &n && n.next == &head && n.prev == end && end->next == &n);
    PROVE(mote_list_linked(&n) && !mote_list_empty(&head));
    if(nondet_bool())
      mote_list_move(&head, &n);
    mote_list_remove(&n);
    PROVE(head.prev == end && end->next == &head && head.next == begin && begin->prev == &head);
    break;
  case 1:
    mote_list_prepend(&head, &n);
    PROVE(head.next == &n && n.prev == &head && n.next == begin && begin->prev == &n);
    mote_list_remove(&n);
    PROVE(!mote_list_linked(&n));
    PROVE(head.prev == end && end->next == &head && head.next == begin && begin->prev == &head);
    break;
  default:
    proof_any_list(&other, &other_first, &other_last);
    {
      struct mote_list *other_begin = other.next, *other_end = other.prev;
      bool was_empty = mote_list_empty(&other);
      mote_list_move_all(&head, &other);
      PROVE(mote_list_empty(&other) && other.prev == &other);
      PROVE(was_empty ? head.prev == end && end->next == &head
                      : head.prev == other_end && other_end->next == &head && end->next == other_begin &&
                        other_begin->prev == end);
    }
  }
  return 0;
}
