/* base/report_info.c: hands info lines to whoever listens. */
#include "base/report.h"

#include <stddef.h>

void mote_info(struct mote_report *r, const char *fmt, ...)
{
  va_list args;
  if(!r || !r->ops || !r->verbose)
    return;
  va_start(args, fmt);
  r->ops->info(r, fmt, args);
  va_end(args);
}
