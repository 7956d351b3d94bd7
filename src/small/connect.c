/* small/connect.c: connects. The port looks the name up; the connection's own watch tries the addresses one
 * after the other. */
#include <string.h>

#include "base/memory.h"
#include "connect/dial.h"
#include "connect/route.h"
#include "net/address.h"
#include "net/conn.h"
#include "port/port.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define ADDRESSES 4 /* of one name; more would only be tried after minutes */
#define NAME_MAX_LEN 255u /* bytes (RFC 1035 section 2.3.4) */

/* While a connection is being made. */
struct mote_race {
  size_t count; /* addresses */
  size_t next;  /* the one to try next */
  struct mote_addr found[ADDRESSES];
};

void mote_race_stop(struct mote_transfer *t)
{
  mote_mem_free(&t->account, MOTE_PART_CONN, t->run->race, sizeof *t->run->race);
  t->run->race = NULL;
}

CURLcode mote_connect_name(struct mote_transfer *t, mote_time now)
{
  struct mote_slice host = mote_url_packed_ace(&t->run->request.url);
  struct mote_race *race = t->run->race;
  char name[NAME_MAX_LEN + 1];
  (void)now;
  if(!race)
    race = mote_mem_zalloc(&t->account, MOTE_PART_CONN, sizeof *race);
  t->run->race = race;
  if(!race)
    return CURLE_OUT_OF_MEMORY;
  if(host.len > NAME_MAX_LEN || mote_name_is_onion(host.ptr, host.len))
    return CURLE_COULDNT_RESOLVE_HOST;
  race->count = 1;
  if(mote_addr_parse(host, &race->found[0]))
    return CURLE_OK;
  memcpy(name, host.ptr, host.len);
  name[host.len] = 0;
  switch(mote_port_lookup(name, MOTE_FAMILY_NONE, race->found, ADDRESSES, &race->count)) {
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
static int start(struct mote_conn *c)
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
  struct mote_race *race = t->run->race;
  mote_time end;
  c->remote = race->found[race->next++];
  c->remote.port = t->run->request.url.port;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  end = mote_timer_nearest(t->run);
  if(end && race->next < race->count)
    mote_timer_set(t, MOTE_TIMER_STATE, now + (end - now) / 2);
  return start(c);
}

static CURLcode attempt(struct mote_transfer *t, mote_time now)
{
  struct mote_race *race = t->run->race;
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
  while(err && err != MOTE_PORT_AGAIN && race->next < race->count)
    err = start_next(t, c, now);
  if(!err)
    return CURLE_OK;
  t->run->stats.os_errno = (uint16_t)err;
  if(err != MOTE_PORT_AGAIN)
    return CURLE_COULDNT_CONNECT;
  (void)mote_watch_want(c->set, &c->tcp.watch, MOTE_WANT_OUT);
  return CURLE_AGAIN;
}

CURLcode mote_connect_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  if(r->lease.phase != MOTE_PHASE_LAYERS) {
    CURLcode rc = attempt(t, now);
    if(rc)
      return rc;
    mote_race_stop(t);
    r->lease.phase = MOTE_PHASE_LAYERS;
    r->conn_count++;
    r->stats.os_errno = 0;
  }
  return mote_route_is_tls(t) ? mote_connect_secure(t) : CURLE_OK;
}
