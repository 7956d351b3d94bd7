/* port/posix/clock.c: the two clocks. */
#include <time.h>

#include "port/port.h"

mote_time mote_port_now(void)
{
  struct timespec t = { 0, 0 };
  mote_time now;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  now = (mote_time)t.tv_sec * MOTE_SECOND + (mote_time)(t.tv_nsec / 1000);
  return now ? now : 1;
}

int64_t mote_port_wall(void)
{
  return (int64_t)time(NULL);
}
