/* base/report.c: passes failure texts and info lines to the receiver. */
#include "base/report.h"

#include <stddef.h>

void mote_fail(struct mote_report *r, const char *fmt, ...)
{
  va_list args;
  if(!r || !r->ops)
    return;
  va_start(args, fmt);
  r->ops->fail(r, fmt, args);
  va_end(args);
}

/* In parentheses, because a build without the part verbose has a macro of this name. */
void (mote_info)(struct mote_report *r, const char *fmt, ...)
{
  va_list args;
  if(!r || !r->ops || !r->verbose)
    return;
  va_start(args, fmt);
  r->ops->info(r, fmt, args);
  va_end(args);
}
