/* base/text/format_nofloat.c: in place of format_float.c where floats are left out. */
#include "base/text/format.h"

int mote_format_float(char *out, const struct mote_float_style *style, double value)
{
  (void)out;
  (void)style;
  (void)value;
  return -1;
}
