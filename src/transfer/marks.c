/* transfer/marks.c: points in time of a transfer. */
#include "transfer/transfer.h"

#define MARK_IN_MS 0x80000000u /* the other bits are milliseconds */

void mote_mark_set(struct mote_run *r, enum mote_mark m, mote_time now)
{
  int64_t us = now - r->started;
  if(us < (int64_t)MARK_IN_MS)
    r->mark[m] = us > 0 ? (uint32_t)us : 1;
  else
    r->mark[m] = (uint32_t)(us / MOTE_MS) | MARK_IN_MS;
}

int64_t mote_mark_get(const struct mote_run *r, enum mote_mark m)
{
  uint32_t v = r->mark[m];
  return v & MARK_IN_MS ? (int64_t)(v & ~MARK_IN_MS) * MOTE_MS : (int64_t)v;
}
