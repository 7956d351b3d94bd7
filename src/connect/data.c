/* connect/data.c: makes and ends the second connection of a transfer (connect/data.h). */
#include "connect/data.h"

#include "connect/dial.h"
#include "connect/socket.h"
#include "net/conn.h"
#include "transfer/callback.h"
#include "transfer/multi.h"
#include "transfer/start.h"
#include "transfer/transfer.h"

enum phase {
  CONNECTING,
  SECURING, /* TLS comes on top */
  READY,
  FINISHED  /* the sending side has ended */
};

/* The dial, in the place of a protocol's state. */
struct data {
  bool tls;
  bool at_once;  /* the socket was connected when it was made */
  uint8_t phase; /* enum phase */
};

#define STATE_SIZE ((sizeof(struct data) + 7) & ~(size_t)7)

static void wake(struct mote_watch *w, unsigned events)
{
  mote_container_of(w, struct mote_conn, tcp.watch)->events |= (uint8_t)events;
  mote_transfer_wake(w->user);
}

static CURLcode start(struct mote_transfer *t, struct mote_conn *c)
{
  struct data *d = mote_conn_state(c);
  curl_socket_t fd;
  CURLcode rc;
  if(!c->remote.family) { /* the control connection is a Unix socket */
    mote_fail(&t->report, "The data connection has no address");
    return CURLE_COULDNT_CONNECT;
  }
  rc = mote_socket_start(t, &c->remote, &fd, &d->at_once);
  if(rc)
    return rc;
  c->set = &t->multi->set;
  mote_watch_add(c->set, &c->tcp.watch, fd);
  return mote_conn_want(c, MOTE_WANT_OUT);
}

static CURLcode explain(struct mote_transfer *t, const struct mote_conn *c, CURLcode rc)
{
  if(rc == CURLE_COULDNT_CONNECT)
    mote_fail(&t->report, "The data connection to port %u failed", (unsigned)c->remote.port);
  return rc;
}

CURLcode mote_data_open(struct mote_transfer *t, struct mote_conn **out, const struct mote_addr *to, bool tls,
                        mote_time now)
{
  struct mote_conn_closer closer = {
    .fn = (curl_closesocket_callback)mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION),
    .data = mote_opt_ptr(&t->options, CURLOPT_CLOSESOCKETDATA),
  };
  struct mote_conn_plan plan = {.key = "", .state_size = STATE_SIZE, .closer = closer.fn ? &closer : NULL};
  struct mote_conn *c;
  CURLcode rc;
  *out = NULL;
  rc = mote_conn_new(&c, &t->multi->account, &plan);
  if(rc)
    return rc;
  c->remote = *to;
  c->env.report = &t->report;
  c->tcp.watch.ready = wake;
  c->tcp.watch.user = t;
  ((struct data *)mote_conn_state(c))->tls = tls;
  rc = explain(t, c, start(t, c));
  if(rc)
    mote_data_close(t, &c);
  else
    mote_start_connect_timer(t, now);
  *out = c;
  return rc;
}

CURLcode mote_data_step(struct mote_transfer *t, struct mote_conn *c)
{
  struct data *d = mote_conn_state(c);
  CURLcode rc = CURLE_OK;
  if(d->phase == CONNECTING) {
    rc = d->at_once ? CURLE_OK : explain(t, c, mote_socket_result(t, &c->remote, mote_conn_fd(c)));
    if(rc)
      return rc;
    t->run->conn_count++;
    d->phase = d->tls ? SECURING : READY;
  }
  if(d->phase == SECURING)
    rc = mote_dial_tls(t, c);
  if(rc)
    return rc;
  d->phase = READY;
  mote_timer_set(t, MOTE_TIMER_CONNECT, 0);
  return CURLE_OK;
}

/* A goodbye of TLS is the end of the data, without which the server may take them for cut off. */
CURLcode mote_data_finish(struct mote_conn *c)
{
  struct data *d = mote_conn_state(c);
  CURLcode rc;
  if(d->phase == FINISHED)
    return CURLE_OK;
  rc = mote_conn_end_sending(c);
  if(rc)
    return rc == CURLE_SSL_SHUTDOWN_FAILED ? CURLE_SEND_ERROR : rc;
  d->phase = FINISHED;
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
  if(!*c)
    return;
  g = mote_callback_enter(t);
  if(((struct data *)mote_conn_state(*c))->phase == FINISHED)
    keep_tickets(*c);
  mote_conn_close(*c, false);
  mote_callback_leave(t, g);
  *c = NULL;
}
