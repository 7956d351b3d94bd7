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

/* What the body of the next request is: 301, 302 and 303 turn POST into GET, 303 turns everything but
 * HEAD. */
static bool turns_to_get(const struct mote_transfer *t, int status, bool is_post)
{
  long keep = mote_opt_long(&t->options, CURLOPT_POSTREDIR);
  switch(status) {
  case 301:
    return is_post && !(keep & CURL_REDIR_POST_301);
  case 302:
    return is_post && !(keep & CURL_REDIR_POST_302);
  case 303:
    return !is_post || !(keep & CURL_REDIR_POST_303);
  default:
    return false;
  }
}

static void choose_method(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  long mode = mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION);
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  bool is_post = r->method == MOTE_METHOD_POST || r->method == MOTE_METHOD_MIME;
  bool to_get;
  if(mode == CURLFOLLOW_OBEYCODE && custom && !r->drop_custom)
    is_post = is_post || !strcmp(custom, "POST");
  to_get = turns_to_get(t, r->redirect_status, is_post);
  if(mode == CURLFOLLOW_FIRSTONLY || (mode == CURLFOLLOW_OBEYCODE && to_get))
    r->drop_custom = true;
  if(to_get && r->method != MOTE_METHOD_HEAD)
    r->method = MOTE_METHOD_GET;
}

static CURLcode note_referer(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_url url;
  unsigned without = MOTE_URL_NO_CREDENTIALS | MOTE_URL_NO_FRAGMENT;
  size_t len;
  if(!mote_opt_long(&t->options, CURLOPT_AUTOREFERER))
    return CURLE_OK;
  mote_text_free(t, r->referer);
  mote_url_unpack(&r->url, &url);
  len = mote_url_print(&url, without, NULL, 0);
  r->referer = mote_mem_alloc(&t->account, MOTE_PART_URL, len + 1);
  if(!r->referer)
    return CURLE_OUT_OF_MEMORY;
  (void)mote_url_print(&url, without, r->referer, len);
  r->referer[len] = 0;
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

/* Credentials and own Authorization and Cookie headers are for the first origin only. */
static CURLcode compare_origin(struct mote_transfer *t)
{
  struct mote_url first, now;
  CURLcode rc = mote_start_parse_url(t, &first);
  if(rc)
    return rc;
  mote_url_unpack(&t->run->url, &now);
  t->run->other_origin = !mote_url_same_origin(&first, &now);
  mote_url_close(&first);
  return CURLE_OK;
}

CURLcode mote_redirect_other(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  choose_method(t);
  rc = note_referer(t);
  rc = rc ? rc : take_url(t);
  rc = rc ? rc : compare_origin(t);
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
