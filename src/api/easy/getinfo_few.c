/* api/easy/getinfo_few.c: curl_easy_getinfo(3) in a build without the part infos: code, URL, sizes,
 * redirects. Any other is CURLE_UNKNOWN_OPTION. */
#include <stdarg.h>

#include "api/easy/easy_handle.h"

static const char *url_of(const struct mote_easy *e)
{
  const char *set = mote_opt_str(&e->t.options, CURLOPT_URL);
  if(e->t.run && e->t.run->request.url.text)
    return e->t.run->request.url.text;
  return set ? set : "";
}

/* out is what the info's type says. */
static CURLcode getinfo_few_answer(const struct mote_easy *e, CURLINFO info, void *out)
{
  const struct mote_run *r = e->t.run;
  switch(info) {
  case CURLINFO_EFFECTIVE_URL:
    *(const char **)out = url_of(e);
    return CURLE_OK;
  case CURLINFO_RESPONSE_CODE:
    *(long *)out = r ? r->response.code : 0;
    return CURLE_OK;
  case CURLINFO_REDIRECT_COUNT:
    *(long *)out = r ? r->request.redirects : 0;
    return CURLE_OK;
  case CURLINFO_SIZE_DOWNLOAD_T:
    *(curl_off_t *)out = r ? r->stats.bytes_down : 0;
    return CURLE_OK;
  case CURLINFO_CONTENT_LENGTH_DOWNLOAD_T:
    *(curl_off_t *)out = r ? r->response.size_down : -1;
    return CURLE_OK;
  default:
    return CURLE_UNKNOWN_OPTION;
  }
}

CURLcode(curl_easy_getinfo)(CURL *curl, CURLINFO info, ...)
{
  const struct mote_easy *e = mote_easy_of(curl);
  va_list args;
  void *out;
  va_start(args, info);
  out = va_arg(args, void *);
  va_end(args);
  return e && out ? getinfo_few_answer(e, info, out) : CURLE_BAD_FUNCTION_ARGUMENT;
}
