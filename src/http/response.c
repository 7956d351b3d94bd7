/* http/response.c: what a response means for the transfer, that is which request follows, whether the upload
 * goes on, and what is stored, delivered and decoded. It knows features as rows only (hooks.h). */
#include "http/response.h"

#include "base/report.h"
#include "http/hooks.h"
#include "transfer/download/sink.h"

CURLcode mote_response_status(struct mote_transfer *t, unsigned code, long version, struct mote_slice line,
                              mote_time now)
{
  struct mote_run *r = t->run;
  mote_http_of(t)->code = (uint16_t)code;
  r->response.code = (uint16_t)code;
  r->stats.http_version = (uint8_t)version;
  mote_mark_response(&r->stats, now);
  if(!r->stats.mark[MOTE_MARK_POSTTRANSFER]) /* the response came before all was sent */
    r->stats.mark[MOTE_MARK_POSTTRANSFER] = r->stats.mark[MOTE_MARK_STARTTRANSFER];
  return mote_sink_header(t, (char *)(uintptr_t)line.ptr, line.len);
}

/* ---- fields ---- */

/* A feature reads a field even when the request did not need it, since that may be why the server sent it. */
static CURLcode response_read_field(struct mote_transfer *t, unsigned field, struct mote_slice value)
{
  CURLcode rc = CURLE_OK;
  unsigned i;
  for(i = 0; !rc && mote_http_hooks[i]; i++)
    if(mote_http_hooks[i]->fields >> field & 1u)
      rc = mote_http_hooks[i]->field(t, value);
  for(i = 0; !rc && mote_http_judges[i]; i++)
    if(mote_http_judges[i]->fields >> field & 1u)
      rc = mote_http_judges[i]->field(t, value);
  return rc;
}

/* Most fields have no meaning for the transfer. They are stored, and delivered if the application has a
 * header callback. */
CURLcode mote_response_field(struct mote_transfer *t, struct mote_http1_name known, struct mote_slice name,
                             struct mote_slice value, struct mote_slice line)
{
  const struct mote_http *h = mote_http_of(t);
  uint8_t origin = mote_response_origin(h);
  CURLcode rc = h->fields >> known.field & 1u ? response_read_field(t, known.field, value) : CURLE_OK;
  if(rc || h->quiet)
    return rc ? rc : mote_response_keep(t, origin, known.spelling, name, value, line.len);
  rc = mote_headers_add(&t->run->response.headers, &t->account, origin, known.spelling, name, value);
  return rc ? rc : mote_sink_header(t, (char *)(uintptr_t)line.ptr, line.len);
}

CURLcode mote_response_trailer(struct mote_transfer *t, struct mote_slice name, struct mote_slice value,
                               struct mote_slice line)
{
  CURLcode rc = mote_headers_add(&t->run->response.headers, &t->account, CURLH_TRAILER, 0, name, value);
  return rc ? rc : mote_sink_header(t, (char *)(uintptr_t)line.ptr, line.len);
}

/* ---- the end of a head ---- */

static void go_on_sending(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(h->sending != MOTE_HTTP_SEND_WAIT)
    return;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  h->sending = MOTE_HTTP_SEND_BODY;
  mote_transfer_wake(t);
}

/* What is left of the request stays unsent, which leaves the connection not reusable. */
static void stop_sending(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_run *r = t->run;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_info(&t->report, "The server responded before the request body was sent: stopped sending");
  h->sending = MOTE_HTTP_SEND_DONE;
  h->abandoned = true;
  mote_kept_free(t, r->unsent);
  r->unsent = NULL;
}

/* A final response came before the request body was sent. A refusal stops the upload, unless the application
 * wants to go on (CURLOPT_KEEP_SENDING_ON_ERROR(3)). Where a 100 was asked for, a success says neither that
 * the body is wanted nor that it is not, as the server may not know of Expect. So the body still waits for
 * the timer, and is not sent if the response is complete before that (mote_response_end()). */
static void judge_upload(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_run *r = t->run;
  bool refused = h->code >= 400;
  if(h->sending == MOTE_HTTP_SEND_DONE && !r->unsent)
    return;
  if(h->again || r->response.next ||
     (refused && !mote_opt_long(&t->options, CURLOPT_KEEP_SENDING_ON_ERROR))) {
    stop_sending(t);
    return;
  }
  if(refused)
    go_on_sending(t);
}

