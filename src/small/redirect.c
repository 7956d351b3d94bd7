/* small/redirect.c: begins a transfer again with another URL, or with the same one on a new connection.
 * run->request.url is the next URL as soon as the redirect is sure to be followed. */
#include "http/redirect.h"

#include "codec/url/url.h"
#include "connect/dial/dial.h"
#include "engine/chain.h"
#include "engine/start.h"
#include "small/upload/upload.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static bool small_redirect_too_many(const struct mote_transfer *t)
{
  long max = mote_opt_long(&t->options, CURLOPT_MAXREDIRS);
  return max >= 0 && t->run->request.redirects >= max;
}

CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status)
{
  struct mote_run *r = t->run;
  struct mote_url_packed packed;
  struct mote_url_how how;
  struct mote_url next, base;
  CURLUcode rc;
  if(status < 300 || status > 399 || r->response.next || !location.len ||
     !mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION))
    return CURLE_OK;
  r->response.body_ignored = true;
  if(small_redirect_too_many(t))
    return CURLE_TOO_MANY_REDIRECTS;
  mote_start_url_how(t, &how);
  how.flags |= CURLU_URLENCODE;
  mote_url_unpack(&r->request.url, &base);
  rc = mote_url_resolve(&next, &base, location, &how, true);
  if(!rc)
    rc = mote_url_pack(&packed, &next, &t->account);
  if(rc)
    return mote_start_url_failed(t, rc);
  mote_url_packed_close(&r->request.url, &t->account);
  r->request.url = packed;
  r->response.next = MOTE_NEXT_URL;
  return mote_upload_redirect(t, status);
}

/* Leaves the exchange for the first state. */
static void start_over(struct mote_transfer *t, CURLcode why)
{
  struct mote_run *r = t->run;
  mote_transfer_end_exchange(t, why);
  mote_connect_release(t, why);
  mote_response_await(&r->response);
  r->stats.bytes_up = 0;
  t->state = MOTE_STATE_PENDING;
}

CURLcode mote_chain_follow(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  (void)now;
  start_over(t, CURLE_OK);
  r->request.redirects++;
  r->response.headers.request++;
  r->response.next = MOTE_NEXT_NONE;
  r->response.body_ignored = false;
  r->request.stage = MOTE_REQUEST_NEW;
  mote_lease_choose(&r->lease, MOTE_LEASE_NEW);
  mote_response_announce(&r->response, -1);
  r->stats.bytes_down = 0;
  return CURLE_OK;
}

CURLcode mote_chain_retry(struct mote_transfer *t, enum mote_retry why)
{
  (void)why;
  start_over(t, CURLE_RECV_ERROR);
  mote_lease_choose(&t->run->lease, MOTE_LEASE_ONLY_NEW);
  return CURLE_OK;
}
