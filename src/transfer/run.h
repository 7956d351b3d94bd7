/* transfer/run.h: the block that a run lies in, with what only the engine sees: the place of the run among
 * the deadlines of its multi. Everything else is the run itself (transfer/transfer.h).
 *
 * Ownership: as the run's: mote_run_make() makes the block, and mote_run_free() frees it.
 * Tests:     tests/unit/transfer */
#ifndef MOTE_TRANSFER_RUN_H
#define MOTE_TRANSFER_RUN_H

#include <stdbool.h>

#include "base/time.h"
#include "net/timers.h"
#include "transfer/transfer.h"

struct mote_run_block {
  struct mote_run run;          /* first */
  struct mote_timer_node timer; /* has the nearest deadline; set by transfer/multi/schedule.c alone */

  /* MOTE_HEADER_TAIL bytes of header room follow */
};

#define MOTE_RUN_SIZE (sizeof(struct mote_run_block) + MOTE_HEADER_TAIL) /* bytes of the block */

static inline struct mote_run_block *mote_run_block_of(struct mote_run *r)
{
  return mote_container_of(r, struct mote_run_block, run);
}

/* Reports that no deadline of the run has passed, or that there is none. Before the first step of a run this
 * is unknown, and false. */
static inline bool mote_run_nothing_due(struct mote_run *r, mote_time now)
{
  return mote_timer_is_later(&mote_run_block_of(r)->timer, now);
}

#endif
