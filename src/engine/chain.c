/* engine/chain.c: leaves one exchange of a transfer for the next (engine/chain.h). */
#include "engine/chain.h"

#include "connect/dial/dial.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"
#include "transfer/upload/source.h"

/* Returns to the first state. */
static void chain_leave(struct mote_transfer *t, CURLcode why)
{
  struct mote_run *r = t->run;
  mote_transfer_end_exchange(t, why);
  mote_connect_release(t, why); /* after end(), which decides whether the connection is reusable */
  mote_response_await(&r->response);
  mote_lease_judge(&r->lease, MOTE_RETRY_NONE);
  mote_transfer_set_active(t, false);
  t->state = MOTE_STATE_PENDING;
}

void mote_chain_next(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  mote_mark_set(&r->stats, MOTE_MARK_REDIRECT, now);
  r->response.headers.request++;
  r->response.next = MOTE_NEXT_NONE;
  r->response.body_ignored = false;
  mote_response_announce(&r->response, -1);
}

void mote_chain_count(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  uint32_t room = UINT32_MAX - r->request.bytes;
  r->request.bytes += r->stats.bytes_up < (curl_off_t)room ? (uint32_t)r->stats.bytes_up : room;
  r->stats.bytes_up = 0;
  r->stats.bytes_down = 0;
  r->stats.delivered = 0;
  r->stats.mark[MOTE_MARK_POSTTRANSFER] = 0;
  r->stats.mark[MOTE_MARK_STARTTRANSFER] = 0;
}

CURLcode mote_chain_follow(struct mote_transfer *t, mote_time now)
{
  chain_leave(t, CURLE_OK);
  return t->run->request.scheme->protocol->follow(t, now);
}

static const char *chain_reason(enum mote_retry why)
{
  switch(why) {
  case MOTE_RETRY_REFUSED:
    return "The server has not begun with this request: retrying on a new connection";
  case MOTE_RETRY_HTTP1:
    return "The server wants HTTP/1.1 for this request: retrying with it";
  default:
    return "The kept connection was dead: retrying on a new one";
  }
}

CURLcode mote_chain_retry(struct mote_transfer *t, enum mote_retry why)
{
  CURLcode rc = mote_source_rewind(t);
  if(rc)
    return rc;
  mote_info(&t->report, "%s", chain_reason(why));
  mote_transfer_unsay(t);
  chain_leave(t, CURLE_RECV_ERROR);
  mote_lease_choose(&t->run->lease, MOTE_LEASE_ONLY_NEW);
  mote_chain_count(t);
  return CURLE_OK;
}
