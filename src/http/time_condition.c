/* http/time_condition.c: time conditions (CURLOPT_TIMECONDITION(3)), also for servers that ignore them. */
#include <string.h>

#include "base/report.h"
#include "base/text/date.h"
#include "http/hooks.h"
#include "http/http.h"
#include "http/request.h"
#include "transfer/download/headers.h"

static void put_time_condition(struct mote_http_writer *w)
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
      mote_http_put_field(w, fields[i].name, date);
    }
}

/* When the server has ignored If-Modified-Since, the client treats the response as a 304 itself
 * (CURLOPT_TIMECONDITION(3)). */
static CURLcode judge_time(struct mote_transfer *t, const struct mote_http_body *body)
{
  unsigned code = mote_http_of(t)->code;
  long condition = mote_opt_long(&t->options, CURLOPT_TIMECONDITION);
  const char *text;
  int64_t modified;
  curl_off_t wanted;
  bool unmet;
  (void)body;
  if(condition == CURL_TIMECOND_NONE)
    return CURLE_OK;
  if(code == 304)
    t->run->response.condition_unmet = true;
  text = mote_headers_find(&t->run->response.headers, "Last-Modified", -1);
  wanted = mote_opt_off(&t->options, CURLOPT_TIMEVALUE_LARGE);
  if(code >= 300 || !text || !wanted || mote_opt_is_set(&t->options, CURLOPT_RANGE) ||
     !mote_date_parse(text, strlen(text), &modified) || !modified) /* 0 is sent where no time is known */
    return CURLE_OK;
  unmet = condition == CURL_TIMECOND_IFUNMODSINCE ? modified > wanted : modified <= wanted;
  if(unmet) {
    mote_info(&t->report, "Not modified since: treated as 304");
    t->run->response.condition_unmet = true;
    t->run->response.body_ignored = true;
    t->run->response.code = 304;
  }
  return CURLE_OK;
}

const struct mote_http_hook mote_http_time_condition = {
  .name = "time condition",
  .options = MOTE_HTTP_WHEN(CURLOPT_TIMECONDITION),
  .place = MOTE_HTTP_AFTER_REFERER,
  .request = put_time_condition,
  .head = judge_time,
};
