/* api/mote.c: the functions of <mote/mote.h> that have nothing to do with accounts. */
#include <mote/mote.h>

const char *mote_version(void)
{
  return MOTE_VERSION;
}
