/* protocol/mux/mux_link.c: from an exchange to the driver that reads for it (protocol/mux/exchange.h). Only
 * these functions look into connection and multi, and the other files of the room do without. */
#include "net/conn_struct.h"
#include "protocol/mux/exchange.h"
#include "transfer/multi/multi.h"
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
  return m && m->max_streams ? m->max_streams : MOTE_MUX_STREAMS;
}
