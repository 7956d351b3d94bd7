/* http/redirect.c: what a redirect means (RFC 9110 section 15.4): which URL, method, body, Referer and
 * credentials the next request has. Also the same request again, after a challenge (401) or a refused Expect
 * (417). engine/chain.c leaves one exchange for the next. */
#include "http/redirect.h"

#include <string.h>

#include "codec/http/http1.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "engine/chain.h"
#include "engine/start.h"
#include "http/hooks.h"
#include "http/hosts/hsts.h"
#include "http/http.h"
#include "transfer/download/headers.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

static void drop_location(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  mote_text_free(t, r->request.redirect);
  r->request.redirect = NULL;
}

static bool at_limit(const struct mote_transfer *t)
{
  long max = mote_opt_long(&t->options, CURLOPT_MAXREDIRS);
  return max >= 0 && t->run->request.redirects >= max;
}

static bool http_redirect_too_many(struct mote_transfer *t)
{
  if(!at_limit(t))
    return false;
  mote_fail(&t->report, "Maximum (%ld) redirects followed", mote_opt_long(&t->options, CURLOPT_MAXREDIRS));
  return true;
}

/* ---- a Location field ---- */

/* A Location is parsed as a reference. No scheme is guessed for it, and characters that a URL must not have
 * are encoded, but not in a user or password: these are refused. */
static void location_how(struct mote_transfer *t, struct mote_url_how *how)
{
  mote_start_url_how(t, how);
  how->flags &= ~(unsigned)(CURLU_GUESS_SCHEME | CURLU_DEFAULT_SCHEME);
  how->flags &= ~(unsigned)CURLU_DISALLOW_USER; /* refuse_user() decides later */
  how->flags |= CURLU_URLENCODE;
}

static CURLcode keep_location(struct mote_transfer *t, struct mote_slice text)
{
  t->run->request.redirect = mote_mem_strndup(&t->account, MOTE_PART_URL, text.ptr, text.len);
  return t->run->request.redirect ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* Stores CURLINFO_REDIRECT_URL without credentials, or unchanged if it is no URL. */
static CURLcode keep_shown(struct mote_transfer *t, const struct mote_url *next)
{
  t->run->request.redirect = mote_url_text(next, MOTE_URL_NO_CREDENTIALS, &t->account, MOTE_PART_URL);
  return t->run->request.redirect ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* A relative Location that is followed inherits the credentials of the URL, and CURLOPT_PORT applies to it
 * too. An absolute one is judged only when it is followed. */
static CURLcode http_redirect_resolve(struct mote_transfer *t, struct mote_slice location, bool follow)
{
  struct mote_run *r = t->run;
  long port = mote_opt_long(&t->options, CURLOPT_PORT);
  bool absolute = mote_url_is_absolute(location.ptr, location.len);
  struct mote_url_how how;
  struct mote_url next, base;
  CURLUcode parsed;
  CURLcode rc;
  if(absolute && follow) {
    r->request.own_port = true;
    return keep_location(t, location);
  }
  location_how(t, &how);
  if(absolute)
    how.flags &= ~(unsigned)CURLU_URLENCODE;
  how.flags |= CURLU_NON_SUPPORT_SCHEME;
  if(port == r->request.url.port && !r->request.own_port)
    how.port = r->request.url.port;
  mote_url_unpack(&r->request.url, &base);
  parsed = mote_url_resolve(&next, &base, location, &how, follow);
  if(parsed)
    return parsed == CURLUE_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : keep_location(t, location);
  rc = follow ? keep_location(t, mote_url_get(&next, MOTE_URL_WHOLE)) : keep_shown(t, &next);
  mote_url_close(&next);
  return rc;
}

/* A proxy on the way may follow or check the other Location of such a response, so both must agree. */
static CURLcode compare_locations(struct mote_transfer *t, struct mote_slice location)
{
  const char *before = mote_headers_find_value(&t->run->response.headers, "Location");
  if(!before || mote_slice_same(mote_slice_of(before), location))
    return CURLE_OK;
  drop_location(t);
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report, "The response has two different Location fields");
}

/* A redirect beyond the limit is read like any other; mote_redirect_follow() reports the error. */
CURLcode mote_redirect_note(struct mote_transfer *t, struct mote_slice location, int status)
{
  struct mote_run *r = t->run;
  bool follow = status >= 300 && status <= 399 && mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION);
  CURLcode rc;
  if(!location.len)
    return CURLE_OK;
  if(r->request.redirect)
    return compare_locations(t, location);
  rc = http_redirect_resolve(t, location, follow && !at_limit(t));
  if(rc || !follow)
    return rc;
  r->response.next = MOTE_NEXT_URL;
  r->response.body_ignored = true;
  return CURLE_OK;
}

static CURLcode read_location(struct mote_transfer *t, struct mote_slice value)
{
  unsigned code = mote_http_of(t)->code;
  return mote_http1_is_interim(code) ? CURLE_OK : mote_redirect_note(t, value, (int)code);
}

const struct mote_http_hook mote_http_redirects = {
  .name = "redirects",
  .fields = MOTE_HTTP_READS(MOTE_FIELD_LOCATION),
  .field = read_location,
};

/* ---- what a new URL changes: method, Referer, the origin that may get credentials ---- */

/* The next request is a GET after a 301, 302 or 303 to a POST, and after a 303 to any method but HEAD. */
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
  bool is_post = r->request.method == MOTE_METHOD_POST || r->request.method == MOTE_METHOD_MIME;
  bool to_get = turns_to_get(t, r->response.code, is_post);
  if(mode == CURLFOLLOW_FIRSTONLY || (mode == CURLFOLLOW_OBEYCODE && to_get))
    r->request.drop_custom = true;
  if(to_get && r->request.method != MOTE_METHOD_HEAD)
    r->request.method = MOTE_METHOD_GET;
}

