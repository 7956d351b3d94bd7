/* tls/by_env.c: the TLS library that the environment names. */
#include "base/text.h"
#include "port/env.h"
#include "tls/backend.h"

const struct mote_tls_backend *mote_tls_by_env(void)
{
  const struct mote_tls_backend *const *b = mote_tls_backends;
  const char *name = b[1] ? mote_port_getenv("CURL_SSL_BACKEND") : NULL;
  if(!name)
    return NULL;
  while(*b && !mote_equal_nocase(name, (*b)->id.name))
    b++;
  return *b;
}
