/* protocol/mux/mux_link.c: from an exchange to the driver that reads for it (protocol/mux/exchange.h). Only
 * these functions look into connection and multi, and the other files of the room do without. */
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "net/mux/mux.h"
#include "protocol/mux/exchange.h"
#include "transfer/multi/multi.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

struct mote_mux_link *mote_mux_link_of(const struct mote_transfer *t)
{
  return (struct mote_mux_link *)t->run->channel.conn->drive;
}

const struct mote_mux_row *mote_mux_row_of(const struct mote_transfer *t)
{
  return mote_container_of(t->run->channel.conn->drive->driver, struct mote_mux_row, driver);
}

struct mote_multi *mote_mux_multi(const struct mote_mux_link *l)
{
  struct mote_waitset *set = l->drive.conn->set;
  return set ? mote_container_of(set, struct mote_multi, set) : NULL;
}

unsigned mote_mux_most(const struct mote_mux_link *l)
{
  const struct mote_multi *m = mote_mux_multi(l);
  return m ? mote_multi_streams(m) : MOTE_MULTI_STREAMS;
}

void mote_mux_offer(struct mote_mux_link *l)
{
  struct mote_conn *c = l->drive.conn;
  struct mote_multi *m = mote_mux_multi(l);
  if(!m || c->pooled_room || c->pooled_idle || !c->reusable || !c->driver->room(&l->drive))
    return;
  mote_pool_offer(&m->pool, c);
  mote_schedule_offer(m, c);
}

void mote_mux_fail_all(struct mote_mux_link *l, struct mote_mux_stream *streams, CURLcode why)
{
  struct mote_event event = {.kind = MOTE_EVENT_FAILED, .rc = why};
  struct mote_conn *c = l->drive.conn;
  (void)mote_conn_want(c, 0);
  if(!streams && c->set) {
    mote_conn_look_again(c);
    mote_schedule_prune_soon(c->set, c);
  }
  for(; streams; streams = streams->next)
    mote_channel_deliver(mote_mux_exchange_with(streams)->t, &event);
}
