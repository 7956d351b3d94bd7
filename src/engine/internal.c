/* engine/internal.c: transfers that the library makes (engine/internal.h). */
#include "engine/internal.h"

#include "base/memory/block.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/schedule.h"

void mote_internal_init(struct mote_internal *i, const struct mote_transfer *of)
{
  mote_transfer_init(&i->t, of->msg.easy_handle);
  i->t.share = of->share;
  i->t.internal = true;
  i->t.list = MOTE_LIST_NONE;
  i->t.xfer_id = -1;
  i->conn_id = -1;
  i->done = NULL;
}

void mote_internal_serve(struct mote_internal *i, const struct mote_transfer *of)
{
  i->t.msg.easy_handle = of->msg.easy_handle;
}

void mote_internal_start(struct mote_internal *i, struct mote_multi *m)
{
  i->t.multi = m;
  i->t.state = MOTE_STATE_PENDING;
  mote_schedule_move_uncounted(m, &i->t, MOTE_LIST_READY);
}

void mote_internal_stop(struct mote_internal *i)
{
  if(i->t.list == MOTE_LIST_NONE)
    return;
  mote_transfer_detach(&i->t);
  mote_schedule_move_uncounted(i->t.multi, &i->t, MOTE_LIST_NONE);
}

void mote_internal_close(struct mote_internal *i)
{
  mote_internal_stop(i);
  mote_transfer_close(&i->t);
}

bool mote_internal_may_stay(const struct mote_internal *i)
{
  struct mote_block_info info;
  return !i->t.share && !mote_account_room(&i->t.multi->account) && !mote_block_get(&info);
}
