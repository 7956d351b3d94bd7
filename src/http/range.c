/* http/range.c: requests for parts of a document, and what servers answer instead. */
#include <string.h>

#include "base/report.h"
#include "http/hooks.h"
#include "http/request.h"
#include "http/response.h"
#include "transfer/download/headers.h"
#include "transfer/upload/source.h"

/* Writes the Range of a download (RFC 9110 section 14.2). A negative offset is sent as libcurl sends it,
 * although it asks for the last bytes. */
static void put_wanted(struct mote_http_writer *w, const char *range, curl_off_t from)
{
  if(mote_http_has_own(w->t, "Range"))
    return;
  mote_http_begin_field(w, "Range", "bytes=");
  if(range)
    mote_http_put_text(w, range);
  else {
    if(from < 0)
      mote_http_put(w, "-", 1);
    mote_http_put_number(w, from < 0 ? -from : from);
    mote_http_put(w, "-", 1);
  }
  mote_http_end_field(w);
}

/* Writes the Content-Range of an upload (RFC 9110 section 14.5). From offset -1 means the whole body, and
 * is written as such. */
static void put_given(struct mote_http_writer *w, const char *range, curl_off_t from)
{
  curl_off_t size = mote_source_size(w->t);
  curl_off_t total = size >= 0 ? size + from : -1;
  if(mote_http_has_own(w->t, "Content-Range"))
    return;
  mote_http_begin_field(w, "Content-Range", "bytes ");
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
  mote_http_end_field(w);
}

static void put_range(struct mote_http_writer *w)
{
  struct mote_run *r = w->t->run;
  const char *range = mote_opt_str(&w->t->options, CURLOPT_RANGE);
  curl_off_t from = mote_opt_off(&w->t->options, CURLOPT_RESUME_FROM_LARGE);
  bool download = r->request.method == MOTE_METHOD_GET || r->request.method == MOTE_METHOD_HEAD;
  if(from)
    range = NULL; /* CURLOPT_RESUME_FROM takes precedence, as in libcurl */
  if(!range && !from)
    return;
  mote_http_of(w->t)->ranged = download && !range;
  if(download)
    put_wanted(w, range, from);
  else if(r->body && (range || from > 0 || mote_source_size(w->t) >= 0))
    put_given(w, range, from > 0 ? from : 0);
}

/* Reports whether the response's range begins at `from`. Some servers write "bytes=" or no unit at all,
 * which libcurl accepts too. */
static bool begins_at(const char *range, curl_off_t from)
{
  uint64_t first;
  size_t used;
  if(!range)
    return false;
  range += strcspn(range, "*0123456789");
  return mote_parse_dec_prefix(mote_slice_of(range), INT64_MAX, &first, &used) && (curl_off_t)first == from;
}

/* A resumed download needs the rest of the file, and neither all of it nor an error page can be appended
 * (CURLOPT_RESUME_FROM_LARGE(3)). A 416 means that there is no rest, and so does the whole document when it
 * is exactly as long as what the application has. */
static CURLcode judge_range(struct mote_transfer *t, const struct mote_http_body *body)
{
  const struct mote_http *h = mote_http_of(t);
  curl_off_t from;
  unsigned code = h->code;
  if(!h->ranged || t->run->response.next || h->again || t->run->request.method != MOTE_METHOD_GET)
    return CURLE_OK;
  from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  if(code != 416 && body->kind != MOTE_HTTP1_BODY_NONE &&
     begins_at(mote_headers_find(&t->run->response.headers, "Content-Range", -1), from))
    return CURLE_OK;
  if(code == 416 || (body->kind == MOTE_HTTP1_BODY_LENGTH && body->size == from)) {
    t->run->response.body_ignored = true;
    return CURLE_OK;
  }
  return mote_fail_as(CURLE_RANGE_ERROR, &t->report,
                      "the server sent a response %u instead of the rest of the file: cannot resume", code);
}

const struct mote_http_hook mote_http_ranges = {
  .name = "ranges",
  .options = MOTE_HTTP_WHEN(CURLOPT_RANGE) | MOTE_HTTP_WHEN(CURLOPT_RESUME_FROM_LARGE),
  .place = MOTE_HTTP_AFTER_HOST,
  .request = put_range,
  .head = judge_range,
};
