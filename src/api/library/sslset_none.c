/* api/library/sslset_none.c: curl_global_sslset(3) without TLS. */
#include <stdint.h>

#include <curl/curl.h>

CURLsslset curl_global_sslset(curl_sslbackend id, const char *name, const curl_ssl_backend ***avail)
{
  static const curl_ssl_backend *const none[] = {NULL};
  (void)id;
  (void)name;
  if(avail)
    *avail = (const curl_ssl_backend **)(uintptr_t)none;
  return CURLSSLSET_NO_BACKENDS;
}
