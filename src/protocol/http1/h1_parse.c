/* protocol/http1/h1_parse.c: parses heads and bodies out of the bytes that the connection lends, finds
 * where the body ends, and judges what the end of the connection means. */
#include "base/report.h"
#include "codec/coding/coding.h"
#include "http/request.h"
#include "http/response.h"
#include "protocol/http1/h1.h"
#include "transfer/download/sink.h"

/* Parses a piece of lent bytes. *used counts those that are done with. CURLE_AGAIN: the application has
 * paused. */
typedef CURLcode (*consume_fn)(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now);

static CURLcode h1_parse_malformed(struct mote_transfer *t, CURLcode rc, enum mote_http1_why why)
{
  if(why)
    mote_fail(&t->report, "%s", mote_http1_why_text(why));
  return rc;
}

/* ---- the framing of a response ---- */

/* Refuses transfer codings that cannot be decoded or were not asked for, if the response has a body. A
 * server may send only chunked unasked (RFC 9112 section 7.4). */
static CURLcode judge_transfer(struct mote_transfer *t, struct mote_h1 *h)
{
  const struct mote_http1_response *r = &h->response;
  bool asked = mote_opt_long(&t->options, CURLOPT_TRANSFER_ENCODING) != 0;
  unsigned i;
  if(t->run->request.method == MOTE_METHOD_HEAD || r->code < 200 || r->code == 204 || r->code == 304 ||
     !mote_opt_long(&t->options, CURLOPT_HTTP_TRANSFER_DECODING))
    return CURLE_OK;
  if(r->flags & MOTE_HTTP1_TRANSFER_BAD)
    return h1_parse_malformed(t, CURLE_BAD_CONTENT_ENCODING, MOTE_HTTP1_WHY_TRANSFER_CODING);
  for(i = 0; i < r->transfer_count; i++)
    if(r->transfer[i] != MOTE_CODING_CHUNKED && !asked)
      return mote_fail_as(CURLE_BAD_CONTENT_ENCODING, &t->report,
                          "the response has a transfer coding that was not asked for");
  return CURLE_OK;
}

/* Reports why a framing field was refused. A length that overflows an integer also exceeds any limit on the
 * size. */
static CURLcode refuse_framing(struct mote_transfer *t, CURLcode rc, enum mote_http1_why why)
{
  if(why == MOTE_HTTP1_WHY_LENGTH_OVER && mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE) > 0)
    return mote_response_too_large(t);
  return h1_parse_malformed(t, rc, why);
}

static CURLcode h1_parse_note_framing(struct mote_transfer *t, struct mote_h1 *h, struct mote_http1_event *ev)
{
  CURLcode rc = CURLE_OK;
  if(ev->known.field != MOTE_FIELD_CONTENT_LENGTH ||
     !mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH))
    rc = mote_http1_response_field(&h->response, ev);
  if(rc)
    return refuse_framing(t, rc, ev->why);
  if(ev->known.field == MOTE_FIELD_TRANSFER_ENCODING)
    rc = judge_transfer(t, h);
  return rc;
}

/* Returns the size of the body that the head announces, or -1. HEAD announces a body that is not sent. A
 * transfer coding overrides Content-Length. A 204 or 304 never has a body. */
static curl_off_t h1_parse_announced(const struct mote_http1_response *r, const struct mote_http1_framing *f,
                                     bool head)
{
  if(f->body == MOTE_HTTP1_BODY_LENGTH)
    return (curl_off_t)f->length;
  if(r->code == 204 || r->code == 304)
    return 0;
  return head && (r->flags & MOTE_HTTP1_HAS_LENGTH) ? (curl_off_t)r->length : -1;
}

static bool server_closes(const struct mote_http1_response *p)
{
  unsigned keeps = p->flags & (MOTE_HTTP1_CLOSE | MOTE_HTTP1_KEEP_ALIVE);
  return p->version < 11 ? keeps != MOTE_HTTP1_KEEP_ALIVE : (keeps & MOTE_HTTP1_CLOSE) != 0;
}