static CURLcode refuse_status(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  unsigned code = h->code;
  if(!mote_opt_long(&t->options, CURLOPT_FAILONERROR) || code < 400 || h->again)
    return CURLE_OK;
  if(code == 416 && h->ranged && t->run->request.method == MOTE_METHOD_GET) /* nothing is left to resume */
    return CURLE_OK;
  return mote_fail_as(CURLE_HTTP_RETURNED_ERROR, &t->report, "The requested URL returned error: %u", code);
}

/* The body of a redirect need not be read when the server closes the connection, since the next request needs
 * another one. A document that the application has already may be large, and a new connection costs less. */
static bool response_leaves(struct mote_transfer *t, const struct mote_http_body *body)
{
  unsigned code = mote_http_of(t)->code;
  return t->run->response.next ? code != 417 && body->closes : code != 416;
}

bool mote_response_leaves_body(struct mote_transfer *t, const struct mote_http_body *body)
{
  return t->run->response.body_ignored &&
    (body->kind == MOTE_HTTP1_BODY_UNTIL_CLOSE || response_leaves(t, body));
}

CURLcode mote_response_too_large(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_FILESIZE_EXCEEDED, &t->report, "Maximum file size exceeded");
}

/* The size is no reason to fail where the response only leads to the next request, or where a 416 says that
 * there is no rest. But it is one where the document is not wanted: a client is not made to read it. */
static bool size_counts(struct mote_transfer *t, const struct mote_http_body *body)
{
  const struct mote_run *r = t->run;
  bool no_rest = mote_http_of(t)->code == 416 && r->response.body_ignored;
  return (!r->response.next && !no_rest) || response_leaves(t, body);
}

static CURLcode judge_size(struct mote_transfer *t, const struct mote_http_body *body)
{
  struct mote_run *r = t->run;
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  mote_response_announce(&r->response, body->size);
  if(most > 0 && body->size > most && size_counts(t, body)) {
    mote_response_announce(&r->response, -1); /* nothing will be downloaded */
    return mote_response_too_large(t);
  }
  return CURLE_OK;
}

/* Only features that the request has asked for judge its response. */
static CURLcode judge_hooks(struct mote_transfer *t, const struct mote_http_body *body)
{
  unsigned left = mote_http_of(t)->hooks;
  CURLcode rc = CURLE_OK;
  while(!rc && left) {
    const struct mote_http_hook *hook = mote_http_first_hook(&left);
    if(hook->head)
      rc = hook->head(t, body);
  }
  return rc;
}

void mote_response_interim(struct mote_transfer *t)
{
  if(mote_http_of(t)->code == 100)
    go_on_sending(t);
}

CURLcode mote_response_head(struct mote_transfer *t, const struct mote_http_body *body)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc;
  if(h->sending == MOTE_HTTP_SEND_WAIT && h->code == 417 &&
     !t->run->request.no_expect && !mote_opt_long(&t->options, CURLOPT_FAILONERROR)) {
    t->run->request.no_expect = true;
    h->again = true;
  }
  if(h->probe && !h->again && h->code < 300) { /* no challenge: now with the body */
    t->run->request.whole = true;
    h->again = true;
  }
  if(h->again) {
    t->run->response.body_ignored = true;
    if(h->code == 401)
      t->run->response.challenge = MOTE_CHALLENGE_ANSWERED;
    t->run->response.next = MOTE_NEXT_SAME;
  }
  judge_upload(t);
  rc = refuse_status(t);
  if(!rc)
    rc = judge_hooks(t, body);
  if(!rc)
    rc = judge_size(t, body);
  if(!rc)
    rc = mote_http_choose_decoders(t, body);
  return rc;
}

CURLcode mote_response_end(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc = mote_sink_finish(t);
  if(rc)
    return rc;
  h->receiving = MOTE_HTTP_RECEIVE_DONE;
  if(h->sending == MOTE_HTTP_SEND_WAIT)
    stop_sending(t);
  return CURLE_OK;
}
