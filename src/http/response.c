/* http/response.c: decides what a response head means for the transfer. It does not parse
 * (protocol/h1_parse.c) and does not change the URL (redirect.h). */
#include <string.h>

#include "base/report.h"
#include "http/parser.h"
#include "http/redirect.h"
#include "transfer/sink.h"

static bool is_interim(const struct mote_http *h)
{
  unsigned code = mote_http_parser(h)->response.code;
  return code >= 100 && code < 200 && code != 101;
}

CURLcode mote_http_status(struct mote_transfer *t, const struct mote_http1_event *ev, mote_time now)
{
  struct mote_run *r = t->run;
  r->stats.http_version = ev->minor ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_1_0;
  mote_http_of(t)->old_peer = !ev->minor;
  r->response.old_server = r->response.old_server || !ev->minor;
  if(!r->stats.mark[MOTE_MARK_STARTTRANSFER])
    mote_mark_set(&r->stats, MOTE_MARK_STARTTRANSFER, now);
  if(!r->stats.mark[MOTE_MARK_POSTTRANSFER]) /* the response came before all was sent */
    r->stats.mark[MOTE_MARK_POSTTRANSFER] = r->stats.mark[MOTE_MARK_STARTTRANSFER];
  return mote_sink_header(t, (char *)(uintptr_t)ev->whole.ptr, ev->whole.len);
}

static CURLcode note_location(struct mote_transfer *t, const struct mote_http1_event *ev)
{
  struct mote_http *h = mote_http_of(t);
  if(is_interim(h))
    return CURLE_OK;
  return mote_redirect_note(t, ev->value, mote_http_parser(h)->response.code);
}

/* Refuses transfer codings that cannot be decoded or were not asked for, if the response has a body. A
 * server may send only chunked unasked (RFC 9112 section 7.4). */
static CURLcode judge_transfer(struct mote_transfer *t, struct mote_http *h)
{
  const struct mote_http1_response *r = &mote_http_parser(h)->response;
  bool asked = mote_opt_long(&t->options, CURLOPT_TRANSFER_ENCODING) != 0;
  unsigned i;
  if(t->run->request.method == MOTE_METHOD_HEAD || r->code < 200 || r->code == 204 || r->code == 304 ||
     !mote_opt_long(&t->options, CURLOPT_HTTP_TRANSFER_DECODING))
    return CURLE_OK;
  if(r->flags & MOTE_HTTP1_TRANSFER_BAD) {
    mote_fail(&t->report, "%s", mote_http1_why_text(MOTE_HTTP1_WHY_TRANSFER_CODING));
    return CURLE_BAD_CONTENT_ENCODING;
  }
  for(i = 0; i < r->transfer_count; i++)
    if(r->transfer[i] != MOTE_CODING_CHUNKED && !asked) {
      mote_fail(&t->report, "the response has a transfer coding that was not asked for");
      return CURLE_BAD_CONTENT_ENCODING;
    }
  return CURLE_OK;
}

static CURLcode too_large(struct mote_transfer *t)
{
  mote_fail(&t->report, "Maximum file size exceeded");
  return CURLE_FILESIZE_EXCEEDED;
}

/* Reports why a framing field was refused. A length that overflows an integer also exceeds any limit on the
 * size. */
static CURLcode refuse_framing(struct mote_transfer *t, CURLcode rc, enum mote_http1_why why)
{
  if(why == MOTE_HTTP1_WHY_LENGTH_OVER && mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE) > 0)
    return too_large(t);
  if(why)
    mote_fail(&t->report, "%s", mote_http1_why_text(why));
  return rc;
}

static CURLcode note_framing(struct mote_transfer *t, struct mote_http *h, struct mote_http1_event *ev)
{
  CURLcode rc = CURLE_OK;
  if(ev->field != MOTE_FIELD_CONTENT_LENGTH || !mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH))
    rc = mote_http1_response_field(&mote_http_parser(h)->response, ev);
  if(rc)
    return refuse_framing(t, rc, ev->why);
  if(ev->field == MOTE_FIELD_TRANSFER_ENCODING)
    rc = judge_transfer(t, h);
  return rc;
}

