/* protocol/http_fields.c: the fields that options and the body ask for. */
#include "base/date.h"
#include "base/report.h"
#include "codec/decode.h"
#include "protocol/http_writer.h"
#include "transfer/source.h"

#define EXPECT_THRESHOLD (1024 * 1024) /* POST bodies above this ask first (CURLOPT_POSTFIELDS(3)) */

/* Range of a download (RFC 9110 section 14.2), Content-Range of an upload. */
void mote_http_put_range(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  const char *range = mote_opt_str(&t->options, CURLOPT_RANGE);
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  const struct mote_body *b = t->run->body;
  if(from > 0)
    range = NULL; /* the later option of the two, as libcurl sees them */
  if(t->run->method == MOTE_METHOD_GET || t->run->method == MOTE_METHOD_HEAD) {
    if(mote_http_has_own(t, "Range") || (!range && from <= 0))
      return;
    mote_http_put_text(w, "Range: bytes=");
    if(range)
      mote_http_put_text(w, range);
    else {
      mote_http_of(t)->ranged = true;
      mote_http_put_number(w, from);
      mote_http_put(w, "-", 1);
    }
    mote_http_put(w, "\r\n", 2);
  }
  else if((range || from > 0) && !mote_http_has_own(t, "Content-Range") &&
          t->run->method == MOTE_METHOD_PUT && b) {
    curl_off_t total = b->size >= 0 ? b->size + (from > 0 ? from : 0) : -1;
    mote_http_put_text(w, "Content-Range: bytes ");
    if(range)
      mote_http_put_text(w, range);
    else {
      mote_http_put_number(w, from);
      mote_http_put(w, "-", 1);
      if(total > 0)
        mote_http_put_number(w, total - 1);
    }
    mote_http_put(w, "/", 1);
    if(total >= 0)
      mote_http_put_number(w, total);
    else
      mote_http_put(w, "*", 1);
    mote_http_put(w, "\r\n", 2);
  }
}

void mote_http_put_accept_encoding(struct mote_http_writer *w)
{
  const char *wish = mote_opt_str(&w->t->options, CURLOPT_ACCEPT_ENCODING);
  char all[64];
  if(!wish || mote_http_has_own(w->t, "Accept-Encoding"))
    return;
  if(!*wish) {
    (void)mote_decode_accept(all, sizeof all);
    wish = all;
  }
  mote_http_put_field(w, "Accept-Encoding: ", wish);
}

void mote_http_put_time_condition(struct mote_http_writer *w)
{
  const struct mote_options *o = &w->t->options;
  static const struct {
    long condition;
    const char *name;
  } fields[] = {
    {CURL_TIMECOND_IFMODSINCE, "If-Modified-Since"},
    {CURL_TIMECOND_IFUNMODSINCE, "If-Unmodified-Since"},
    {CURL_TIMECOND_LASTMOD, "Last-Modified"},
  };
  long condition = mote_opt_long(o, CURLOPT_TIMECONDITION);
  char date[MOTE_DATE_HTTP_SIZE];
  size_t i;
  for(i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if(fields[i].condition == condition && !mote_http_has_own(w->t, fields[i].name)) {
      if(!mote_date_format_http(date, mote_opt_off(o, CURLOPT_TIMEVALUE_LARGE)))
        w->rc = CURLE_BAD_FUNCTION_ARGUMENT;
      mote_http_put_text(w, fields[i].name);
      mote_http_put_field(w, ": ", date);
    }
}

static bool says_chunked(const char *value)
{
  return value && mote_list_has_token(mote_slice_of(value), "chunked");
}

/* Chunked when the length is unknown or the application says so; HTTP/1.0 has no such coding. */
void mote_http_choose_framing(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  bool removed;
  const char *own = mote_http_custom_header(t, "Transfer-Encoding", &removed);
  bool old = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  h->upload_chunked = false;
  if(!t->run->body)
    return;
  if(says_chunked(own))
    h->upload_chunked = true;
  else if(t->run->body->size < 0 && !removed && !mote_http_has_own(t, "Content-Length"))
    h->upload_chunked = true;
  if(h->upload_chunked && old) {
    mote_fail(&t->report, "HTTP/1.0 has no chunked uploads: state the size of the body");
    w->rc = CURLE_UPLOAD_FAILED;
  }
}

void mote_http_put_transfer_encoding(struct mote_http_writer *w)
{
  bool removed;
  const char *own = mote_http_custom_header(w->t, "Transfer-Encoding", &removed);
  if(own && !removed)
    mote_http_put_field(w, "Transfer-Encoding: ", own);
  else if(mote_http_of(w->t)->upload_chunked)
    mote_http_put_text(w, "Transfer-Encoding: chunked\r\n");
}

static void put_expect(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  const struct mote_body *b = t->run->body;
  bool removed;
  const char *own = mote_http_custom_header(t, "Expect", &removed);
  bool old = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  h->sending = MOTE_HTTP_SEND_BODY;
  if(own && !removed && mote_list_has_token(mote_slice_of(own), "100-continue"))
    h->sending = MOTE_HTTP_SEND_WAIT;
  if(own || old || t->run->no_expect || b->size == 0 ||
     (b->size >= 0 && b->size <= EXPECT_THRESHOLD && t->run->method == MOTE_METHOD_POST))
    return;
  mote_http_put_text(w, "Expect: 100-continue\r\n");
  h->sending = MOTE_HTTP_SEND_WAIT;
}

void mote_http_put_body_fields(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  const struct mote_body *b = t->run->body;
  if(!b) {
    h->sending = MOTE_HTTP_SEND_DONE;
    return;
  }
  if(b->size >= 0 && !h->upload_chunked && !mote_http_has_own(t, "Content-Length")) {
    mote_http_put_text(w, "Content-Length: ");
    mote_http_put_number(w, b->size);
    mote_http_put(w, "\r\n", 2);
  }
  if(t->run->method == MOTE_METHOD_POST && !mote_http_has_own(t, "Content-Type"))
    mote_http_put_text(w, "Content-Type: application/x-www-form-urlencoded\r\n");
  put_expect(w);
  if(b->size == 0 && !h->upload_chunked)
    h->sending = MOTE_HTTP_SEND_DONE;
}

/* CURLOPT_TRANSFER_ENCODING: we can undo gzip under chunked. */
void mote_http_put_te(struct mote_http_writer *w)
{
  if(!mote_opt_long(&w->t->options, CURLOPT_TRANSFER_ENCODING) || mote_http_has_own(w->t, "TE"))
    return;
  if(mote_http_has_own(w->t, "Connection"))
    mote_http_put_text(w, "TE: gzip\r\n");
  else
    mote_http_put_text(w, "Connection: TE\r\nTE: gzip\r\n");
}
