/* protocol/h1_parse.c: parses heads and bodies out of the bytes that the connection lends, and judges what
 * the end of the connection means. */
#include "base/report.h"
#include "net/conn.h"
#include "http/parser.h"
#include "transfer/sink.h"

/* Parses a piece of lent bytes. *used counts those that are done with. CURLE_AGAIN: the application has
 * paused. */
typedef CURLcode (*consume_fn)(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now);

static CURLcode malformed(struct mote_transfer *t, CURLcode rc, enum mote_http1_why why)
{
  if(why)
    mote_fail(&t->report, "%s", mote_http1_why_text(why));
  return rc;
}

/* ---- the head ---- */

static CURLcode take_event(struct mote_transfer *t, struct mote_http *h, struct mote_http1_event *ev,
                           mote_time now)
{
  struct mote_run *r = t->run;
  switch(ev->kind) {
  case MOTE_HTTP1_STATUS:
    mote_http1_response_begin(&mote_http_parser(h)->response, ev);
    r->response.code = ev->code;
    return mote_http_status(t, ev, now);
  case MOTE_HTTP1_HEADER:
    return mote_http_field(t, h, ev);
  default:
    return mote_http_head_done(t, ev);
  }
}

/* HTTP/0.9 is accepted only from a server that has not spoken HTTP/1 on this connection. */
static CURLcode not_http(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(t->run->lease.kind == MOTE_LEASE_KEPT || mote_http_parser(h)->response.code) {
    mote_fail(&t->report, "Received something else than HTTP from a server that has spoken HTTP");
    return CURLE_WEIRD_SERVER_REPLY;
  }
  if(!mote_opt_long(&t->options, CURLOPT_HTTP09_ALLOWED)) {
    mote_fail(&t->report, "Received HTTP/0.9 when not allowed");
    return CURLE_UNSUPPORTED_PROTOCOL;
  }
  if(t->run->request.method == MOTE_METHOD_HEAD) {
    mote_fail(&t->report, "Received HTTP/0.9, which is a body, in answer to HEAD");
    return CURLE_WEIRD_SERVER_REPLY;
  }
  h->not_http = true;
  h->chunked = false;
  h->left = UINT64_MAX;
  mote_http_parser(h)->framing.body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
  h->receiving = MOTE_HTTP_RECEIVE_BODY;
  h->sending = MOTE_HTTP_SEND_DONE;
  return CURLE_OK;
}

/* Parses plain field lines in a row, for which no callback waits. This skips most of the work per line. */
static CURLcode consume_fields(struct mote_transfer *t, struct mote_http *h, char *bytes, size_t len,
                               size_t *used)
{
  struct mote_http1_head *head = &mote_http_parser(h)->in.head;
  unsigned code = mote_http_parser(h)->response.code;
  uint8_t origin = code < 200 && code != 101 ? CURLH_1XX : CURLH_HEADER;
  struct mote_http1_event ev;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_http1_feed_plain(head, bytes + *used, len - *used, &ev)) {
    *used += ev.used;
    if(mote_http1_has_meaning(ev.field))
      rc = mote_http_field(t, h, &ev);
    else {
      rc = mote_headers_add(&t->run->response.headers, &t->account, origin, ev.name, ev.value);
      t->run->response.head_bytes += rc ? 0 : (uint32_t)ev.whole.len;
    }
  }
  return rc;
}

static CURLcode consume_head(struct mote_transfer *t, char *bytes, size_t len, size_t *used, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_http1_event ev;
  *used = 0;
  h->quiet = !mote_sink_wants_headers(t);
  while(*used < len && h->receiving == MOTE_HTTP_RECEIVE_HEAD) {
    CURLcode rc = mote_http1_feed(&mote_http_parser(h)->in.head, bytes + *used, len - *used, &ev);
    if(rc)
      return malformed(t, rc, ev.why);
    if(ev.kind == MOTE_HTTP1_NEED_MORE)
      return CURLE_OK;
    if(ev.kind == MOTE_HTTP1_NOT_HTTP)
      return not_http(t);
    rc = take_event(t, h, &ev, now);
    /* The sink keeps a paused header line, so that it counts as used. */
    *used += ev.used;
    if(!rc && h->quiet && ev.kind != MOTE_HTTP1_END)
      rc = consume_fields(t, h, bytes, len, used);
    if(rc)
      return rc;
  }
  return CURLE_OK;
}

/* ---- the body ---- */

void mote_http_body_complete(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  h->bare_lf = h->chunked && mote_http_parser(h)->in.chunked.bare_lf;
  h->receiving = MOTE_HTTP_RECEIVE_FINISH;
}

static CURLcode consume_length(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc;
  if(len > h->left)
    len = (size_t)h->left;
  rc = mote_sink_body(t, bytes, len, used);
  h->left -= *used;
  if(!h->left)
    mote_http_body_complete(t);
  return rc;
}

/* Trailers are delivered with CRLF whatever their line end was, as by libcurl. The line is changed in
 * place, and the byte after it, which the codec has already parsed, is restored. */
static CURLcode deliver_trailer(struct mote_transfer *t, struct mote_slice whole)
{
  char *line = (char *)(uintptr_t)whole.ptr;
  size_t len = whole.len;
  char after = line[len];
  CURLcode rc;
  if(line[len - 2] != '\r') {
    line[len - 1] = '\r';
    line[len++] = '\n';
  }
  rc = mote_sink_header(t, line, len);
  line[whole.len] = after;
  return rc;
}