/* Most fields have no meaning for the transfer. They are stored, and delivered if the application has a
 * header callback. */
CURLcode mote_http_field(struct mote_transfer *t, struct mote_http *h, struct mote_http1_event *ev)
{
  uint8_t origin = is_interim(h) ? CURLH_1XX : CURLH_HEADER;
  CURLcode rc = CURLE_OK;
  if(mote_http1_is_framing(ev->field))
    rc = note_framing(t, h, ev);
  if(!rc && ev->field == MOTE_FIELD_LOCATION)
    rc = note_location(t, ev);
  if(!rc)
    rc = mote_headers_add(&t->run->response.headers, &t->account, origin, ev->name, ev->value);
  if(!rc && ev->field == MOTE_FIELD_WWW_AUTHENTICATE && mote_http_parser(h)->response.code == 401)
    mote_http_challenge(t, ev->value);
  if(!rc && !h->quiet)
    return mote_sink_header(t, (char *)(uintptr_t)ev->whole.ptr, ev->whole.len);
  t->run->response.head_bytes += rc ? 0 : (uint32_t)ev->whole.len;
  return rc;
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

/* A final response came before the request body was sent. A refusal stops the upload, which leaves the
 * connection not reusable, unless the application wants to go on (CURLOPT_KEEP_SENDING_ON_ERROR(3)). */
static void judge_upload(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_run *r = t->run;
  bool refused = mote_http_parser(h)->response.code >= 400;
  if(h->sending == MOTE_HTTP_SEND_DONE && !r->unsent)
    return;
  if(h->again || r->response.next ||
     (refused && !mote_opt_long(&t->options, CURLOPT_KEEP_SENDING_ON_ERROR))) {
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
    mote_info(&t->report, "The server responded before the request body was sent: stopped sending");
    h->sending = MOTE_HTTP_SEND_DONE;
    h->abandoned = true;
    mote_kept_free(t, r->unsent);
    r->unsent = NULL;
    return;
  }
  go_on_sending(t);
}

static CURLcode refuse_status(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  unsigned code = mote_http_parser(h)->response.code;
  if(!mote_opt_long(&t->options, CURLOPT_FAILONERROR) || code < 400 || h->again)
    return CURLE_OK;
  if(code == 416 && h->ranged && t->run->request.method == MOTE_METHOD_GET) /* nothing is left to resume */
    return CURLE_OK;
  mote_fail(&t->report, "The requested URL returned error: %u", code);
  return CURLE_HTTP_RETURNED_ERROR;
}

/* Returns the size of the body that the head announces, or -1. HEAD announces a body that is not sent. A
 * transfer coding overrides Content-Length. A 204 or 304 never has a body. */
static curl_off_t announced(const struct mote_http_parser *p, bool head)
{
  if(p->framing.body == MOTE_HTTP1_BODY_LENGTH)
    return (curl_off_t)p->framing.length;
  if(p->response.code == 204 || p->response.code == 304)
    return 0;
  return head && (p->response.flags & MOTE_HTTP1_HAS_LENGTH) ? (curl_off_t)p->response.length : -1;
}

/* A redirect is followed on another connection when the server closes this one. The body need not be read
 * then. */
static bool leaves_body(struct mote_transfer *t)
{
  const struct mote_http1_response *p = &mote_http_parser(mote_http_of(t))->response;
  unsigned keeps = p->flags & (MOTE_HTTP1_CLOSE | MOTE_HTTP1_KEEP_ALIVE);
  if(!t->run->response.next || p->code == 417)
    return false;
  return p->version < 11 ? keeps != MOTE_HTTP1_KEEP_ALIVE : (keeps & MOTE_HTTP1_CLOSE) != 0;
}

static CURLcode judge_size(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  r->response.size_down = announced(mote_http_parser(mote_http_of(t)), r->request.method == MOTE_METHOD_HEAD);
  if(most > 0 && r->response.size_down > most && (!r->response.body_ignored || leaves_body(t))) {
    r->response.size_down = -1; /* nothing will be downloaded */
    return too_large(t);
  }
  return CURLE_OK;
}

static unsigned request_facts(struct mote_transfer *t)
{
  unsigned facts = 0;
  if(t->run->request.method == MOTE_METHOD_HEAD)
    facts |= MOTE_HTTP1_FOR_HEAD;
  if(mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH))
    facts |= MOTE_HTTP1_IGNORE_LENGTH;
  return facts;
}

