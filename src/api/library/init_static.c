/* api/library/init_static.c: mote_init_static(), after which all memory comes from one block of the
 * caller's. */
#include <mote/mote.h>

#include "api/library/global.h"
#include "base/memory.h"
#include "base/memory/block.h"

#define LEAST 64 /* bytes: a few pieces of any machine */

/* Strings that await curl_free() are in no account and therefore not seen. */
static bool holds_memory(void)
{
  int i;
  for(i = 0; i < MOTE_PART_LAST; i++) {
    struct mote_part_count c;
    mote_mem_part_get((enum mote_part)i, &c);
    if(c.live)
      return true;
  }
  return false;
}

CURLcode mote_init_static(void *block, size_t size)
{
  if(!block || size < LEAST)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  /* A handle that outlived curl_global_cleanup() kept its block open; now the block can be closed. */
  if(mote_global_used() || !mote_block_close() || holds_memory())
    return CURLE_FAILED_INIT;
  mote_block_open(block, size);
  return curl_global_init(CURL_GLOBAL_ALL);
}

CURLcode mote_static_info(struct mote_static_info *info)
{
  struct mote_block_info b;
  if(!info)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!mote_block_get(&b))
    return CURLE_FAILED_INIT;
  info->size = b.size;
  info->used = b.used;
  info->peak = b.peak;
  info->largest = b.largest;
  info->missing = b.missing;
  return CURLE_OK;
}