static CURLcode take_chunk_event(struct mote_transfer *t, struct mote_chunked_event *ev, size_t *given_back)
{
  struct mote_http *h = mote_http_of(t);
  CURLcode rc;
  size_t n;
  *given_back = 0;
  switch(ev->kind) {
  case MOTE_CHUNKED_DATA:
    rc = mote_sink_body(t, (char *)(uintptr_t)ev->data.ptr, ev->data.len, &n);
    *given_back = ev->data.len - n;
    if(*given_back)
      mote_chunked_unread(&mote_http_parser(h)->in.chunked, *given_back);
    return rc;
  case MOTE_CHUNKED_TRAILER:
    rc = mote_headers_add(&t->run->response.headers, &t->account, CURLH_TRAILER, ev->line.name,
                          ev->line.value);
    if(!rc)
      rc = deliver_trailer(t, ev->line.whole);
    return rc;
  case MOTE_CHUNKED_DONE:
    mote_http_body_complete(t);
    return CURLE_OK;
  default:
    return CURLE_OK;
  }
}

static CURLcode consume_chunked(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_http *h = mote_http_of(t);
  *used = 0;
  while(h->receiving == MOTE_HTTP_RECEIVE_BODY) {
    struct mote_chunked_event ev;
    size_t back;
    CURLcode rc = mote_chunked_feed(&mote_http_parser(h)->in.chunked, bytes + *used, len - *used, &ev);
    if(rc)
      return malformed(t, rc, ev.why);
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
  struct mote_chunked *c = &mote_http_parser(mote_http_of(t))->in.chunked;
  struct mote_chunked_event ev;
  *at = 0;
  *done = false;
  do {
    CURLcode rc = mote_chunked_feed(c, bytes + *at, len - *at, &ev);
    if(rc)
      return malformed(t, rc, ev.why);
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
    mote_http_body_complete(t);
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
  struct mote_http *h = mote_http_of(t);
  (void)now;
  switch(mote_http_parser(h)->framing.body) {
  case MOTE_HTTP1_BODY_LENGTH:
    return consume_length(t, bytes, len, used);
  case MOTE_HTTP1_BODY_CHUNKED:
    return h->raw_chunked ? consume_raw_chunked(t, bytes, len, used) : consume_chunked(t, bytes, len, used);
  default:
    return mote_sink_body(t, bytes, len, used);
  }
}

CURLcode mote_http_finish_body(struct mote_transfer *t)
{
  CURLcode rc = mote_sink_finish(t);
  if(!rc)
    mote_http_of(t)->receiving = MOTE_HTTP_RECEIVE_DONE;
  return rc;
}

CURLcode mote_http_consume(struct mote_transfer *t, char *bytes, size_t len, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->channel.conn;
  while(h->receiving < MOTE_HTTP_RECEIVE_FINISH && len) {
    bool in_head = h->receiving == MOTE_HTTP_RECEIVE_HEAD;
    size_t used = 0;
    CURLcode rc = in_head ? consume_head(t, bytes, len, &used, now) : consume_body(t, bytes, len, &used, now);
    mote_conn_take(c, used);
    bytes += used;
    len -= used;
    if(rc)
      return rc;
    if(!used && (in_head == (h->receiving == MOTE_HTTP_RECEIVE_HEAD)))
      break; /* a partial line: more bytes are needed */
  }
  if(h->receiving == MOTE_HTTP_RECEIVE_FINISH) {
    h->surplus = len > 0;
    return mote_http_finish_body(t);
  }
  return CURLE_OK;
}

/* ---- the end of the connection ---- */

static CURLcode ended_in_head(struct mote_transfer *t)
{
  enum mote_http1_why why;
  CURLcode rc = mote_http1_closed(&mote_http_parser(mote_http_of(t))->in.head, &why);
  return malformed(t, rc, why);
}

static CURLcode ended_in_body(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  switch(mote_http_parser(h)->framing.body) {
  case MOTE_HTTP1_BODY_LENGTH:
    mote_fail(&t->report, "transfer closed with %" CURL_FORMAT_CURL_OFF_T " bytes remaining to read",
              (curl_off_t)h->left);
    return CURLE_PARTIAL_FILE;
  case MOTE_HTTP1_BODY_CHUNKED:
    mote_fail(&t->report, "transfer closed with outstanding read data remaining");
    return CURLE_PARTIAL_FILE;
  default:
    mote_http_body_complete(t);
    return mote_http_finish_body(t);
  }
}

void mote_http_judge_answer(struct mote_transfer *t)
{
  t->run->response.got_bytes = t->run->response.got_bytes && mote_http_parser(mote_http_of(t))->response.code;
}

CURLcode mote_http_ended(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(h->receiving == MOTE_HTTP_RECEIVE_HEAD)
    return ended_in_head(t);
  return h->receiving == MOTE_HTTP_RECEIVE_BODY ? ended_in_body(t) : CURLE_OK;
}

/* An attacker can end TLS without a close and so cut a response short (RFC 9112 section 9.8). */
CURLcode mote_http_truncated(struct mote_transfer *t)
{
  mote_fail(&t->report, "TLS connection ended without close_notify: the response may be incomplete");
  return CURLE_RECV_ERROR;
}