/* Returns the URL as a field has it: a part of a CURLU may have any byte. NULL: out of memory. */
static char *redirect_referer(struct mote_transfer *t, const struct mote_url *url)
{
  char *text = mote_url_text(url, MOTE_URL_NO_CREDENTIALS | MOTE_URL_NO_FRAGMENT, &t->account, MOTE_PART_URL);
  struct mote_slice plain;
  char *coded;
  size_t len;
  if(!text)
    return NULL;
  plain = mote_slice_of(text);
  len = mote_percent_encode(plain, MOTE_PERCENT_LENIENT, NULL, NULL, 0);
  if(len == plain.len)
    return text;
  coded = mote_mem_alloc(&t->account, MOTE_PART_URL, len + 1);
  if(coded) {
    (void)mote_percent_encode(plain, MOTE_PERCENT_LENIENT, NULL, coded, len);
    coded[len] = 0;
  }
  mote_text_free(t, text);
  return coded;
}

static CURLcode note_referer(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_url url;
  if(!mote_opt_long(&t->options, CURLOPT_AUTOREFERER))
    return CURLE_OK;
  mote_text_free(t, r->request.referer);
  mote_url_unpack(&r->request.url, &url);
  r->request.referer = redirect_referer(t, &url);
  return r->request.referer ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode rewind_body(struct mote_transfer *t)
{
  if(t->run->request.method != MOTE_METHOD_GET)
    return mote_source_rewind(t);
  mote_source_seek_back(t);
  return CURLE_OK;
}

/* Credentials and the application's Authorization and Cookie headers go to the first origin only. */
static CURLcode compare_origin(struct mote_transfer *t)
{
  struct mote_url first, now;
  CURLcode rc = mote_start_parse_url(t, &first);
  if(!rc && t->run->request.upgraded) {
    rc = mote_hsts_upgrade(t, &first);
    if(rc)
      mote_url_close(&first);
  }
  if(rc)
    return rc;
  mote_url_unpack(&t->run->request.url, &now);
  t->run->request.other_origin = !mote_url_same_origin(&first, &now);
  mote_url_close(&first);
  return CURLE_OK;
}

/* ---- the next request ---- */

/* Stores the new URL in its own block and frees run->request.redirect. */
static CURLcode http_redirect_take_url(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_url_how how;
  struct mote_url parsed, own, old;
  struct mote_url_packed packed;
  CURLUcode rc;
  location_how(t, &how);
  how.supported = mote_scheme_is_known;
  mote_url_unpack(&r->request.url, &old);
  rc = mote_url_parse(&parsed, r->request.redirect, strlen(r->request.redirect), &how);
  if(!rc) {
    rc = mote_url_copy(&own, &parsed, &t->account);
    mote_url_close(&parsed);
  }
  if(!rc && r->response.challenge == MOTE_CHALLENGE_ANSWERED && !mote_url_same_origin(&old, &own))
    r->response.challenge = MOTE_CHALLENGE_ELSEWHERE;
  if(!rc)
    rc = mote_url_pack(&packed, &own, &t->account);
  if(rc) {
    drop_location(t);
    return mote_start_url_failed(t, rc);
  }
  mote_url_packed_close(&r->request.url, &t->account);
  r->request.url = packed;
  drop_location(t);
  return CURLE_OK;
}

/* CURLOPT_DISALLOW_USERNAME_IN_URL refuses the next request. The infos then describe that one, not the
 * last. */
static CURLcode refuse_user(struct mote_transfer *t)
{
  struct mote_url url;
  if(!mote_opt_long(&t->options, CURLOPT_DISALLOW_USERNAME_IN_URL))
    return CURLE_OK;
  mote_url_unpack(&t->run->request.url, &url);
  return mote_url_has(&url, MOTE_URL_USER) ? mote_start_url_failed(t, CURLUE_USER_NOT_ALLOWED) : CURLE_OK;
}

static CURLcode http_redirect_go_on(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(http_redirect_too_many(t))
    return CURLE_TOO_MANY_REDIRECTS;
  r->request.redirects++; /* a redirect that fails counts too */
  rc = note_referer(t);
  rc = rc ? rc : http_redirect_take_url(t);
  rc = rc ? rc : mote_http_judge_url(t);
  rc = rc ? rc : compare_origin(t);
  if(!rc)
    choose_method(t);
  rc = rc ? rc : rewind_body(t);
  if(rc)
    return rc;
  mote_info(&t->report, "Following to '%.*s'", (int)r->request.url.len, r->request.url.text);
  mote_chain_next(t, now);
  r->request.stage = MOTE_REQUEST_NEW;
  r->request.whole = false;
  r->request.only_http1 = false;
  mote_lease_choose(&r->lease, MOTE_LEASE_NEW);
  rc = refuse_user(t);
  rc = rc ? rc : mote_start_request(t, now);
  if(rc)
    return rc; /* keeps the byte counts of the last exchange */
  mote_chain_count(t);
  return CURLE_OK;
}

/* Repeats the request after a challenge or a refused Expect, on the same connection if that was kept. It
 * counts as a redirect, as in libcurl. */
static CURLcode http_redirect_repeat(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc = http_redirect_too_many(t) ? CURLE_TOO_MANY_REDIRECTS : mote_source_rewind(t);
  if(rc)
    return rc;
  r->request.redirects++;
  mote_chain_next(t, now);
  mote_chain_count(t);
  drop_location(t);
  return CURLE_OK;
}

CURLcode mote_redirect_follow(struct mote_transfer *t, mote_time now)
{
  return t->run->response.next == MOTE_NEXT_SAME ? http_redirect_repeat(t, now) : http_redirect_go_on(t, now);
}