static unsigned request_facts(struct mote_transfer *t)
{
  unsigned facts = 0;
  if(t->run->request.method == MOTE_METHOD_HEAD)
    facts |= MOTE_HTTP1_FOR_HEAD;
  if(mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH))
    facts |= MOTE_HTTP1_IGNORE_LENGTH;
  if(mote_h1_of(t)->response.code == 101 && mote_http_has_own(t, "Upgrade"))
    facts |= MOTE_HTTP1_FOR_UPGRADE;
  return facts;
}

/* With decoding off, a body whose codings hide its end lasts until the connection ends. */
static CURLcode find_framing(struct mote_transfer *t, struct mote_http1_framing *f)
{
  CURLcode rc = mote_http1_framing(&mote_h1_of(t)->response, request_facts(t), f);
  if(rc && !mote_opt_long(&t->options, CURLOPT_HTTP_TRANSFER_DECODING)) {
    f->body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
    f->reusable = 0;
    return CURLE_OK;
  }
  return rc ? h1_parse_malformed(t, rc, MOTE_HTTP1_WHY_TRANSFER_CODING) : CURLE_OK;
}

/* Waiting for an ignored body is pointless when the connection is closed after it anyway. */
static void start_body(struct mote_transfer *t, const struct mote_http1_framing *f,
                       const struct mote_http_body *body)
{
  struct mote_h1 *h = mote_h1_of(t);
  h->http.receiving = MOTE_HTTP_RECEIVE_BODY;
  h->body = f->body;
  h->reusable = f->reusable;
  h->left = UINT64_MAX; /* the body lasts until the connection ends */
  if(f->body != MOTE_HTTP1_BODY_UNTIL_CLOSE)
    h->left = f->length;
  h->chunked = f->body == MOTE_HTTP1_BODY_CHUNKED;
  if(h->chunked)
    mote_chunked_init(&h->in.chunked);
  h->raw_chunked = !mote_opt_long(&t->options, CURLOPT_HTTP_TRANSFER_DECODING);
  if(f->body == MOTE_HTTP1_BODY_NONE || (f->body == MOTE_HTTP1_BODY_LENGTH && !h->left))
    h->http.receiving = MOTE_HTTP_RECEIVE_FINISH;
  else if(mote_response_leaves_body(t, body)) {
    h->http.receiving = MOTE_HTTP_RECEIVE_FINISH;
    h->reusable = false;
  }
}

static CURLcode h1_parse_final_head(struct mote_transfer *t, const struct mote_http1_framing *f)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct mote_http_body body;
  CURLcode rc;
  body.fields = &h->response;
  body.size = h1_parse_announced(&h->response, f, t->run->request.method == MOTE_METHOD_HEAD);
  body.kind = f->body;
  body.codings = f->codings;
  body.closes = server_closes(&h->response);
  rc = mote_response_head(t, &body);
  if(!rc)
    start_body(t, f, &body);
  return rc;
}

/* ---- the head ---- */

static CURLcode h1_parse_take_status(struct mote_transfer *t, const struct mote_http1_event *ev,
                                     mote_time now)
{
  struct mote_h1 *h = mote_h1_of(t);
  long version = ev->minor ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_1_0;
  mote_http1_response_begin(&h->response, ev);
  h->old_peer = !ev->minor;
  t->run->response.old_server = t->run->response.old_server || !ev->minor;
  return mote_response_status(t, ev->code, version, ev->whole, now);
}

static CURLcode h1_parse_take_field(struct mote_transfer *t, struct mote_http1_event *ev)
{
  CURLcode rc = mote_http1_is_framing(ev->known.field) ? h1_parse_note_framing(t, mote_h1_of(t), ev)
    : CURLE_OK;
  return rc ? rc : mote_response_field(t, ev->known, ev->name, ev->value, ev->whole);
}

