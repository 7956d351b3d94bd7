/* transfer/release.c: how a transfer and its connection part. */
#include "net/conn.h"
#include "net/pool.h"
#include "port/port.h"
#include "transfer/connect.h"
#include "transfer/share.h"
#include "transfer/transfer.h"

static void detach(struct mote_transfer *t, struct mote_conn *c)
{
  c->env.report = NULL;
  c->tcp.watch.user = NULL;
  t->run->conn = NULL;
}

/* Idle connections of a multi stay watched, so that one that the server ends is closed promptly. Where the
 * application watches, or the pool is shared, the watch is taken back (curl_multi_socket_action(3)). */
static void watch_idle(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_share *share = mote_share_of(t);
  if((share && share->pool) || !mote_waitset_watches_idle()) {
    curl_socket_t fd = mote_conn_fd(c);
    mote_watch_remove(c->set, &c->tcp.watch);
    c->tcp.watch.fd = fd;
    c->set = NULL;
  }
  else
    (void)mote_watch_want(c->set, &c->tcp.watch, mote_waitset_by_app(c->set) ? 0 : MOTE_WANT_IN);
}

void mote_connect_release(struct mote_transfer *t, CURLcode rc)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->conn;
  struct mote_pool *pool = mote_transfer_pool(t);
  struct mote_pool_visit v;
  bool failed = rc && rc != CURLE_UPLOAD_FAILED; /* which says that nothing was sent */
  bool over;
  if(mote_share_waits(t))
    mote_share_forget(t);
  if(!c)
    return;
  if(c->env.os_errno)
    r->os_errno = (uint16_t)c->env.os_errno;
  if(r->keep_open && !rc)
    return;
  /* An application that watches is told while there is a handle to name (CURLMOPT_SOCKETFUNCTION(3)). */
  if(c->set && mote_waitset_by_app(c->set))
    (void)mote_watch_want(c->set, &c->tcp.watch, 0);
  detach(t, c);
  over = failed || !c->reusable || c->connect_only || mote_opt_long(&t->options, CURLOPT_FORBID_REUSE);
  mote_info(&t->report, over ? "Closing connection %d" : "Connection #%d left intact", (int)c->id);
  if(!over)
    watch_idle(t, c);
  mote_pool_visit_begin(t, &v);
  if(over)
    mote_pool_discard(pool, c, !rc);
  else
    mote_pool_release(pool, c, mote_connect_most_kept(t), mote_port_now());
  mote_share_tell(t);
  mote_pool_visit_end(t, pool, &v);
}
