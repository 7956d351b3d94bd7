/* tls/choice_none.c: the first TLS library serves (without part tls_choice). */
#include "base/text.h"
#include "tls/backend.h"
#include "tls/tls.h"

CURLsslset mote_tls_select(curl_sslbackend id, const char *name)
{
  const curl_ssl_backend *first = &mote_tls_backends[0]->id;
  bool same = first->id == id || (name && mote_equal_nocase(name, first->name));
  return same ? CURLSSLSET_OK : CURLSSLSET_UNKNOWN_BACKEND;
}
