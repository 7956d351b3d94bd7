/* protocol/http.c: the exchange: both directions joined. */
#include "protocol/http.h"

#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "net/conn.h"
#include "net/conn_io.h"
#include "port/port.h"
#include "transfer/buffer.h"
#include "transfer/protocol.h"
#include "transfer/source.h"

struct mote_http *mote_http_of(struct mote_transfer *t)
{
  return mote_conn_state(t->run->conn);
}

static CURLcode http_prepare(struct mote_transfer *t)
{
  CURLcode rc;
  if(t->run->method == MOTE_METHOD_MIME) {
    mote_fail(&t->report, "multipart forms are not built in");
    return CURLE_NOT_BUILT_IN;
  }
  /* A body that is sent again after a redirect starts at its beginning. */
  if(t->run->body && t->run->redirects) {
    rc = t->run->method == MOTE_METHOD_GET || t->run->method == MOTE_METHOD_HEAD ? CURLE_OK
                                                                                   : mote_source_rewind(t);
    if(rc)
      return rc;
    if(t->run->method == MOTE_METHOD_POST || t->run->method == MOTE_METHOD_PUT)
      return CURLE_OK;
  }
  return mote_source_open(t);
}

static CURLcode http_begin(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  memset(h, 0, sizeof *h);
  mote_http1_head_init(&h->in.head, mote_opt_ptr(&t->options, CURLOPT_HTTP200ALIASES));
  t->run->conn->reusable = false;
  t->run->conn->events = 0;
  return CURLE_OK;
}

static bool is_over(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  return h->receiving == MOTE_HTTP_RECEIVE_DONE && h->sending == MOTE_HTTP_SEND_DONE;
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
  if(!r->recv_paused && !r->recv_limited && mote_conn_pending(r->conn)) {
    r->conn->events |= MOTE_WANT_IN;
    mote_transfer_wake(t);
  }
  return CURLE_AGAIN;
}

static CURLcode http_step(struct mote_transfer *t)
{
  mote_time now = mote_port_now();
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

static void http_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->conn;
  if(!c)
    return;
  c->reusable = !rc && h->framing.reusable && !h->close_asked && !h->abandoned && !h->surplus && !h->not_http && !h->bare_lf &&
                h->receiving == MOTE_HTTP_RECEIVE_DONE && h->sending == MOTE_HTTP_SEND_DONE && !c->saw_end;
}

const struct mote_protocol mote_protocol_http = {
  .name = "http",
  .conn_size = sizeof(struct mote_http),
  .prepare = http_prepare,
  .begin = http_begin,
  .step = http_step,
  .end = http_end,
};
