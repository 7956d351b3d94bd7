/* small/overlay/net/timers.h: deadlines without a heap. The one transfer compares its own in each step. */
#ifndef MOTE_NET_TIMERS_H
#define MOTE_NET_TIMERS_H

#include "base/time.h"

struct mote_timer_node {
  char none;
};

#define mote_timer_is_later(n, now) ((void)(n), (void)(now), false)

#endif
