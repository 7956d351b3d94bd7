/* connect/dial/dial_tls.c: adds TLS to a connected socket and drives its handshake. */
#include "base/apart.h"
#include "connect/dial/dial.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "tls/tls.h"
#include "transfer/callback.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

/* Puts the TLS layer on top of the connection's streams. The configuration must not lie below the handshake,
 * which takes more of the stack than all else. */
static MOTE_APART CURLcode dial_add_tls(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_url_packed *u = &t->run->request.url;
  struct mote_tls_config cfg;
  struct mote_stream *tls;
  CURLcode rc;
  mote_transfer_tls_config(t, &cfg);
  rc = mote_tls_connect_new(&tls, c->top, &c->env, &cfg,
                            (struct mote_tls_server){mote_url_packed_ace(u), u->port});
  if(rc)
    return rc;
  rc = mote_conn_push(c, tls);
  if(!rc) {
    mote_connect_use_sessions(t, c);
    if(MOTE_HAS_DATA_CONNECTIONS)
      mote_connect_follow_session(t, c);
  }
  return rc;
}

/* The application's verify callback wants to be called again. */
static bool verify_is_put_off(const struct mote_conn *c)
{
  const struct mote_stream_ops *ops = c->top->ops;
  return MOTE_HAS_OPENSSL && ops->want && !ops->want(c->top, MOTE_WANT_IN);
}

CURLcode mote_dial_handshake(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_direction *recv = &t->run->flow.recv;
  CURLcode rc;
  if(recv->paused && verify_is_put_off(c))
    return CURLE_AGAIN;
  rc = mote_conn_handshake(c);
  if(rc == CURLE_AGAIN && verify_is_put_off(c))
    recv->paused = true;
  return rc;
}

static CURLcode dial_tls_go_on(struct mote_transfer *t, struct mote_conn *c)
{
  CURLcode rc = mote_conn_has_tls(c) ? CURLE_OK : dial_add_tls(t, c);
  return rc ? rc : mote_dial_handshake(t, c);
}

/* With a CURLOPT_SSL_CTX_FUNCTION this runs under the guard, since the TLS layer calls it and knows no
 * transfer. */
CURLcode mote_dial_tls(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_callback_guard g;
  CURLcode rc;
  if(!mote_opt_fn(&t->options, CURLOPT_SSL_CTX_FUNCTION))
    return dial_tls_go_on(t, c);
  g = mote_callback_enter(t);
  rc = dial_tls_go_on(t, c);
  mote_callback_leave(t, g);
  return rc;
}

CURLcode mote_dial_secure(struct mote_transfer *t)
{
  CURLcode rc = mote_dial_tls(t, t->run->channel.conn), noted;
  if(rc == CURLE_AGAIN)
    return rc;
  noted = mote_info_note_tls(t);
  return rc ? rc : noted;
}
