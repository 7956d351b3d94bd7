/* api/gnutls/sslset.c: curl_global_sslset(3) in the library of the name libcurl-gnutls. Programs that were
 * built for that insist on "gnutls", so it accepts it besides its own TLS libraries, which serve all the
 * same.
 *
 * Tests: tests/e2e/test_explored.py */
#include <curl/curl.h>

#include "tls/tls.h"

static const curl_ssl_backend gnutls = {CURLSSLBACKEND_GNUTLS, "gnutls"};

CURLsslset curl_global_sslset(curl_sslbackend id, const char *name, const curl_ssl_backend ***avail)
{
  if(avail)
    *avail = mote_tls_offered(&gnutls);
  if(id == gnutls.id || (name && curl_strequal(name, gnutls.name)))
    return CURLSSLSET_OK;
  return mote_tls_select(id, name);
}
