/* api/sslset.c: curl_global_sslset(3). */
#include <stdint.h>

#include <curl/curl.h>

#include "api/ssl_alias.h"
#include "tls/tls.h"

#define MOTE_SSL_OFFERED 8 /* TLS libraries, an alias, and the end */

/* What is built in, then the name that this library answers to besides; filled by the first to ask, always
 * with the same. */
static const curl_ssl_backend *offered[MOTE_SSL_OFFERED];

static const curl_ssl_backend **offer(void)
{
  const curl_ssl_backend *b;
  unsigned n = 0;
  while(n < MOTE_SSL_OFFERED - 2 && (b = mote_tls_backend_at(n)) != NULL)
    offered[n++] = b;
  offered[n] = mote_ssl_alias;
  return offered;
}

CURLsslset curl_global_sslset(curl_sslbackend id, const char *name, const curl_ssl_backend ***avail)
{
  const curl_ssl_backend *alias = mote_ssl_alias;
  if(avail)
    *avail = offer();
  if(alias && (id == alias->id || (name && curl_strequal(name, alias->name))))
    return CURLSSLSET_OK; /* whatever library serves */
  return mote_tls_select(id, name);
}
