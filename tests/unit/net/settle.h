/* tests/unit/net/settle.h: wait until abandoned lookups have given their memory back: their threads do. */
#ifndef MOTE_TEST_SETTLE_H
#define MOTE_TEST_SETTLE_H

#include "net/fds.h"

/* Of part NAME nothing is live, or twenty seconds are over: returns what is live. test_mem.threads must be
 * set before the first lookup. */
static inline size_t names_settle(void)
{
  struct mote_part_count c;
  int i;
  for(i = 0; i < 20000; i++) {
    mote_mem_part_get(MOTE_PART_NAME, &c);
    if(!c.live)
      break;
    fds_nap(1);
  }
  test_mem_lock(); /* what the last of them wrote is seen from here on */
  test_mem_unlock();
  return c.live;
}

#endif
