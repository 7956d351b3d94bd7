/* api/sslset.c: curl_global_sslset(3).
 *
 * It is compiled twice. Programs that were built for libcurl-gnutls insist on "gnutls", so the library of
 * that name (MOTE_FOR_GNUTLS) accepts it besides its own TLS libraries, which serve all the same.
 *
 * Tests: tests/e2e/test_explored.py */
#include <curl/curl.h>

#include "tls/tls.h"

#ifdef MOTE_FOR_GNUTLS
static const curl_ssl_backend gnutls = {CURLSSLBACKEND_GNUTLS, "gnutls"};
static const curl_ssl_backend *const alias = &gnutls;
#else
static const curl_ssl_backend *const alias = NULL;
#endif

#define MOTE_SSL_OFFERED 8 /* TLS libraries, an alias, and the end */

/* What is built in, then the alias. Every call that asks for the list fills it with the same values. */
static const curl_ssl_backend *offered[MOTE_SSL_OFFERED];

static const curl_ssl_backend **offer(void)
{
  const curl_ssl_backend *b;
  unsigned n = 0;
  while(n < MOTE_SSL_OFFERED - 2 && (b = mote_tls_backend_at(n)) != NULL)
    offered[n++] = b;
  offered[n] = alias;
  return offered;
}

CURLsslset curl_global_sslset(curl_sslbackend id, const char *name, const curl_ssl_backend ***avail)
{
  if(avail)
    *avail = offer();
  if(alias && (id == alias->id || (name && curl_strequal(name, alias->name))))
    return CURLSSLSET_OK;
  return mote_tls_select(id, name);
}
