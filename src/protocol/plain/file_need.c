/* protocol/plain/file_need.c: the most memory that a file takes. */
#include "engine/need/need.h"
#include "protocol/plain/file.h"
#include "transfer/upload/source.h"

CURLcode mote_file_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums)
{
  mote_ceiling_add(&sums->easy, 1, sizeof(struct mote_file) + chain->url + 1);
  mote_ceiling_add(&sums->easy, 1, MOTE_OPTION_BLOCK(&t->options, MOTE_SOURCE_BYTES));
  mote_ceiling_add(&sums->easy, 1, mote_kept_size(CURL_MAX_WRITE_SIZE)); /* kept during a pause */
  return CURLE_OK;
}
