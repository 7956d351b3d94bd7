/* connect/version_quic.c: how a transfer whose version is left open comes to HTTP/3 (connect/version.h): by
 * an alternative service (RFC 7838), which is a place of its own. */
#include "base/hash.h"
#include "base/text.h"
#include "connect/version.h"
#include "net/conn_struct.h"
#include "port/port.h"
#include "transfer/elsewhere.h"
#include "transfer/multi.h"

bool mote_version_may_find_quic(const struct mote_transfer *t)
{
  long version = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION);
  if(mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY))
    return false;
  if(version == CURL_HTTP_VERSION_3ONLY)
    return true;
  return (version == CURL_HTTP_VERSION_NONE || version == CURL_HTTP_VERSION_3) &&
         mote_opt_long(&t->options, CURLOPT_SSL_ENABLE_ALPN);
}

bool mote_version_has_found_quic(const struct mote_transfer *t)
{
  return mote_elsewhere_of_quic(t) != NULL;
}

uint32_t mote_version_place(const struct mote_transfer *t)
{
  const struct mote_elsewhere *to = mote_elsewhere_of_quic(t);
  const struct mote_url_packed *u = &t->run->request.url;
  struct mote_slice host;
  if(!to)
    return 0;
  host = (struct mote_slice){to->host, to->host_len};
  if(to->port == u->port && mote_slice_same_nocase(host, mote_url_packed_ace(u)))
    return 0;
  return mote_hash_bytes(to->host, to->host_len, to->port) | 1u;
}

bool mote_version_is_elsewhere(const struct mote_transfer *t)
{
  const struct mote_conn *c = t->run->channel.conn;
  return c && c->place && c->place == mote_version_place(t);
}

void mote_version_note_place(const struct mote_transfer *t, bool worked)
{
  struct mote_elsewhere *to = mote_elsewhere_of_quic(t);
  if(!to)
    return;
  to->worked = worked;
  to->failed = worked ? 0 : mote_port_wall();
}
