/* http/trailers.c: the trailers that the application adds to a chunked request body
 * (CURLOPT_TRAILERFUNCTION(3)). */
#include <string.h>

#include "base/buf.h"
#include "base/report.h"
#include "base/slist.h"
#include "http/http.h"
#include "transfer/callback.h"

static CURLcode add_trailer(struct mote_transfer *t, struct mote_buf *b, const char *line)
{
  const char *colon = strchr(line, ':');
  if(!colon || colon == line || colon[1] != ' ' || strpbrk(line, "\r\n")) {
    mote_info(&t->report, "Ignored a trailer line that is not \"name: value\"");
    return CURLE_OK;
  }
  {
    CURLcode rc = mote_buf_add_str(b, line);
    return rc ? rc : mote_buf_add(b, "\r\n", 2);
  }
}

static CURLcode ask_trailers(struct mote_transfer *t, struct mote_buf *b)
{
  curl_trailer_callback fn = (curl_trailer_callback)mote_opt_fn(&t->options, CURLOPT_TRAILERFUNCTION);
  struct curl_slist *list = NULL, *l;
  struct mote_callback_guard g;
  CURLcode rc = CURLE_OK;
  int answer;
  if(!fn)
    return CURLE_OK;
  g = mote_callback_enter(t);
  answer = fn(&list, mote_opt_ptr(&t->options, CURLOPT_TRAILERDATA));
  mote_callback_leave(t, g);
  if(answer != CURL_TRAILERFUNC_OK) {
    mote_fail(&t->report, "the trailer callback ended the transfer");
    rc = CURLE_ABORTED_BY_CALLBACK;
  }
  for(l = list; l && !rc; l = l->next)
    rc = add_trailer(t, b, l->data);
  mote_slist_free(list);
  return rc;
}

CURLcode mote_http_build_trailers(struct mote_transfer *t, struct mote_buf *b)
{
  CURLcode rc;
  mote_buf_init(b, &t->account, MOTE_PART_TRANSFER, MOTE_HTTP_TRAILERS_MAX);
  rc = mote_buf_add(b, "0\r\n", 3);
  if(!rc)
    rc = ask_trailers(t, b);
  return rc ? rc : mote_buf_add(b, "\r\n", 2);
}