static CURLcode h1_parse_take_end(struct mote_transfer *t, const struct mote_http1_event *ev)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct mote_http1_framing f;
  CURLcode delivered, rc = find_framing(t, &f);
  if(rc)
    return rc;
  if(f.interim) {
    mote_response_interim(t);
    mote_http1_head_next(&h->in.head);
  }
  else
    rc = h1_parse_final_head(t, &f);
  /* a head is delivered completely, even when what it says ends the transfer */
  delivered = mote_sink_header(t, (char *)(uintptr_t)ev->whole.ptr, ev->whole.len);
  return rc ? rc : delivered;
}

static CURLcode h1_parse_take_event(struct mote_transfer *t, struct mote_http1_event *ev, mote_time now)
{
  switch(ev->kind) {
  case MOTE_HTTP1_STATUS:
    return h1_parse_take_status(t, ev, now);
  case MOTE_HTTP1_HEADER:
    return h1_parse_take_field(t, ev);
  default:
    return h1_parse_take_end(t, ev);
  }
}

/* HTTP/0.9 is accepted only from a server that has not spoken HTTP/1 on this connection. */
static CURLcode not_http(struct mote_transfer *t)
{
  struct mote_h1 *h = mote_h1_of(t);
  if(t->run->lease.kind == MOTE_LEASE_KEPT || h->http.code)
    return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report,
                        "Received something else than HTTP from a server that has spoken HTTP");
  if(!mote_opt_long(&t->options, CURLOPT_HTTP09_ALLOWED))
    return mote_fail_as(CURLE_UNSUPPORTED_PROTOCOL, &t->report, "Received HTTP/0.9 when not allowed");
  if(t->run->request.method == MOTE_METHOD_HEAD)
    return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report,
                        "Received HTTP/0.9, which is a body, in answer to HEAD");
  h->not_http = true;
  h->chunked = false;
  h->left = UINT64_MAX;
  h->body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
  h->http.receiving = MOTE_HTTP_RECEIVE_BODY;
  h->http.sending = MOTE_HTTP_SEND_DONE;
  return CURLE_OK;
}

/* Parses plain field lines in a row. This skips most of the work per line where no callback waits for it. */
static CURLcode consume_fields(struct mote_transfer *t, struct mote_h1 *h, char *bytes, size_t len,
                               size_t *used)
{
  uint8_t origin = mote_response_origin(&h->http);
  uint32_t looked_at = h->http.quiet ? h->http.fields : UINT32_MAX;
  struct mote_http1_event ev;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_http1_feed_plain(&h->in.head, bytes + *used, len - *used, &ev)) {
    *used += ev.used;
    if(mote_http1_is_framing(ev.known.field))
      rc = h1_parse_note_framing(t, h, &ev);
    if(rc)
      break;
    if(looked_at >> ev.known.field & 1u)
      rc = mote_response_field(t, ev.known, ev.name, ev.value, ev.whole);
    else
      rc = mote_response_keep(t, origin, ev.known.spelling, ev.name, ev.value, ev.whole.len);
  }
  return rc;
}

static CURLcode consume_head(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct mote_http1_event ev;
  *used = 0;
  h->http.quiet = !mote_sink_wants_headers(t);
  while(*used < len && h->http.receiving == MOTE_HTTP_RECEIVE_HEAD) {
    CURLcode rc = mote_http1_feed(&h->in.head, bytes + *used, len - *used, &ev);
    if(rc)
      return h1_parse_malformed(t, rc, ev.why);
    if(ev.kind == MOTE_HTTP1_NEED_MORE)
      return CURLE_OK;
    if(ev.kind == MOTE_HTTP1_NOT_HTTP)
      return not_http(t);
    rc = h1_parse_take_event(t, &ev, now);
    /* The sink keeps a paused header line, so that it counts as used. */
    *used += ev.used;
    if(!rc && ev.kind != MOTE_HTTP1_END)
      rc = consume_fields(t, h, bytes, len, used);
    if(rc)
      return rc;
  }
  return CURLE_OK;
}

/* ---- the body ---- */

void mote_h1_body_complete(struct mote_transfer *t)
{
  struct mote_h1 *h = mote_h1_of(t);
  h->bare_lf = h->chunked && h->in.chunked.bare_lf;
  h->http.receiving = MOTE_HTTP_RECEIVE_FINISH;
}

