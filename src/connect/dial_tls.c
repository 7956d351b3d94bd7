/* connect/dial_tls.c: adds TLS to a connected socket and drives its handshake. */
#include <string.h>

#include "connect/dial.h"
#include "net/conn.h"
#include "tls/tls.h"
#include "transfer/info.h"
#include "transfer/transfer.h"

/* Puts the TLS layer on top of the connection's streams. */
static CURLcode add_tls(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_slice ace = mote_url_packed_ace(&t->run->request.url);
  struct mote_tls_config cfg;
  char host[256];
  CURLcode rc;
  if(ace.len >= sizeof host) {
    mote_fail(&t->report, "host name too long for TLS");
    return CURLE_SSL_CONNECT_ERROR;
  }
  memcpy(host, ace.ptr, ace.len);
  host[ace.len] = 0;
  mote_transfer_tls_config(t, &cfg);
  rc = mote_tls_connect_new(&c->tls, c->top, &c->env, &cfg, host, t->run->request.url.port, NULL);
  if(rc)
    return rc;
  c->top = c->tls;
  mote_connect_use_sessions(t, c);
  return CURLE_OK;
}

static CURLcode handshake(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->channel.conn;
  bool done = true;
  CURLcode rc = CURLE_OK;
  if(c->top->ops->handshake)
    rc = c->top->ops->handshake(c->top, &done);
  /* A connection that breaks now is a failed handshake, whichever layer noticed it (libcurl-errors(3)). */
  if(rc == CURLE_RECV_ERROR || rc == CURLE_SEND_ERROR)
    rc = CURLE_SSL_CONNECT_ERROR;
  if(rc)
    return rc;
  if(done)
    return CURLE_OK;
  rc = mote_conn_want(c, MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

CURLcode mote_connect_secure(struct mote_transfer *t)
{
  CURLcode rc, noted;
  if(!t->run->channel.conn->tls) {
    rc = add_tls(t);
    if(rc)
      return rc;
  }
  rc = handshake(t);
  if(rc == CURLE_AGAIN)
    return rc;
  noted = mote_info_note_tls(t);
  return rc ? rc : noted;
}
