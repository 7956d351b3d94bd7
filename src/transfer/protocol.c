/* transfer/protocol.c: finds the row of a scheme. */
#include "transfer/protocol.h"

#include "base/text.h"

/* The build writes mote_schemes into tables.c from its list of parts (cmake/parts.cmake). */
const struct mote_scheme *mote_scheme_find(const char *name, size_t len)
{
  const struct mote_scheme *s;
  struct mote_slice wanted = {name, len};
  for(s = mote_schemes; s->name; s++)
    if(mote_slice_is(wanted, s->name))
      return s;
  return NULL;
}
