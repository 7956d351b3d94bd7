/* connect/version_quic.c: how a transfer whose version is left open comes to HTTP/3 (connect/version.h): by
 * an alternative service (RFC 7838), which is a place of its own, or by an HTTPS record (RFC 9460), which
 * says where the origin is. */
#include "base/containers/hash.h"
#include "base/text.h"
#include "connect/version.h"
#include "net/conn_struct.h"
#include "port/port.h"
#include "transfer/elsewhere.h"
#include "transfer/multi/multi.h"

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

/* A transfer whose version is named, and one that an alternative service leads, looks no further. */
bool mote_version_may_discover(const struct mote_transfer *t)
{
  const struct mote_request *r = &t->run->request;
  return mote_opt_str(&t->options, CURLOPT_DOH_URL) && (r->scheme->curlproto & CURLPROTO_HTTPS) &&
         mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_NONE &&
         mote_version_may_find_quic(t) && !t->run->lease.proxied && !r->only_http1 &&
         !mote_elsewhere_of_quic(t);
}

bool mote_version_has_found_quic(const struct mote_transfer *t)
{
  return mote_elsewhere_of_quic(t) != NULL;
}

struct mote_slice mote_version_find_place(const struct mote_transfer *t, uint16_t *port)
{
  const struct mote_elsewhere *to = mote_elsewhere_of_quic(t);
  *port = to ? to->port : 0;
  return to ? (struct mote_slice){to->host, to->host_len} : (struct mote_slice){NULL, 0};
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
