/* connect/tls_sessions.c: selects the TLS sessions that a transfer uses, its multi's or its share's. */
#include "connect/dial/dial.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "tls/tls.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"
#include "transfer/transfer.h"

struct mote_session_cache *mote_transfer_sessions(struct mote_transfer *t)
{
  const struct mote_share *share = mote_share_of(t);
  return share && share->sessions ? share->sessions : &t->multi->sessions;
}

static void lock_sessions(void *arg)
{
  mote_share_lock(arg, CURL_LOCK_DATA_SSL_SESSION);
}

static void unlock_sessions(void *arg)
{
  mote_share_unlock(arg, CURL_LOCK_DATA_SSL_SESSION);
}

void mote_connect_use_sessions_with(struct mote_transfer *t, struct mote_stream *tls)
{
  static const struct mote_session_guard guard = {.lock = lock_sessions, .unlock = unlock_sessions};
  mote_tls_set_cache(tls, mote_transfer_sessions(t), &guard, t);
}

/* Called whenever a transfer takes a connection with TLS, because tickets may arrive at any time. */
void mote_connect_use_sessions(struct mote_transfer *t, struct mote_conn *c)
{
  if(!mote_conn_is_plain(c))
    mote_connect_use_sessions_with(t, c->top);
}

void mote_connect_follow_session(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_conn *first = t->run->channel.conn;
  const struct mote_stream *tls = first && first != c ? mote_conn_layer(first, MOTE_ROLE_TLS) : NULL;
  if(tls)
    mote_tls_resume_as(c->top, tls);
}

void mote_connect_forget_sessions(struct mote_conn *c)
{
  if(!mote_conn_is_plain(c))
    mote_tls_set_cache(c->top, NULL, NULL, NULL);
}
