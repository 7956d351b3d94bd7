/* transfer/redirect.c: another URL. */
#include "transfer/redirect.h"

#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "transfer/protocol.h"
#include "transfer/start.h"
#include "transfer/transfer.h"

static bool supported(const char *scheme, size_t len)
{
  return mote_scheme_find(scheme, len) != NULL;
}

/* A Location is parsed as a reference: it has no scheme to be guessed, and what may not stand in a URL is
 * encoded. */
static void location_how(struct mote_transfer *t, struct mote_url_how *how)
{
  mote_start_url_how(t, how);
  how->flags &= ~(unsigned)(CURLU_GUESS_SCHEME | CURLU_DEFAULT_SCHEME);
  how->flags |= CURLU_URLENCODE | CURLU_ALLOW_SPACE;
}

static CURLcode keep_location(struct mote_transfer *t, struct mote_slice text)
{
  t->run->redirect = mote_mem_strndup(&t->account, MOTE_PART_URL, text.ptr, text.len);
  return t->run->redirect ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* CURLINFO_REDIRECT_URL: no credentials are shown, and what is no URL is shown as it came. */
static CURLcode keep_shown(struct mote_transfer *t, const struct mote_url *next)
{
  size_t len = mote_url_print(next, MOTE_URL_NO_CREDENTIALS, NULL, 0);
  char *text = mote_mem_alloc(&t->account, MOTE_PART_URL, len + 1);
  if(!text)
    return CURLE_OUT_OF_MEMORY;
  (void)mote_url_print(next, MOTE_URL_NO_CREDENTIALS, text, len);
  text[len] = 0;
  t->run->redirect = text;
  return CURLE_OK;
}

/* What is followed takes the credentials of the URL along where it is relative, and CURLOPT_PORT holds
 * for it too. An absolute one is judged only when its turn comes. */
static CURLcode resolve(struct mote_transfer *t, struct mote_slice location, bool follow)
{
  struct mote_run *r = t->run;
  long port = mote_opt_long(&t->options, CURLOPT_PORT);
  bool absolute = mote_url_is_absolute(location.ptr, location.len);
  struct mote_url_how how;
  struct mote_url next, base;
  CURLUcode parsed;
  CURLcode rc;
  if(absolute && follow)
    return keep_location(t, location);
  location_how(t, &how);
  if(absolute)
    how.flags &= ~(unsigned)(CURLU_URLENCODE | CURLU_ALLOW_SPACE);
  how.flags |= CURLU_NON_SUPPORT_SCHEME;
  how.port = port == r->url.port ? r->url.port : 0;
  mote_url_unpack(&r->url, &base);
  parsed = mote_url_resolve(&next, &base, location.ptr, location.len, &how, follow);
  if(parsed)
    return parsed == CURLUE_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : keep_location(t, location);
  rc = follow ? keep_location(t, mote_url_get(&next, MOTE_URL_WHOLE)) : keep_shown(t, &next);
  mote_url_close(&next);
  return rc;
}

/* A proxy on the way may follow or check the other target of such a response. */
static CURLcode compare_locations(struct mote_transfer *t, struct mote_slice location)
{
  const char *before = mote_headers_find(&t->run->headers, "Location", -1);
  if(!before || mote_slice_same(mote_slice_of(before), location))
    return CURLE_OK;
  mote_redirect_drop(t);
  mote_fail(&t->report, "The response has two different Location fields");
  return CURLE_WEIRD_SERVER_REPLY;
}

/* With one redirect too many the response is read like any other that is followed, and the end says so. */
CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status)
{
  struct mote_run *r = t->run;
  bool follow = status >= 300 && status <= 399 && mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION);
  long max = mote_opt_long(&t->options, CURLOPT_MAXREDIRS);
  CURLcode rc;
  if(!location.len)
    return CURLE_OK;
  if(r->redirect)
    return compare_locations(t, location);
  rc = resolve(t, location, follow && (max < 0 || r->redirects < max));
  if(rc || !follow)
    return rc;
  r->follow = true;
  r->body_ignored = true;
  r->redirect_status = (uint16_t)status;
  return CURLE_OK;
}

/* The new URL with a block of its own; run->redirect is given back. */
static CURLcode take_url(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_url_how how;
  struct mote_url parsed, own, old;
  struct mote_url_packed packed;
  CURLUcode rc;
  location_how(t, &how);
  how.supported = supported;
  mote_url_unpack(&r->url, &old);
  rc = mote_url_parse(&parsed, r->redirect, strlen(r->redirect), &how);
  if(!rc) {
    rc = mote_url_copy(&own, &parsed, &t->account);
    mote_url_close(&parsed);
  }
  if(!rc && !mote_url_same_origin(&old, &own)) {
    r->other_challenge = r->other_challenge || r->challenged;
    r->challenged = false;
  }
  if(!rc)
    rc = mote_url_pack(&packed, &own, &t->account);
  if(rc) {
    mote_redirect_drop(t);
    return mote_start_url_failed(t, rc);
  }
  mote_url_packed_close(&r->url, &t->account);
  r->url = packed;
  mote_redirect_drop(t);
  return CURLE_OK;
}

CURLcode mote_redirect_other(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(mote_redirect_too_many(t))
    return CURLE_TOO_MANY_REDIRECTS;
  r->redirects++; /* one that leads nowhere counts too */
  rc = mote_redirect_change(t);
  rc = rc ? rc : take_url(t);
  rc = rc ? rc : mote_redirect_compare(t);
  rc = rc ? rc : mote_redirect_rewind(t);
  if(rc)
    return rc;
  mote_info(&t->report, "Following to '%.*s'", (int)r->url.len, r->url.text);
  mote_mark_set(r, MOTE_MARK_REDIRECT, now);
  r->headers.request++;
  r->follow = false;
  r->body_ignored = false;
  r->prepared = false;
  r->fresh = false;
  r->reused = false;
  r->asked = false;
  r->size_down = -1;
  rc = mote_start_request(t, now);
  if(rc)
    return rc; /* the bytes of the last exchange stay counted */
  r->bytes_down = 0;
  r->delivered = 0;
  mote_redirect_count(r);
  return CURLE_OK;
}
