/* connect/dial/dial_phases.c: what a dial does in each phase (connect/dial/dial_phases.h), and the callback
 * between the connection and the request. */
#include "connect/dial/dial_phases.h"

#include "connect/dial/dial.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "port/port.h"
#include "transfer/callback.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static CURLcode dial_phases_names(struct mote_dial *d, mote_time now)
{
  CURLcode rc = mote_dial_resolve(d, now);
  if(!rc)
    mote_mark_set(&d->owner->run->stats, MOTE_MARK_NAME, now);
  return rc;
}

void mote_dial_note_connected(struct mote_dial *d)
{
  struct mote_transfer *t = d->owner;
  struct mote_conn *c = d->drive.conn;
  struct mote_run *r = t->run;
  r->conn_count++;
  r->stats.os_errno = 0; /* drops the error of an address that was tried before */
  mote_mark_set(&r->stats, MOTE_MARK_CONNECT, mote_port_now());
  (void)mote_port_local_name(mote_conn_fd(c), &c->local);
  r->stats.primary = c->remote;
  r->stats.local = c->local;
  if(t->report.verbose)
    mote_route_report(t);
  c->ip_version = c->remote.family >= MOTE_FAMILY_IP4 ? c->remote.family : 0;
}

static CURLcode dial_phases_race(struct mote_dial *d, mote_time now)
{
  CURLcode rc = mote_dial_race(d, now);
  if(rc == CURLE_COULDNT_CONNECT)
    mote_dial_report_failed(d->owner, now);
  if(!rc)
    mote_dial_note_connected(d);
  return rc;
}

CURLcode mote_dial_upgrade(struct mote_transfer *t)
{
  CURLcode rc = mote_dial_secure(t);
  if(!rc)
    mote_mark_set(&t->run->stats, MOTE_MARK_APPCONNECT, mote_port_now());
  return rc;
}

/* A callback of a layer may set options, too. */
static CURLcode dial_phases_layers(struct mote_dial *d, mote_time now)
{
  const struct mote_run *r = d->owner->run;
  bool more = r->lease.proxied;
  CURLcode rc = mote_connect_compare(d->owner);
  while(!rc && more) {
    rc = mote_dial_proxies(d, now, &more);
    if(!rc)
      rc = mote_connect_compare(d->owner);
  }
  if(!rc && mote_opt_long(&d->owner->options, CURLOPT_HAPROXYPROTOCOL))
    rc = mote_dial_introduce(d);
  if(rc)
    return rc;
  return r->request.scheme->tls == MOTE_SECURE_FIRST ? mote_dial_upgrade(d->owner) : CURLE_OK;
}

static CURLcode greeting(struct mote_dial *d, mote_time now)
{
  const struct mote_protocol *p = d->owner->run->request.scheme->protocol;
  return p->greet ? p->greet(d->owner, now) : CURLE_OK;
}

const mote_dial_phase_fn mote_dial_phases[MOTE_DIAL_READY] = {
  [MOTE_DIAL_NAMES] = dial_phases_names, [MOTE_DIAL_RACE] = dial_phases_race,
  [MOTE_DIAL_LAYERS] = dial_phases_layers,
  [MOTE_DIAL_GREETING] = greeting,
};

static CURLcode call_prereq(struct mote_transfer *t)
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
  return mote_fail_as(CURLE_ABORTED_BY_CALLBACK, &t->report, "operation aborted by pre-request callback");
}

/* A request that a proxy passes on is written for the route of the connection. */
CURLcode mote_dial_prereq(struct mote_transfer *t)
{
  CURLcode rc = call_prereq(t);
  return rc ? rc : mote_connect_compare(t);
}
