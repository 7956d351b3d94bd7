/* connect/proxy/dial_haproxy.c: introduces the client to a server by the PROXY protocol
 * (connect/dial/dial_phases.h; CURLOPT_HAPROXYPROTOCOL(3), CURLOPT_HAPROXY_CLIENT_IP(3)). */
#include "base/report.h"
#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "port/port.h"
#include "stream/haproxy.h"
#include "transfer/transfer.h"

/* The application's address takes the place of both, as in libcurl; the ports stay. */
static CURLcode choose_addresses(struct mote_transfer *t, const struct mote_conn *c, struct mote_addr *source,
                                 struct mote_addr *target)
{
  const char *own = mote_opt_str(&t->options, CURLOPT_HAPROXY_CLIENT_IP);
  struct mote_addr given;
  *source = c->local;
  *target = c->remote;
  if(!own)
    return CURLE_OK;
  if(!mote_addr_parse(mote_slice_of(own), &given))
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                        "CURLOPT_HAPROXY_CLIENT_IP is no address: '%s'", own);
  given.port = c->local.port;
  *source = given;
  given.port = c->remote.port;
  *target = given;
  return CURLE_OK;
}

static CURLcode dial_haproxy_push(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_addr source, target;
  struct mote_stream *s;
  CURLcode rc;
  if(!c->local.family) /* of a data connection nothing else asks for it */
    (void)mote_port_local_name(mote_conn_fd(c), &c->local);
  rc = choose_addresses(t, c, &source, &target);
  if(!rc)
    rc = mote_haproxy_new(&s, c->top, &c->env, &source, &target);
  return rc ? rc : mote_conn_push(c, s);
}

CURLcode mote_dial_haproxy(struct mote_transfer *t, struct mote_conn *c, bool *begun)
{
  struct mote_stream *s;
  CURLcode rc = *begun ? CURLE_OK : dial_haproxy_push(t, c);
  *begun = !rc;
  if(!rc)
    rc = mote_conn_handshake(c);
  if(rc)
    return rc;
  s = c->top;
  c->top = s->below;
  s->ops->close(s);
  return CURLE_OK;
}

CURLcode mote_dial_introduce(struct mote_dial *d)
{
  bool begun = d->introducing;
  CURLcode rc = d->introduced ? CURLE_OK : mote_dial_haproxy(d->owner, d->drive.conn, &begun);
  d->introducing = begun;
  d->introduced = !rc;
  return rc;
}
