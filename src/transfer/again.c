/* transfer/again.c: out of an exchange and into the next one of the same transfer. */
#include "base/report.h"
#include "transfer/connect.h"
#include "transfer/engine.h"
#include "transfer/protocol.h"
#include "transfer/redirect.h"
#include "transfer/source.h"
#include "transfer/transfer.h"

void mote_redirect_drop(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  mote_text_free(t, r->redirect);
  r->redirect = NULL;
}

bool mote_redirect_too_many(struct mote_transfer *t)
{
  long max = mote_opt_long(&t->options, CURLOPT_MAXREDIRS);
  if(max < 0 || t->run->redirects < max)
    return false;
  mote_fail(&t->report, "Maximum (%ld) redirects followed", max);
  return true;
}

/* Out of the exchange, back to the first state with what the next request needs. */
static void start_over(struct mote_transfer *t, CURLcode why)
{
  struct mote_run *r = t->run;
  if(r->begun) {
    r->begun = false;
    r->scheme->protocol->end(t, why);
  }
  mote_connect_release(t, why);
  if(mote_multi_max_host(t->multi)) /* the next request may be to another host */
    mote_multi_wake_queued(t->multi);
  mote_race_stop(t);
  r->connected = false;
  r->got_bytes = false;
  mote_kept_free(t, r->unsent);
  r->unsent = NULL;
  mote_transfer_set_active(t, false);
  t->state = MOTE_STATE_PENDING;
}

CURLcode mote_redirect_follow(struct mote_transfer *t, mote_time now)
{
  start_over(t, CURLE_OK);
  return t->run->same_again ? mote_redirect_same(t, now) : mote_redirect_other(t, now);
}

CURLcode mote_redirect_retry(struct mote_transfer *t)
{
  CURLcode rc = mote_source_rewind(t);
  if(rc)
    return rc;
  mote_info(&t->report, "The kept connection was dead: once more on a new one");
  t->failed_text = false;
  start_over(t, CURLE_RECV_ERROR);
  t->run->fresh = true;
  mote_redirect_count(t->run);
  return CURLE_OK;
}
