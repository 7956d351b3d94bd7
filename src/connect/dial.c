/* connect/dial.c: takes a connected socket, notes and reports it, continues with TLS, and calls
 * CURLOPT_PREREQFUNCTION. */
#include "connect/dial.h"

#include "connect/route.h"
#include "net/address.h"
#include "net/conn.h"
#include "port/port.h"
#include "transfer/callback.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static void connected(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->channel.conn;
  r->lease.phase = MOTE_PHASE_LAYERS;
  r->conn_count++;
  r->stats.os_errno = 0; /* drops the error of an address that was tried before */
  mote_mark_set(&r->stats, MOTE_MARK_CONNECT, now);
  (void)mote_port_local_name(mote_conn_fd(c), &c->local);
  r->stats.primary = c->remote;
  r->stats.local = c->local;
  mote_route_report(t);
  c->ip_version = c->remote.family >= MOTE_FAMILY_IP4 ? c->remote.family : 0;
}

/* With a CURLOPT_SSL_CTX_FUNCTION this runs under the guard, since the TLS layer calls it and knows no
 * transfer. */
static CURLcode connect_tls(struct mote_transfer *t)
{
  struct mote_callback_guard g;
  CURLcode rc;
  if(!mote_opt_fn(&t->options, CURLOPT_SSL_CTX_FUNCTION))
    return mote_connect_secure(t);
  g = mote_callback_enter(t);
  rc = mote_connect_secure(t);
  mote_callback_leave(t, g);
  return rc;
}

CURLcode mote_connect_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(r->lease.phase != MOTE_PHASE_LAYERS) {
    rc = mote_race_step(t, now);
    if(rc == CURLE_COULDNT_CONNECT)
      mote_connect_report_failed(t, now);
    if(rc)
      return rc;
    connected(t, mote_port_now());
  }
  if(!mote_route_is_tls(t))
    return CURLE_OK;
  rc = connect_tls(t);
  if(!rc)
    mote_mark_set(&r->stats, MOTE_MARK_APPCONNECT, mote_port_now());
  return rc;
}

CURLcode mote_connect_prereq(struct mote_transfer *t)
{
  curl_prereq_callback fn = (curl_prereq_callback)mote_opt_fn(&t->options, CURLOPT_PREREQFUNCTION);
  struct mote_run *r = t->run;
  char primary[MOTE_ADDR_TEXT_MAX], local[MOTE_ADDR_TEXT_MAX];
  struct mote_callback_guard g;
  int rc;
  if(!fn)
    return CURLE_OK;
  mote_addr_print(&r->stats.primary, primary);
  mote_addr_print(&r->stats.local, local);
  g = mote_callback_enter(t);
  rc = fn(mote_opt_ptr(&t->options, CURLOPT_PREREQDATA), primary, local, r->stats.primary.port,
          r->stats.local.port);
  mote_callback_leave(t, g);
  if(rc == CURL_PREREQFUNC_OK)
    return CURLE_OK;
  mote_fail(&t->report, "operation aborted by pre-request callback");
  return CURLE_ABORTED_BY_CALLBACK;
}