static CURLcode interim_done(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(mote_http_parser(h)->response.code == 100)
    go_on_sending(t);
  mote_http1_head_next(&mote_http_parser(h)->in.head);
  return CURLE_OK;
}

static CURLcode start_body(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc = mote_http_choose_decoders(t);
  if(rc)
    return rc;
  h->receiving = MOTE_HTTP_RECEIVE_BODY;
  h->left = UINT64_MAX; /* the body lasts until the connection ends */
  if(mote_http_parser(h)->framing.body != MOTE_HTTP1_BODY_UNTIL_CLOSE)
    h->left = mote_http_parser(h)->framing.length;
  h->chunked = mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_CHUNKED;
  if(h->chunked)
    mote_chunked_init(&mote_http_parser(h)->in.chunked);
  h->raw_chunked = !mote_opt_long(&t->options, CURLOPT_HTTP_TRANSFER_DECODING);
  if(mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_NONE ||
     (mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_LENGTH && !h->left))
    h->receiving = MOTE_HTTP_RECEIVE_FINISH;
  /* Waiting for an ignored body is pointless when the connection is closed after it anyway. */
  if(t->run->response.body_ignored &&
     (mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_UNTIL_CLOSE || leaves_body(t))) {
    h->receiving = MOTE_HTTP_RECEIVE_FINISH;
    mote_http_parser(h)->framing.reusable = 0;
  }
  return CURLE_OK;
}

static CURLcode final_done(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc;
  if(h->sending == MOTE_HTTP_SEND_WAIT && mote_http_parser(h)->response.code == 417 &&
     !t->run->request.no_expect && !mote_opt_long(&t->options, CURLOPT_FAILONERROR)) {
    t->run->request.no_expect = true;
    h->again = true;
  }
  if(h->again) {
    t->run->response.body_ignored = true;
    if(mote_http_parser(h)->response.code == 401)
      t->run->response.challenge = MOTE_CHALLENGE_ANSWERED;
    t->run->response.next = MOTE_NEXT_SAME;
  }
  judge_upload(t);
  rc = refuse_status(t);
  if(!rc)
    rc = mote_http_judge_range(t);
  if(!rc) {
    mote_http_judge_time(t);
    rc = judge_size(t);
  }
  if(!rc)
    rc = start_body(t);
  return rc;
}

/* With decoding off, a body whose codings hide its end lasts until the connection ends. */
static CURLcode find_framing(struct mote_transfer *t, struct mote_http_parser *p)
{
  CURLcode rc = mote_http1_framing(&p->response, request_facts(t), &p->framing);
  if(rc && !mote_opt_long(&t->options, CURLOPT_HTTP_TRANSFER_DECODING)) {
    p->framing.body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
    p->framing.reusable = 0;
    return CURLE_OK;
  }
  if(rc)
    mote_fail(&t->report, "%s", mote_http1_why_text(MOTE_HTTP1_WHY_TRANSFER_CODING));
  return rc;
}

CURLcode mote_http_head_done(struct mote_transfer *t, const struct mote_http1_event *ev)
{
  struct mote_http_parser *p = mote_http_parser(mote_http_of(t));
  CURLcode rc = find_framing(t, p);
  if(rc)
    return rc;
  rc = p->framing.interim ? interim_done(t) : final_done(t);
  { /* a head is delivered completely, even when what it says ends the transfer */
    CURLcode delivered = mote_sink_header(t, (char *)(uintptr_t)ev->whole.ptr, ev->whole.len);
    return rc ? rc : delivered;
  }
}
