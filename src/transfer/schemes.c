/* transfer/schemes.c: looks through the schemes of this build: mote_schemes is in the tables.c that the build
 * writes from its list of parts (cmake/parts.cmake). */
#include "transfer/protocol.h"

#include "base/text.h"

const struct mote_scheme *mote_scheme_find(const char *name, size_t len)
{
  const struct mote_scheme *s;
  struct mote_slice wanted = {name, len};
  for(s = mote_schemes; s->name; s++)
    if(mote_slice_is(wanted, s->name))
      return s;
  return NULL;
}
