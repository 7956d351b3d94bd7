/* api/getdate.c: curl_getdate(3). */
#include <curl/curl.h>
#include <string.h>

#include "base/date.h"

time_t curl_getdate(const char *p, const time_t *unused)
{
  int64_t seconds;
  (void)unused;
  if(!p || !mote_date_parse(p, strlen(p), &seconds) || (int64_t)(time_t)seconds != seconds)
    return -1;
  return (time_t)seconds;
}
