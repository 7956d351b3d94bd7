/* transfer/sink_count.c: header lines are counted (without part header_callback). */
#include "transfer/sink.h"
#include "transfer/transfer.h"

CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len)
{
  (void)line;
  t->run->header_size += (uint32_t)len;
  return CURLE_OK;
}
