/* engine/start.c: prepares a request, up to its first packet (engine/start.h). */
#include "engine/start.h"

#include <string.h>

#include "base/text/error_text.h"
#include "codec/url/curlu.h"
#include "codec/url/url.h"
#include "connect/route/route.h"
#include "engine/refuse.h"
#include "transfer/protocol.h"
#include "transfer/report/progress.h"
#include "transfer/transfer.h"

static void resolve_options(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  struct mote_run *r = t->run;
  r->request.method = (uint8_t)mote_opt_find_long(o, MOTE_OPT_METHOD, r->request.method) & 7u;
  r->request.wants_headers = mote_opt_fn(o, CURLOPT_HEADERFUNCTION) || mote_opt_ptr(o, CURLOPT_HEADERDATA);
  t->report.verbose = mote_opt_long(o, CURLOPT_VERBOSE) != 0;
}

void mote_start_url_how(struct mote_transfer *t, struct mote_url_how *how)
{
  const char *scheme = mote_opt_str(&t->options, CURLOPT_DEFAULT_PROTOCOL);
  memset(how, 0, sizeof *how);
  how->account = &t->account;
  how->flags = CURLU_GUESS_SCHEME | MOTE_URL_IDN;
  if(scheme) {
    how->default_scheme = mote_slice_of(scheme);
    how->flags |= CURLU_DEFAULT_SCHEME;
  }
  if(mote_opt_long(&t->options, CURLOPT_PATH_AS_IS))
    how->flags |= CURLU_PATH_AS_IS;
  if(mote_opt_long(&t->options, CURLOPT_DISALLOW_USERNAME_IN_URL))
    how->flags |= CURLU_DISALLOW_USER;
}

CURLcode mote_start_url_failed(struct mote_transfer *t, CURLUcode rc)
{
  switch(rc) {
  case CURLUE_OUT_OF_MEMORY:
    return CURLE_OUT_OF_MEMORY;
  case CURLUE_UNSUPPORTED_SCHEME:
    return mote_fail_as(CURLE_UNSUPPORTED_PROTOCOL, &t->report,
                        "Protocol not supported or disabled in this build");
  default:
    mote_fail(&t->report, "URL rejected: %s", mote_error_url_text(rc));
    return rc == CURLUE_USER_NOT_ALLOWED ? CURLE_LOGIN_DENIED : CURLE_URL_MALFORMAT;
  }
}

/* CURLOPT_CURLU takes precedence over CURLOPT_URL (CURLOPT_CURLU(3)). */
CURLcode mote_start_read_url(struct mote_transfer *t, const char *text, const struct mote_url_how *how,
                             struct mote_url *u)
{
  CURLU *handle = mote_opt_ptr(&t->options, CURLOPT_CURLU);
  CURLUcode rc;
  if(!handle && !text)
    return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "No URL set");
  rc = handle ? mote_curlu_compose(handle, how, u) : mote_url_parse(u, text, strlen(text), how);
  return rc ? mote_start_url_failed(t, rc) : CURLE_OK;
}

/* CURLOPT_PORT replaces the URL's port. */
CURLcode mote_start_parse_url(struct mote_transfer *t, struct mote_url *u)
{
  const char *replaced = mote_opt_find_ptr(&t->options, MOTE_OPT_LAST_URL);
  const char *text = mote_opt_str(&t->options, CURLOPT_URL);
  long port = mote_opt_long(&t->options, CURLOPT_PORT);
  struct mote_url_how how;
  CURLcode rc;
  mote_start_url_how(t, &how);
  if(replaced && t->run->request.redirects) /* a callback has set another URL meanwhile */
    text = replaced;
  rc = mote_start_read_url(t, text, &how, u);
  if(!rc && port > 0)
    u->port = (uint16_t)port;
  return rc;
}

