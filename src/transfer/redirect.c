/* transfer/redirect.c: another URL. */
#include "transfer/redirect.h"

#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "transfer/protocol.h"
#include "transfer/start.h"
#include "transfer/transfer.h"

/* What cannot be resolved is shown as it came, and is an error only when it is to be followed. */
static CURLcode resolve(struct mote_transfer *t, struct mote_slice location, bool follow)
{
  struct mote_run *r = t->run;
  struct mote_url_how how;
  struct mote_url next, base;
  CURLUcode rc;
  mote_start_url_how(t, &how);
  how.flags |= CURLU_URLENCODE | CURLU_ALLOW_SPACE;
  if(!follow)
    how.flags |= CURLU_NON_SUPPORT_SCHEME;
  mote_url_unpack(&r->url, &base);
  rc = mote_url_resolve(&next, &base, location.ptr, location.len, &how, true);
  if(rc == CURLUE_OUT_OF_MEMORY)
    return CURLE_OUT_OF_MEMORY;
  if(rc && follow)
    return mote_start_url_failed(t, rc);
  if(!rc)
    location = mote_url_get(&next, MOTE_URL_WHOLE);
  r->redirect = mote_mem_strndup(&t->account, MOTE_PART_URL, location.ptr, location.len);
  if(!rc)
    mote_url_close(&next);
  return r->redirect ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status)
{
  long mode = mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION);
  CURLcode rc;
  if(status < 300 || status > 399 || t->run->redirect || !location.len)
    return CURLE_OK;
  rc = resolve(t, location, mode != 0);
  if(rc || !mode)
    return rc;
  if(mote_redirect_too_many(t)) {
    t->run->body_ignored = true;
    return CURLE_TOO_MANY_REDIRECTS;
  }
  t->run->follow = true;
  t->run->body_ignored = true;
  t->run->redirect_status = (uint16_t)status;
  return CURLE_OK;
}

/* The new URL with a block of its own; run->redirect is given back. */
static CURLcode take_url(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_url_how how;
  struct mote_url parsed, own;
  struct mote_url_packed packed;
  CURLUcode rc;
  mote_start_url_how(t, &how);
  rc = mote_url_parse(&parsed, r->redirect, strlen(r->redirect), &how);
  if(!rc) {
    rc = mote_url_copy(&own, &parsed, &t->account);
    mote_url_close(&parsed);
  }
  if(!rc)
    rc = mote_url_pack(&packed, &own, &t->account);
  if(rc)
    return mote_start_url_failed(t, rc);
  mote_url_packed_close(&r->url, &t->account);
  r->url = packed;
  mote_redirect_drop(t);
  return CURLE_OK;
}

CURLcode mote_redirect_other(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc = mote_redirect_change(t);
  rc = rc ? rc : take_url(t);
  rc = rc ? rc : mote_redirect_compare(t);
  if(rc)
    return rc;
  mote_info(&t->report, "Following to '%.*s'", (int)r->url.len, r->url.text);
  mote_mark_set(r, MOTE_MARK_REDIRECT, now);
  r->redirects++;
  r->headers.request++;
  r->follow = false;
  r->body_ignored = false;
  r->prepared = false;
  r->fresh = false;
  r->reused = false;
  r->size_down = -1;
  r->bytes_down = 0;
  r->bytes_up = 0;
  return CURLE_OK;
}
