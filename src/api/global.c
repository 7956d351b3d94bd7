/* api/global.c: curl_global_init(3) and its kin. The library takes nothing at its start; TLS is initialised
 * by the first TLS connection. */
#include <stdatomic.h>

#include <curl/curl.h>

#include "api/ssl_alias.h"
#include "base/memory.h"
#include "tls/tls.h"

#define MOTE_SSL_OFFERED 8 /* TLS libraries, an alias, and the end */

static atomic_int users;

CURLcode curl_global_init(long flags)
{
  (void)flags;
  atomic_fetch_add(&users, 1);
  return CURLE_OK;
}

CURLcode curl_global_init_mem(long flags, curl_malloc_callback m, curl_free_callback f,
                              curl_realloc_callback r, curl_strdup_callback s, curl_calloc_callback c)
{
  struct mote_allocator a = {.malloc_fn = m, .free_fn = f, .realloc_fn = r, .calloc_fn = c};
  if(!m || !f || !r || !s || !c)
    return CURLE_FAILED_INIT;
  /* The first one to initialise decides (curl_global_init_mem(3)). */
  if(!atomic_load(&users))
    mote_mem_set_allocator(&a);
  return curl_global_init(flags);
}

void curl_global_cleanup(void)
{
  int n = atomic_load(&users);
  while(n > 0 && !atomic_compare_exchange_weak(&users, &n, n - 1))
    ;
  /* n is 0 after curl_easy_init() without curl_global_init(). */
  if(n <= 1)
    mote_tls_cleanup();
}

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
