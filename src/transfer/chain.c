/* transfer/chain.c: leaves one exchange of a transfer for the next (transfer/chain.h). */
#include "transfer/chain.h"

#include "connect/dial.h"
#include "transfer/multi.h"
#include "transfer/protocol.h"
#include "transfer/source.h"
#include "transfer/transfer.h"

/* Returns to the first state. */
static void leave(struct mote_transfer *t, CURLcode why)
{
  struct mote_run *r = t->run;
  if(r->begun) {
    r->begun = false;
    r->scheme->protocol->end(t, why);
  }
  mote_connect_release(t, why); /* after end(), which decides whether the connection is reusable */
  if(t->multi->max_host) /* the next request may go to another host */
    mote_multi_wake_queued(t->multi);
  mote_race_stop(t);
  r->connected = false;
  r->got_bytes = false;
  mote_kept_free(t, r->unsent);
  r->unsent = NULL;
  mote_transfer_set_active(t, false);
  t->state = MOTE_STATE_PENDING;
}

void mote_chain_next(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  mote_mark_set(r, MOTE_MARK_REDIRECT, now);
  r->headers.request++;
  r->follow = false;
  r->body_ignored = false;
  r->size_down = -1;
}

void mote_chain_count(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  uint32_t room = UINT32_MAX - r->request_size;
  r->request_size += r->bytes_up < (curl_off_t)room ? (uint32_t)r->bytes_up : room;
  r->bytes_up = 0;
  r->bytes_down = 0;
  r->delivered = 0;
  r->mark[MOTE_MARK_POSTTRANSFER] = 0;
  r->mark[MOTE_MARK_STARTTRANSFER] = 0;
}

CURLcode mote_chain_follow(struct mote_transfer *t, mote_time now)
{
  leave(t, CURLE_OK);
  return t->run->scheme->protocol->follow(t, now);
}

CURLcode mote_chain_retry(struct mote_transfer *t)
{
  CURLcode rc = mote_source_rewind(t);
  if(rc)
    return rc;
  mote_info(&t->report, "The kept connection was dead: retrying on a new one");
  t->failed_text = false;
  leave(t, CURLE_RECV_ERROR);
  t->run->fresh = true;
  mote_chain_count(t);
  return CURLE_OK;
}
