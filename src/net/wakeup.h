/* net/wakeup.h: the wake-up of a wait set by a descriptor, which few sets ever need (net/waitset.c).
 *
 * Ownership: a block of the set, made by mote_waitset_open_wake() or by the first wait that a wake-up ends.
 * Tests:     tests/unit/net/test_waitset_app.c */
#ifndef MOTE_NET_WAKEUP_H
#define MOTE_NET_WAKEUP_H

#include "net/waitset.h"
#include "port/wake.h"

struct mote_wakeup {
  struct mote_waitset *set; /* that owns it */
  struct mote_watch watch;  /* readable after a wake-up */
  struct mote_wake ends;    /* of the pipe or eventfd */
};

#endif
