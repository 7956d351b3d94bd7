/* api/strerror.c: curl_easy_strerror(3), curl_multi_strerror(3), curl_share_strerror(3),
 * curl_url_strerror(3). */
#include <curl/curl.h>

#include "base/error_text.h"

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
