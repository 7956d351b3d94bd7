/* protocol/http_small_end.c: how a response ends that does not end by itself. */
#include "protocol/http_small.h"

CURLcode mote_small_ended(const struct mote_small_http *h)
{
  if(h->state == MOTE_SMALL_STATUS)
    return CURLE_GOT_NOTHING;
  if(h->state == MOTE_SMALL_FIELDS)
    return CURLE_RECV_ERROR;
  return h->left == MOTE_SMALL_UNTIL_CLOSE ? CURLE_OK : CURLE_PARTIAL_FILE;
}
