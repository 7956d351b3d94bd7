/* small/connect.c: connects. The port looks the name up; the connection's own watch tries the addresses one
 * after the other. */
#include <string.h>

#include "base/memory.h"
#include "connect/dial/dial.h"
#include "connect/route/route.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "net/waitset.h"
#include "port/port.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define ADDRESSES 4 /* of one name; more would only be tried after minutes */
#define NAME_MAX_LEN 255u /* bytes (RFC 1035 section 2.3.4) */

/* Exists until the socket is connected. */
struct mote_dial {
  size_t count; /* addresses; 0: they are looked up */
  size_t next;  /* the one to try next */
  struct mote_addr found[ADDRESSES];
};

void mote_dial_leave(struct mote_transfer *t)
{
  if(t->state != MOTE_STATE_CONNECTING)
    return;
  mote_mem_free(&t->account, MOTE_PART_CONN, t->run->channel.dial, sizeof *t->run->channel.dial);
  t->run->channel.dial = NULL;
}

static CURLcode connect_resolve(struct mote_transfer *t)
{
  struct mote_slice host = mote_url_packed_ace(&t->run->request.url);
  struct mote_dial *dial = t->run->channel.dial;
  char name[NAME_MAX_LEN + 1];
  if(!dial)
    dial = mote_mem_zalloc(&t->account, MOTE_PART_CONN, sizeof *dial);
  t->run->channel.dial = dial;
  if(!dial)
    return CURLE_OUT_OF_MEMORY;
  if(host.len > NAME_MAX_LEN || mote_name_is_onion(host.ptr, host.len))
    return CURLE_COULDNT_RESOLVE_HOST;
  if(mote_addr_parse(host, &dial->found[0])) {
    dial->count = 1;
    return CURLE_OK;
  }
  memcpy(name, host.ptr, host.len);
  name[host.len] = 0;
  switch(mote_port_lookup(name, MOTE_FAMILY_NONE, dial->found, ADDRESSES, &dial->count)) {
  case 0:
    return CURLE_OK;
  case MOTE_PORT_AGAIN:
    return CURLE_AGAIN;
  case MOTE_PORT_NO_MEMORY:
    return CURLE_OUT_OF_MEMORY;
  default:
    return CURLE_COULDNT_RESOLVE_HOST;
  }
}

/* Returns 0, MOTE_PORT_AGAIN, or an error number, when there is no socket. */
static int connect_start(struct mote_conn *c)
{
  struct mote_target target;
  curl_socket_t fd = CURL_SOCKET_BAD;
  int err = mote_port_target_ip(&target, &c->remote, MOTE_SOCKET_STREAM);
  if(!err)
    err = mote_port_socket(&target.u.sa, &fd);
  if(!err)
    err = mote_port_connect(fd, &target.u.sa);
  if(!err || err == MOTE_PORT_AGAIN)
    mote_watch_add(c->set, &c->tcp.watch, fd);
  else if(fd != CURL_SOCKET_BAD)
    mote_port_close(fd);
  return err;
}

/* Tries the next address, for half of the time that is left when another one follows. */
static int start_next(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct mote_dial *dial = t->run->channel.dial;
  mote_time end;
  c->remote = dial->found[dial->next++];
  c->remote.port = t->run->request.url.port;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  end = mote_timer_nearest(t->run);
  if(end && dial->next < dial->count)
    mote_timer_set(t, MOTE_TIMER_STATE, now + (end - now) / 2);
  return connect_start(c);
}

static CURLcode attempt(struct mote_transfer *t, mote_time now)
{
  struct mote_dial *dial = t->run->channel.dial;
  struct mote_conn *c = t->run->channel.conn;
  curl_socket_t fd = mote_conn_fd(c);
  int err = MOTE_PORT_NO_NAME;
  if(fd != CURL_SOCKET_BAD) {
    err = mote_timer_due(t, MOTE_TIMER_STATE, now) ? ETIMEDOUT : mote_port_connect_result(fd);
    if(err && err != MOTE_PORT_AGAIN) {
      mote_watch_remove(c->set, &c->tcp.watch);
      mote_port_close(fd);
    }
  }
  while(err && err != MOTE_PORT_AGAIN && dial->next < dial->count)
    err = start_next(t, c, now);
  if(!err)
    return CURLE_OK;
  t->run->stats.os_errno = (uint16_t)err;
  if(err != MOTE_PORT_AGAIN)
    return CURLE_COULDNT_CONNECT;
  (void)mote_watch_want(c->set, &c->tcp.watch, MOTE_WANT_OUT);
  return CURLE_AGAIN;
}

CURLcode mote_dial_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  const struct mote_dial *dial = r->channel.dial;
  if(dial || mote_conn_fd(r->channel.conn) == CURL_SOCKET_BAD) {
    CURLcode rc = dial && dial->count ? CURLE_OK : connect_resolve(t);
    if(!rc)
      rc = attempt(t, now);
    if(rc)
      return rc;
    mote_dial_leave(t);
    r->conn_count++;
    r->stats.os_errno = 0;
  }
  return mote_route_is_tls(t) ? mote_dial_secure(t) : CURLE_OK;
}

/* There is no CURLOPT_PREREQFUNCTION here. */
CURLcode mote_dial_prereq(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}
