/* protocol/http_small_end.c: how a response ends that does not end by itself. */
#include "protocol/http_small.h"

#include "net/conn.h"
#include "tls/tls.h"
#include "transfer/transfer.h"

CURLcode mote_small_ended(const struct mote_small_http *h)
{
  if(h->state == MOTE_SMALL_STATUS)
    return CURLE_GOT_NOTHING;
  if(h->state == MOTE_SMALL_FIELDS)
    return CURLE_RECV_ERROR;
  return h->left == MOTE_SMALL_UNTIL_CLOSE ? CURLE_OK : CURLE_PARTIAL_FILE;
}

/* Of a body that tells its length nobody can hide a part by ending TLS without a close (RFC 9112, 9.8). */
CURLcode mote_small_failed(const struct mote_transfer *t, const struct mote_small_http *h, CURLcode rc)
{
  const struct mote_stream *tls = t->run->conn->tls;
  bool known = h->state > MOTE_SMALL_FIELDS && h->left != MOTE_SMALL_UNTIL_CLOSE;
  return rc == CURLE_RECV_ERROR && known && tls && mote_tls_truncated(tls) ? CURLE_PARTIAL_FILE : rc;
}