static CURLcode consume_length(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_h1 *h = mote_h1_of(t);
  CURLcode rc;
  if(len > h->left)
    len = (size_t)h->left;
  rc = mote_sink_body(t, bytes, len, used);
  h->left -= *used;
  if(!h->left)
    mote_h1_body_complete(t);
  return rc;
}

/* Trailers are delivered with CRLF whatever their line end was, as by libcurl. The line is changed in
 * place, and the byte after it, which the codec has already parsed, is restored. */
static CURLcode take_trailer(struct mote_transfer *t, const struct mote_http1_event *ev)
{
  struct mote_slice whole = ev->whole;
  char *end = (char *)(uintptr_t)whole.ptr + whole.len;
  char after = *end;
  CURLcode rc;
  if(end[-2] != '\r') {
    end[-1] = '\r';
    *end = '\n';
    whole.len++;
  }
  rc = mote_response_trailer(t, ev->name, ev->value, whole);
  *end = after;
  return rc;
}

static CURLcode take_chunk_event(struct mote_transfer *t, struct mote_chunked_event *ev, size_t *given_back)
{
  struct mote_h1 *h = mote_h1_of(t);
  CURLcode rc;
  size_t n;
  *given_back = 0;
  switch(ev->kind) {
  case MOTE_CHUNKED_DATA:
    rc = mote_sink_body(t, (char *)(uintptr_t)ev->data.ptr, ev->data.len, &n);
    *given_back = ev->data.len - n;
    if(*given_back)
      mote_chunked_unread(&h->in.chunked, *given_back);
    return rc;
  case MOTE_CHUNKED_TRAILER:
    return take_trailer(t, &ev->line);
  case MOTE_CHUNKED_DONE:
    mote_h1_body_complete(t);
    return CURLE_OK;
  default:
    return CURLE_OK;
  }
}

static CURLcode consume_chunked(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_h1 *h = mote_h1_of(t);
  *used = 0;
  while(h->http.receiving == MOTE_HTTP_RECEIVE_BODY) {
    struct mote_chunked_event ev;
    size_t back;
    CURLcode rc = mote_chunked_feed(&h->in.chunked, bytes + *used, len - *used, &ev);
    if(rc)
      return h1_parse_malformed(t, rc, ev.why);
    rc = take_chunk_event(t, &ev, &back);
    *used += ev.used - back;
    if(rc || ev.kind == MOTE_CHUNKED_NEED_MORE)
      return rc;
  }
  return CURLE_OK;
}

/* Counts the bytes that belong to chunks and trailers, without decoding them. *done: the last line is among
 * them. */
static CURLcode scan_chunked(struct mote_transfer *t, char *bytes, size_t len, size_t *at, bool *done)
{
  struct mote_chunked *c = &mote_h1_of(t)->in.chunked;
  struct mote_chunked_event ev;
  *at = 0;
  *done = false;
  do {
    CURLcode rc = mote_chunked_feed(c, bytes + *at, len - *at, &ev);
    if(rc)
      return h1_parse_malformed(t, rc, ev.why);
    *at += ev.used;
    *done = ev.kind == MOTE_CHUNKED_DONE;
  } while(!*done && ev.kind != MOTE_CHUNKED_NEED_MORE && *at < len);
  return CURLE_OK;
}

/* With CURLOPT_HTTP_TRANSFER_DECODING off the coded bytes are the body, and the decoder only finds its end.
 * It cannot take bytes back. The sink therefore gets one piece at a time, which a pause keeps whole, except
 * for bytes beyond CURLOPT_MAXFILESIZE and bytes that a content decoder rejects. */
