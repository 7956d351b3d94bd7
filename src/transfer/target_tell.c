/* transfer/target_tell.c: the verbose text of a new connection. */
#include "base/report.h"
#include "net/address.h"
#include "transfer/target.h"
#include "transfer/transfer.h"

void mote_target_tell(struct mote_transfer *t)
{
  struct mote_slice host = mote_url_packed_host(&t->run->url);
  char address[MOTE_ADDR_TEXT_MAX];
  if(!t->report.verbose)
    return;
  (void)mote_addr_print(&t->run->primary, address);
  mote_info(&t->report, "Connected to %.*s (%s) port %u (#%d)", (int)host.len, host.ptr,
            mote_target_unix(t) ? mote_target_unix(t) : address, (unsigned)t->run->primary.port,
            (int)t->run->conn_id);
}
