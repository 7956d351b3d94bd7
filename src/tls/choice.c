/* tls/choice.c: which TLS library serves the process: the one that the application or the environment
 * chose, or else the first of the build. */
#include <stdatomic.h>

#include "base/text.h"
#include "port/env.h"
#include "tls/backend.h"
#include "tls/tls.h"

static _Atomic(const struct mote_tls_backend *) chosen; /* NULL: none was */
static atomic_bool in_use;                              /* a stream was made: too late to choose */

/* The library that CURL_SSL_BACKEND names, in any case, where there are several (libcurl-env(3)); or NULL. */
static const struct mote_tls_backend *named_by_environment(void)
{
  const struct mote_tls_backend *const *b = mote_tls_backends;
  const char *name = b[1] ? mote_port_getenv("CURL_SSL_BACKEND") : NULL;
  if(!name)
    return NULL;
  while(*b && !mote_equal_nocase(name, (*b)->id.name))
    b++;
  return *b;
}

const struct mote_tls_backend *mote_tls_serving(void)
{
  const struct mote_tls_backend *b = atomic_load_explicit(&chosen, memory_order_acquire);
  if(!b)
    b = named_by_environment();
  return b ? b : mote_tls_backends[0];
}

const struct mote_tls_backend *mote_tls_used(void)
{
  return atomic_load(&in_use) ? mote_tls_serving() : NULL;
}

/* What the environment names is remembered, because the application may change it while streams exist. */
const struct mote_tls_backend *mote_tls_settle(void)
{
  const struct mote_tls_backend *none = NULL;
  const struct mote_tls_backend *b;
  if(atomic_load_explicit(&in_use, memory_order_relaxed))
    return mote_tls_serving();
  b = named_by_environment();
  if(b)
    (void)atomic_compare_exchange_strong(&chosen, &none, b);
  atomic_store(&in_use, true);
  return mote_tls_serving();
}

CURLsslset mote_tls_select(curl_sslbackend id, const char *name)
{
  const struct mote_tls_backend *const *b;
  for(b = mote_tls_backends; *b; b++)
    if((*b)->id.id == id || (name && mote_equal_nocase(name, (*b)->id.name)))
      break;
  if(!*b)
    return CURLSSLSET_UNKNOWN_BACKEND;
  if(*b != mote_tls_serving() && atomic_load(&in_use))
    return CURLSSLSET_TOO_LATE;
  atomic_store_explicit(&chosen, *b, memory_order_release);
  return CURLSSLSET_OK;
}
