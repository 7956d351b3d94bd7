/* api/trace.c: curl_global_trace() where the log lines of components are left out. CURLOPT_VERBOSE and
 * CURLOPT_DEBUGFUNCTION do not depend on it. */
#include <curl/curl.h>

CURLcode curl_global_trace(const char *config)
{
  (void)config;
  return CURLE_NOT_BUILT_IN;
}
