/* connect/data/data.c: the states of the second connection of a transfer, and its end
 * (connect/data/data.h). */
#include "connect/data/data_way.h"

#include "connect/data/data.h"
#include "connect/dial/dial.h"
#include "connect/socket.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/callback.h"
#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

static struct mote_data *data_of(const struct mote_conn *c)
{
  return mote_conn_state((struct mote_conn *)(uintptr_t)c);
}

static void connect_data_wake(struct mote_watch *w, unsigned events)
{
  mote_container_of(w, struct mote_conn, tcp.watch)->events |= (uint8_t)events;
  mote_transfer_wake(w->user);
}

CURLcode mote_data_new(struct mote_transfer *t, struct mote_conn **out, const struct mote_data_way *way,
                       bool tls)
{
  struct mote_conn_closer closer = {
    .fn = (curl_closesocket_callback)mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION),
    .data = mote_opt_ptr(&t->options, CURLOPT_CLOSESOCKETDATA),
  };
  struct mote_conn_plan plan = {
    .key = "", .state_size = way->size, .closer = closer.fn && way->ours ? &closer : NULL,
  };
  struct mote_conn *c;
  CURLcode rc = mote_conn_new(&c, &t->multi->account, &plan);
  if(rc)
    return rc;
  c->env.report = &t->report;
  data_of(c)->way = way;
  data_of(c)->tls = tls;
  *out = c;
  return CURLE_OK;
}

CURLcode mote_data_watch(struct mote_transfer *t, struct mote_conn *c, curl_socket_t fd, unsigned interest)
{
  c->set = &t->multi->set;
  c->tcp.watch.ready = connect_data_wake;
  c->tcp.watch.user = t;
  mote_watch_add(c->set, &c->tcp.watch, fd);
  return mote_conn_want(c, interest);
}

static CURLcode connect_data_explain(struct mote_transfer *t, const struct mote_conn *c, CURLcode rc)
{
  if(rc == CURLE_COULDNT_CONNECT)
    mote_fail(&t->report, "The data connection to port %u failed", (unsigned)c->remote.port);
  return rc;
}

CURLcode mote_data_start(struct mote_transfer *t, struct mote_conn *c, bool *at_once)
{
  const struct mote_addr *to = c->remote.family ? &c->remote : NULL;
  bool turns = data_of(c)->tls || t->run->lease.proxied;
  curl_socket_t fd;
  enum mote_socket_use use = turns ? MOTE_SOCKET_TURNS : MOTE_SOCKET_FLOW;
  CURLcode rc = connect_data_explain(t, c, mote_socket_start(t, to, use, &fd, at_once));
  return rc ? rc : mote_data_watch(t, c, fd, MOTE_WANT_OUT);
}

CURLcode mote_data_continue(struct mote_transfer *t, struct mote_conn *c, bool at_once)
{
  const struct mote_addr *to = c->remote.family ? &c->remote : NULL;
  CURLcode rc = at_once ? CURLE_OK : mote_socket_result(t, to, mote_conn_fd(c));
  if(!rc)
    t->run->conn_count++;
  return connect_data_explain(t, c, rc);
}

/* ---- the states ---- */

/* A load balancer in front of the server wants the line on this connection, too. One that the server begins
 * comes past it. */
static CURLcode introduce(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_data *d = data_of(c);
  if(!d->way->ours || !MOTE_OPT_MAYBE(&t->options, CURLOPT_HAPROXYPROTOCOL) ||
     !mote_opt_long(&t->options, CURLOPT_HAPROXYPROTOCOL))
    return CURLE_OK;
  return mote_dial_haproxy(t, c, &d->introducing);
}

static CURLcode connect_data_go_on(struct mote_transfer *t, struct mote_conn *c, struct mote_data *d,
                                   mote_time now)
{
  CURLcode rc = CURLE_OK;
  if(d->phase == MOTE_DATA_CONNECTING) {
    rc = d->way->connect(t, c, now);
    if(rc)
      return rc;
    d->phase = MOTE_DATA_INTRODUCING;
  }
  if(d->phase == MOTE_DATA_INTRODUCING) {
    rc = introduce(t, c);
    if(rc)
      return rc;
    d->phase = d->tls ? MOTE_DATA_SECURING : MOTE_DATA_READY;
  }
  if(d->phase == MOTE_DATA_SECURING) {
    rc = mote_dial_tls(t, c);
    d->phase = rc ? MOTE_DATA_SECURING : MOTE_DATA_READY;
  }
  return rc;
}

/* Most connections are ready at once, and need no timer. The server's own has another deadline until it has
 * begun. */
CURLcode mote_data_step(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct mote_data *d = data_of(c);
  CURLcode rc = connect_data_go_on(t, c, d, now);
  bool theirs = d->phase == MOTE_DATA_CONNECTING && !d->way->ours;
  if(!rc && t->run->deadline[MOTE_TIMER_CONNECT])
    mote_timer_set(t, MOTE_TIMER_CONNECT, 0);
  else if(rc == CURLE_AGAIN && !theirs && !t->run->deadline[MOTE_TIMER_CONNECT])
    mote_timer_start_connect(t, now);
  return rc;
}

bool mote_data_is_connected(const struct mote_conn *c)
{
  return data_of(c)->phase > MOTE_DATA_CONNECTING;
}

/* A goodbye of TLS is the end of the data, without which the server may take them for cut off. */
CURLcode mote_data_finish(struct mote_conn *c)
{
  struct mote_data *d = data_of(c);
  CURLcode rc;
  if(d->phase == MOTE_DATA_FINISHED)
    return CURLE_OK;
  rc = mote_conn_end_sending(c);
  if(rc)
    return rc == CURLE_SSL_SHUTDOWN_FAILED ? CURLE_SEND_ERROR : rc;
  d->phase = MOTE_DATA_FINISHED;
  return mote_conn_want(c, 0);
}

/* Nothing has read from the connection while it was sent to. A failure comes too late to matter. */
static void keep_tickets(struct mote_conn *c)
{
  char byte;
  size_t n;
  c->env.report = NULL;
  if(mote_conn_has_tls(c))
    (void)mote_conn_receive(c, &byte, sizeof byte, &n);
}

/* The application may have callbacks for closed sockets and for the locks of a share. */
void mote_data_close(struct mote_transfer *t, struct mote_conn **c)
{
  struct mote_callback_guard g;
  const struct mote_data *d;
  if(!*c)
    return;
  g = mote_callback_enter(t);
  d = data_of(*c);
  if(d->phase == MOTE_DATA_CONNECTING && d->way->abandon)
    d->way->abandon(t, *c);
  if(d->phase == MOTE_DATA_FINISHED)
    keep_tickets(*c);
  mote_conn_close(*c, false);
  mote_callback_leave(t, g);
  *c = NULL;
}
