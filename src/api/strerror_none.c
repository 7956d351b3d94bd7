/* api/strerror_none.c: curl_easy_strerror(3) and relatives in a build without texts. */
#include <curl/curl.h>

static const char *text(int code)
{
  return code ? "Error" : "No error";
}

const char *curl_easy_strerror(CURLcode error)
{
  return text((int)error);
}

const char *curl_multi_strerror(CURLMcode error)
{
  return text((int)error);
}

const char *curl_share_strerror(CURLSHcode error)
{
  return text((int)error);
}

const char *curl_url_strerror(CURLUcode error)
{
  return text((int)error);
}
