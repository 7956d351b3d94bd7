/* base/report.c: hands the texts of failures to whoever listens. */
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
