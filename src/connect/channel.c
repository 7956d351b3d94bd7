/* connect/channel.c: the state of an exchange, and what a driver does for each of many transfers
 * (transfer/channel.h). */
#include "net/mux/mux.h"
#include "transfer/channel.h"

#include "base/memory.h"
#include "connect/dial/dial.h"
#include "net/conn.h"
#include "net/mux/mux.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static size_t channel_size_of(const struct mote_run *r)
{
  return r->request.scheme->protocol->channel_size;
}

CURLcode mote_channel_open(struct mote_transfer *t)
{
  t->run->channel.state = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, channel_size_of(t->run));
  return t->run->channel.state ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

void mote_channel_close(struct mote_transfer *t)
{
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, t->run->channel.state, channel_size_of(t->run));
  t->run->channel.state = NULL;
}

static void channel_park(struct mote_run *r, CURLcode rc)
{
  struct mote_exchange *e = r->channel.state;
  e->parked = rc;
  mote_lease_enter(&r->lease, MOTE_PHASE_PARKED);
}

CURLcode mote_channel_unpark(struct mote_transfer *t)
{
  const struct mote_exchange *e = t->run->channel.state;
  mote_lease_enter(&t->run->lease, MOTE_PHASE_EXCHANGE);
  return e->parked;
}

static void channel_refuse(struct mote_run *r)
{
  if(r->lease.kind != MOTE_LEASE_ONLY_NEW && !r->lease.retry)
    mote_lease_judge(&r->lease, MOTE_RETRY_REFUSED);
  channel_park(r, CURLE_RECV_ERROR);
}

void mote_channel_fail(struct mote_transfer *t, CURLcode rc)
{
  channel_park(t->run, rc);
  mote_transfer_wake(t);
}

void mote_channel_deliver(struct mote_transfer *t, const struct mote_event *event)
{
  struct mote_run *r = t->run;
  if(r->lease.phase != MOTE_PHASE_EXCHANGE)
    return;
  if(event->kind == MOTE_EVENT_REFUSED)
    channel_refuse(r);
  else {
    CURLcode rc = r->request.scheme->protocol->deliver(t, event);
    if(rc && rc != CURLE_AGAIN)
      channel_park(r, rc);
  }
  mote_transfer_wake(t);
}

/* The sessions are the transfer's for the time of this call alone, since it may leave before the connection
 * ends. */
void mote_channel_lend_sessions(struct mote_conn *c, struct mote_transfer *t)
{
  if(t)
    mote_connect_use_sessions(t, c);
}

void mote_channel_end_sessions(struct mote_conn *c, struct mote_transfer *t)
{
  if(t)
    mote_connect_forget_sessions(c);
}

CURLcode mote_channel_receive(struct mote_conn *c, struct mote_transfer *t, void *buf, size_t size, size_t *n)
{
  CURLcode rc;
  mote_channel_lend_sessions(c, t);
  rc = mote_conn_receive(c, buf, size, n);
  mote_channel_end_sessions(c, t);
  return rc;
}
