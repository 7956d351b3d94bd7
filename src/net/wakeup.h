/* net/wakeup.h: the wake-up of a wait set by descriptor: few sets ever need it (net/waitset.c).
 *
 * Ownership: a block of the set, made by mote_waitset_open_wake() or by the first wait that a wake-up ends.
 * Tests:     tests/unit/net/test_waitset_app.c */
#ifndef MOTE_NET_WAKEUP_H
#define MOTE_NET_WAKEUP_H

#include "net/waitset.h"
#include "port/wake.h"

struct mote_wakeup {
  struct mote_waitset *set; /* whose it is */
  struct mote_watch watch;  /* readable after a wake-up */
  struct mote_wake ends;    /* of what is readable */
};

#endif
