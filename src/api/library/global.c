/* api/library/global.c: curl_global_init(3), curl_global_init_mem(3), curl_global_cleanup(3),
 * curl_global_trace(3). Initialisation allocates nothing; the first TLS connection initialises the TLS
 * library. */
#include <stdatomic.h>

#include <curl/curl.h>

#include "api/library/global.h"
#include "base/memory.h"
#include "base/memory/block.h"
#include "tls/tls.h"

static atomic_int users;

CURLcode curl_global_init(long flags)
{
  (void)flags;
  atomic_fetch_add(&users, 1);
  return CURLE_OK;
}

bool mote_global_used(void)
{
  return atomic_load(&users) > 0;
}

CURLcode curl_global_init_mem(long flags, curl_malloc_callback m, curl_free_callback f,
                              curl_realloc_callback r, curl_strdup_callback s, curl_calloc_callback c)
{
  struct mote_allocator a = {.malloc_fn = m, .free_fn = f, .realloc_fn = r};
  if(!m || !f || !r || !s || !c)
    return CURLE_FAILED_INIT;
  /* The first initialisation chooses the allocator for all (curl_global_init_mem(3)). */
  if(!mote_global_used())
    mote_mem_set_allocator(&a);
  return curl_global_init(flags);
}

void curl_global_cleanup(void)
{
  int n = atomic_load(&users);
  while(n > 0 && !atomic_compare_exchange_weak(&users, &n, n - 1))
    ;
  /* n is 0 when the application called curl_easy_init() without curl_global_init(). */
  if(n <= 1) {
    mote_tls_cleanup();
    (void)mote_block_close();
  }
}

/* There are no log lines of components to switch on. Their names are accepted, since libcurl accepts names
 * that it does not know. CURLOPT_VERBOSE does not depend on them. */
CURLcode curl_global_trace(const char *config)
{
  (void)config;
  return CURLE_OK;
}
