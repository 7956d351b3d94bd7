/* transfer/redirect_few.c: another URL, in a build that has GET alone (without part http_all): run->url is
 * the next one as soon as it is known that it will be followed. */
#include "transfer/redirect.h"
#include "transfer/start.h"
#include "transfer/transfer.h"

CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status)
{
  struct mote_run *r = t->run;
  struct mote_url_packed packed;
  struct mote_url_how how;
  struct mote_url next, base;
  CURLUcode rc;
  if(status < 300 || status > 399 || r->follow || !location.len ||
     !mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION))
    return CURLE_OK;
  r->body_ignored = true;
  if(mote_redirect_too_many(t))
    return CURLE_TOO_MANY_REDIRECTS;
  mote_start_url_how(t, &how);
  how.flags |= CURLU_URLENCODE | CURLU_ALLOW_SPACE;
  mote_url_unpack(&r->url, &base);
  rc = mote_url_resolve(&next, &base, location.ptr, location.len, &how, true);
  if(!rc)
    rc = mote_url_pack(&packed, &next, &t->account);
  if(rc)
    return mote_start_url_failed(t, rc);
  mote_url_packed_close(&r->url, &t->account);
  r->url = packed;
  r->follow = true;
  return CURLE_OK;
}

CURLcode mote_redirect_other(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  (void)now;
  r->redirects++;
  r->headers.request++;
  r->follow = false;
  r->body_ignored = false;
  r->prepared = false;
  r->fresh = false;
  r->size_down = -1;
  r->bytes_down = 0;
  return CURLE_OK;
}
