/* protocol/document.c: the range, the time and the facts of a file (protocol/document.h). */
#include "base/text.h"
#include "protocol/document.h"

#include "base/text/date.h"
#include "base/text/format.h"
#include "transfer/download/headers.h"
#include "transfer/transfer.h"

/* Takes a number off the front. -1: there is none that fits. */
static curl_off_t document_take_number(struct mote_slice *s, uint64_t most)
{
  uint64_t number;
  size_t used;
  if(!mote_parse_dec_prefix(*s, most, &number, &used))
    return -1;
  mote_slice_skip(s, used);
  return (curl_off_t)number;
}

bool mote_document_range(const char *text, curl_off_t *first, curl_off_t *last)
{
  struct mote_slice s = mote_slice_of(text);
  *first = document_take_number(&s, INT64_MAX);
  if(!s.len || *s.ptr != '-')
    return false;
  mote_slice_skip(&s, 1);
  /* a length, or the place before one */
  *last = document_take_number(&s, *first < 0 ? INT64_MAX : INT64_MAX - 1);
  return true;
}

/* CURLINFO_FILETIME looks for the field there. Its origin is 0, which hides it from curl_easy_header(). */
CURLcode mote_document_note_time(struct mote_transfer *t, int64_t time)
{
  char text[24] = "-";
  struct mote_slice value = {text, time < 0};
  value.len += mote_print_dec(text + value.len, time < 0 ? 0 - (uint64_t)time : (uint64_t)time);
  return mote_headers_add(&t->run->response.headers, &t->account, 0, 0, mote_slice_of("Last-Modified"),
                          value);
}

size_t mote_document_line(char line[MOTE_DOCUMENT_LINE], enum mote_document_fact fact, int64_t value)
{
  char date[MOTE_DATE_HTTP_SIZE];
  int n = 0;
  if(fact == MOTE_DOCUMENT_LENGTH)
    n = mote_snprintf(line, MOTE_DOCUMENT_LINE, "Content-Length: %" CURL_FORMAT_CURL_OFF_T "\r\n",
                      (curl_off_t)value);
  else if(fact == MOTE_DOCUMENT_RANGES)
    n = mote_snprintf(line, MOTE_DOCUMENT_LINE, "Accept-ranges: bytes\r\n");
  else if(mote_date_format_http(date, value))
    n = mote_snprintf(line, MOTE_DOCUMENT_LINE, "Last-Modified: %s\r\n", date);
  return n > 0 ? (size_t)n : 0;
}
