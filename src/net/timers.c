/* net/timers.c: calls the owners of the deadlines that have passed. */
#include "net/timers.h"

#include <stddef.h>

#include "base/containers/list.h"

/* The nodes leave the heap before the first owner is called. Otherwise an owner that sets a deadline
 * which has passed already would be called forever. */
void mote_timers_run_due(struct mote_timers *timers, mote_time now)
{
  struct mote_heap_node due;
  mote_heap_take(&timers->heap, now, MOTE_TIMERS_PER_RUN, &due);
  while(due.child) {
    struct mote_timer_node *n = mote_container_of(due.child, struct mote_timer_node, node);
    mote_heap_remove(&timers->heap, &n->node);
    n->due(n, now);
  }
}
