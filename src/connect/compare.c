/* connect/compare.c: whether the options are still those that a connection was made with
 * (connect/dial/dial.h). */
#include <string.h>

#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/transfer.h"

CURLcode mote_connect_compare(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_identity id;
  bool same;
  CURLcode rc;
  if(!c || !t->options.changed)
    return CURLE_OK;
  rc = mote_identity_make(t, &id);
  if(rc)
    return rc;
  same = id.len == c->key_len && !memcmp(id.key, mote_conn_key(c), id.len);
  mote_identity_close(t, &id);
  if(same)
    return CURLE_OK;
  c->single_use = true;
  if(!t->run->lease.proxied)
    return CURLE_OK;
  return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                      "An option of the connection was set while it was being made through a proxy");
}
