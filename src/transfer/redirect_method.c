/* transfer/redirect_method.c: what else changes with the URL: method, Referer, whose credentials may go
 * along. */
#include <string.h>

#include "base/memory.h"
#include "transfer/redirect.h"
#include "transfer/source.h"
#include "transfer/start.h"
#include "transfer/transfer.h"

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

CURLcode mote_redirect_change(struct mote_transfer *t)
{
  choose_method(t);
  return note_referer(t);
}

CURLcode mote_redirect_rewind(struct mote_transfer *t)
{
  if(t->run->method != MOTE_METHOD_GET)
    return mote_source_rewind(t);
  mote_source_seek_back(t);
  return CURLE_OK;
}

/* Credentials and own Authorization and Cookie headers are for the first origin only. */
CURLcode mote_redirect_compare(struct mote_transfer *t)
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
