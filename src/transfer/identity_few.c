/* transfer/identity_few.c: the key of a connection that is known by host, port, scheme and TLS (without part
 * identity). */
#include <string.h>

#include "base/text.h"
#include "transfer/identity.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define HOST_MAX 255u

CURLcode mote_identity_make(struct mote_transfer *t, struct mote_identity *id)
{
  const struct mote_run *r = t->run;
  struct mote_slice host = mote_url_packed_host(&r->url);
  char *at = id->room;
  size_t i;
  if(host.len > HOST_MAX)
    return CURLE_URL_MALFORMAT;
  for(i = 0; i < host.len; i++)
    *at++ = mote_to_lower(host.ptr[i]);
  *at++ = ':';
  *at++ = (char)(r->url.port >> 8);
  *at++ = (char)r->url.port;
  *at++ = (char)(r->scheme - mote_schemes);
  if(r->scheme->tls)
    at = mote_identity_put_tls(t, at);
  id->key = id->room;
  id->len = (size_t)(at - id->room);
  return CURLE_OK;
}