static CURLcode start_take_url(struct mote_transfer *t)
{
  struct mote_url u;
  CURLUcode packed;
  CURLcode rc;
  if(t->run->request.url.text) { /* no option was set since it was parsed */
    t->options.url_in_use = !t->run->request.url.block;
    return CURLE_OK;
  }
  rc = mote_start_parse_url(t, &u);
  if(rc)
    return rc;
  packed = mote_url_pack(&t->run->request.url, &u, &t->account);
  t->options.url_in_use = !packed && !t->run->request.url.block;
  return packed ? mote_start_url_failed(t, packed) : CURLE_OK;
}

static CURLcode begin_chain(struct mote_transfer *t, mote_time now)
{
  CURLcode rc;
  long total;
  mote_transfer_unsay(t);
  rc = mote_run_reuse(t);
  if(rc)
    return rc;
  t->options.running = true;
  t->options.changed = false;
  t->options.url_changed = false;
  t->run->request.in_chain = true;
  t->run->stats.started = now;
  mote_response_announce(&t->run->response, -1);
  mote_request_announce(&t->run->request, -1);
  t->run->stats.conn_id = -1;
  resolve_options(t);
  /* CURLOPT_TIMEOUT_MS includes the wait for a connection slot, which comes after this. */
  total = mote_opt_long(&t->options, CURLOPT_TIMEOUT_MS);
  if(total > 0)
    mote_timer_set(t, MOTE_TIMER_TOTAL, now + total * MOTE_MS);
  rc = mote_speed_start(t);
  return rc ? rc : start_take_url(t);
}

/* Lets the protocol judge the URL, when the handle remembers something of hosts. A redirect may have led to
 * another scheme. */
static CURLcode start_judge_url(struct mote_transfer *t)
{
  const struct mote_request *r = &t->run->request;
  const struct mote_scheme *scheme = r->scheme;
  if(!mote_options_judge(&t->options))
    return CURLE_OK;
  if(!scheme || r->redirects)
    scheme = mote_scheme_find(r->url.text, r->url.scheme_len);
  return scheme ? mote_protocol_judge(scheme->protocol, t) : CURLE_OK;
}

/* A redirect must satisfy both options, because one that allows only HTTPS is meant for every request. */
static CURLcode check_scheme(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  const struct mote_scheme *scheme;
  struct mote_slice name;
  long allowed = mote_opt_long(&t->options, CURLOPT_PROTOCOLS);
  struct mote_url url;
  if(r->request.scheme && !r->request.redirects)
    return CURLE_OK;
  if(r->request.redirects)
    allowed &= mote_opt_long(&t->options, CURLOPT_REDIR_PROTOCOLS);
  mote_url_unpack(&r->request.url, &url);
  name = mote_url_get(&url, MOTE_URL_SCHEME);
  scheme = mote_scheme_find(name.ptr, name.len);
  if(scheme && (allowed & scheme->curlproto)) {
    r->request.scheme = scheme;
    return CURLE_OK;
  }
  return mote_fail_as(CURLE_UNSUPPORTED_PROTOCOL, &t->report, "Protocol \"%.*s\" %s%s", (int)name.len,
                      name.ptr, scheme ? "disabled" : "not supported",
                      r->request.redirects ? " in a redirect" : "");
}

CURLcode mote_start_request(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = CURLE_OK;
  if(!t->run || !t->run->request.in_chain)
    rc = begin_chain(t, now);
  if(rc || t->run->request.stage >= MOTE_REQUEST_PREPARED)
    return rc;
  mote_response_await(&t->run->response);
  mote_lease_judge(&t->run->lease, MOTE_RETRY_NONE);
  rc = start_judge_url(t);
  if(!rc)
    rc = check_scheme(t);
  if(!rc)
    rc = mote_refuse_options(t);
  if(!rc && !mote_protocol_is_local(t->run->request.scheme->protocol))
    mote_route_note_proxy(t);
  if(!rc)
    rc = t->run->request.scheme->protocol->prepare(t);
  if(!rc)
    t->run->request.stage = MOTE_REQUEST_PREPARED;
  return rc;
}
