/* api/text/utility.c: the public functions that need no handle: curl_free(3), curl_strequal(3),
 * curl_strnequal(3), curl_getdate(3), curl_easy_strerror(3), curl_multi_strerror(3),
 * curl_share_strerror(3), curl_url_strerror(3), mote_version(). */
#include <curl/curl.h>
#include <mote/mote.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text/date.h"
#include "base/text/error_text.h"

void curl_free(void *p)
{
  mote_mem_public_free(p);
}

/* As in libcurl, two NULL pointers are equal; NULL equals nothing else. */
int curl_strequal(const char *s1, const char *s2)
{
  if(!s1 || !s2)
    return s1 == s2;
  return mote_equal_nocase(s1, s2);
}

int curl_strnequal(const char *s1, const char *s2, size_t n)
{
  if(!s1 || !s2)
    return s1 == s2 && n;
  return mote_equal_nocase_n(s1, s2, n);
}

/* The last second before 1970 is -1, which says that there is no date: as in libcurl it becomes the next. */
time_t curl_getdate(const char *p, const time_t *unused)
{
  int64_t seconds;
  (void)unused;
  if(!p || !mote_date_parse(p, strlen(p), &seconds) || (int64_t)(time_t)seconds != seconds)
    return -1;
  return seconds == -1 ? 0 : (time_t)seconds;
}

const char *curl_easy_strerror(CURLcode error)
{
  return mote_error_text(error);
}

const char *curl_multi_strerror(CURLMcode error)
{
  return mote_error_multi_text(error);
}

const char *curl_share_strerror(CURLSHcode error)
{
  return mote_error_share_text(error);
}

const char *curl_url_strerror(CURLUcode error)
{
  return mote_error_url_text(error);
}

const char *mote_version(void)
{
  return MOTE_VERSION;
}
