/* api/mote.c: the functions of <mote/mote.h> that need no handle. */
#include <mote/mote.h>

#include "base/memory.h"

static const char part_names[][9] = {
  [MOTE_PART_HANDLE] = "handle",
  [MOTE_PART_STRING] = "string",
  [MOTE_PART_TRANSFER] = "transfer",
  [MOTE_PART_HEADER] = "header",
  [MOTE_PART_MULTI] = "multi",
  [MOTE_PART_BUFFER] = "buffer",
  [MOTE_PART_CONN] = "conn",
  [MOTE_PART_NAME] = "name",
  [MOTE_PART_TLS] = "tls",
  [MOTE_PART_URL] = "url",
  [MOTE_PART_SHARE] = "share",
  [MOTE_PART_CODEC] = "codec",
  [MOTE_PART_OTHER] = "other",
};
_Static_assert(sizeof part_names / sizeof part_names[0] == MOTE_PART_LAST, "every part has a name");

const char *mote_version(void)
{
  return MOTE_VERSION;
}

int mote_part_info(int index, const char **name, struct mote_part_info *info)
{
  struct mote_part_count count;
  if(index < 0 || index >= MOTE_PART_LAST)
    return 0;
  if(name)
    *name = part_names[index];
  if(info) {
    mote_mem_part_get((enum mote_part)index, &count);
    info->live = count.live;
    info->peak = count.peak;
    info->calls = count.calls;
  }
  return 1;
}
