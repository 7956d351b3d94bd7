/* api/library/sslset.c: curl_global_sslset(3). libcurl-gnutls.so.4 has gnutls/sslset.c in its place.
 *
 * Tests: tests/unit/tls/test_backends.c */
#include <curl/curl.h>

#include "tls/tls.h"

CURLsslset curl_global_sslset(curl_sslbackend id, const char *name, const curl_ssl_backend ***avail)
{
  if(avail)
    *avail = mote_tls_offered(NULL);
  return mote_tls_select(id, name);
}