static CURLcode consume_raw_chunked(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  size_t most = len < CURL_MAX_WRITE_SIZE ? len : CURL_MAX_WRITE_SIZE, at, delivered;
  bool done;
  CURLcode rc = scan_chunked(t, bytes, most, &at, &done);
  if(!rc && !at && most < len) /* a trailer line exceeds the piece */
    rc = scan_chunked(t, bytes, len, &at, &done);
  if(rc)
    return rc;
  *used = at;
  if(done)
    mote_h1_body_complete(t);
  if(!at)
    return CURLE_OK;
  rc = mote_sink_body(t, bytes, at, &delivered);
  if(rc != CURLE_AGAIN || delivered == at)
    return rc;
  mote_fail(&t->report, "the rest of a chunked body cannot be kept during the pause");
  return t->run->decode ? CURLE_BAD_CONTENT_ENCODING : CURLE_FILESIZE_EXCEEDED;
}

static CURLcode consume_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now)
{
  struct mote_h1 *h = mote_h1_of(t);
  (void)now;
  switch(h->body) {
  case MOTE_HTTP1_BODY_LENGTH:
    return consume_length(t, bytes, len, used);
  case MOTE_HTTP1_BODY_CHUNKED:
    return MOTE_BUILT_CURLOPT_HTTP_TRANSFER_DECODING && h->raw_chunked
             ? consume_raw_chunked(t, bytes, len, used)
             : consume_chunked(t, bytes, len, used);
  default:
    return mote_sink_body(t, bytes, len, used);
  }
}

CURLcode mote_h1_consume(struct mote_transfer *t, char *bytes, size_t len, mote_time now)
{
  struct mote_h1 *h = mote_h1_of(t);
  struct mote_conn *c = t->run->channel.conn;
  while(h->http.receiving < MOTE_HTTP_RECEIVE_FINISH && len) {
    bool in_head = h->http.receiving == MOTE_HTTP_RECEIVE_HEAD;
    size_t used = 0;
    CURLcode rc = in_head ? consume_head(t, bytes, len, &used, now) : consume_body(t, bytes, len, &used, now);
    mote_conn_take(c, used);
    bytes += used;
    len -= used;
    if(rc)
      return rc;
    if(!used && (in_head == (h->http.receiving == MOTE_HTTP_RECEIVE_HEAD)))
      break; /* a partial line: more bytes are needed */
  }
  if(h->http.receiving == MOTE_HTTP_RECEIVE_FINISH) {
    h->surplus = len > 0;
    return mote_response_end(t);
  }
  return CURLE_OK;
}

/* ---- the end of the connection ---- */

static CURLcode ended_in_head(struct mote_transfer *t)
{
  enum mote_http1_why why;
  CURLcode rc = mote_http1_closed(&mote_h1_of(t)->in.head, &why);
  return h1_parse_malformed(t, rc, why);
}

static CURLcode ended_in_body(struct mote_transfer *t)
{
  struct mote_h1 *h = mote_h1_of(t);
  switch(h->body) {
  case MOTE_HTTP1_BODY_LENGTH:
    return mote_fail_as(CURLE_PARTIAL_FILE, &t->report,
                        "transfer closed with %" CURL_FORMAT_CURL_OFF_T " bytes remaining to read",
                        (curl_off_t)h->left);
  case MOTE_HTTP1_BODY_CHUNKED:
    return mote_fail_as(CURLE_PARTIAL_FILE, &t->report,
                        "transfer closed with outstanding read data remaining");
  default:
    mote_h1_body_complete(t);
    return mote_response_end(t);
  }
}

void mote_h1_judge_answer(struct mote_transfer *t)
{
  if(!mote_h1_of(t)->http.code)
    mote_lease_judge(&t->run->lease, MOTE_RETRY_DEAD);
}

CURLcode mote_h1_ended(struct mote_transfer *t)
{
  struct mote_h1 *h = mote_h1_of(t);
  if(h->http.receiving == MOTE_HTTP_RECEIVE_HEAD)
    return ended_in_head(t);
  return h->http.receiving == MOTE_HTTP_RECEIVE_BODY ? ended_in_body(t) : CURLE_OK;
}

/* An attacker can end TLS without a close and so cut a response short (RFC 9112 section 9.8). */
CURLcode mote_h1_truncated(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_RECV_ERROR, &t->report,
                      "TLS connection ended without close_notify: the response may be incomplete");
}
