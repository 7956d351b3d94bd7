/* protocol/http_step.c: one step of an exchange: both directions, then what to wait for. */
#include "net/conn.h"
#include "protocol/http.h"
#include "tls/tls.h"
#include "transfer/sink.h"

bool mote_http_tls_truncated(const struct mote_transfer *t)
{
  return t->run->conn->tls && mote_tls_truncated(t->run->conn->tls);
}

static bool is_over(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  return h->receiving == MOTE_HTTP_RECEIVE_DONE && h->sending == MOTE_HTTP_SEND_DONE;
}

/* Something can be received without an event on the descriptor. */
static bool may_go_on(struct mote_transfer *t)
{
  return mote_conn_pending(t->run->conn) || mote_http_of(t)->unread ||
         (t->run->decode && mote_sink_has_more(t));
}

/* What the transfer waits for: nothing in a direction that is paused or over its speed limit. */
static CURLcode wait_for_more(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  const struct mote_http *h = mote_http_of(t);
  unsigned interest = 0;
  CURLcode rc;
  if(!r->recv_paused && !r->recv_limited && h->receiving != MOTE_HTTP_RECEIVE_DONE)
    interest |= MOTE_WANT_IN;
  if(mote_http_wants_to_send(t) && !r->send_limited)
    interest |= MOTE_WANT_OUT;
  rc = mote_conn_want(r->conn, interest);
  if(rc)
    return rc;
  if(!r->recv_paused && !r->recv_limited && may_go_on(t)) {
    r->conn->events |= MOTE_WANT_IN;
    mote_transfer_wake(t);
  }
  return CURLE_AGAIN;
}

CURLcode mote_http_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc, sent;
  r->recv_limited = false;
  r->send_limited = false;
  sent = mote_http_send_step(t, now);
  /* The server may have said why before it stopped reading: what it sent counts more than our broken pipe. */
  if(sent == CURLE_SEND_ERROR && r->conn->events)
    r->conn->events |= MOTE_WANT_IN;
  else if(sent)
    return sent;
  rc = mote_http_receive_step(t, now);
  if(rc)
    return sent ? sent : rc;
  if(is_over(t))
    return CURLE_OK;
  if(sent)
    return sent;
  return wait_for_more(t);
}
