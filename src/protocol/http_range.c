/* protocol/http_range.c: parts of a document, and what servers do instead. */
#include "base/report.h"
#include "protocol/http_parser.h"
#include "protocol/http_writer.h"
#include "transfer/source.h"

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

/* A resumed download needs the rest of the file, not all of it (CURLOPT_RESUME_FROM_LARGE(3)). */
CURLcode mote_http_judge_range(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  const char *range;
  if(!h->ranged || t->run->follow || h->again || mote_http_parser(h)->response.code >= 300 ||
     t->run->method != MOTE_METHOD_GET) {
    if(h->ranged && mote_http_parser(h)->response.code == 416)
      t->run->body_ignored = true;
    return CURLE_OK;
  }
  if(mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_NONE ||
     (mote_http_parser(h)->framing.body == MOTE_HTTP1_BODY_LENGTH && !mote_http_parser(h)->framing.length))
    return CURLE_OK;
  range = mote_headers_find(&t->run->headers, "Content-Range", -1);
  if(range && mote_equal_nocase_n(range, "bytes", 5)) {
    struct mote_slice rest = mote_slice_trim(mote_slice_of(range + 5));
    uint64_t first;
    size_t used;
    if(mote_parse_dec_prefix(rest, INT64_MAX, &first, &used) &&
       (curl_off_t)first == mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE))
      return CURLE_OK;
  }
  mote_fail(&t->report, "the server sends the whole file instead of the rest: cannot resume");
  return CURLE_RANGE_ERROR;
}
