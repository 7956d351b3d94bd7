/* tls/mbedtls_memory.c: the library's memory. It frees without a size, so each block begins with its own. */
#include "tls/mbedtls.h"

#include <mbedtls/platform.h>

#if defined(MBEDTLS_PLATFORM_MEMORY) && !defined(MBEDTLS_PLATFORM_FREE_MACRO) && \
  !defined(MBEDTLS_PLATFORM_CALLOC_MACRO)

#include "base/memory.h"

union head {
  size_t size;
  max_align_t align;
};

static void *take(size_t n, size_t each)
{
  union head *h = NULL;
  if(!each || n <= (SIZE_MAX - sizeof *h) / each)
    h = mote_mem_zalloc(mote_mem_process(), MOTE_PART_TLS, sizeof *h + n * each);
  if(!h)
    return NULL;
  h->size = sizeof *h + n * each;
  return h + 1;
}

static void give_back(void *p)
{
  if(p) {
    union head *h = (union head *)p - 1;
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, h, h->size);
  }
}

/* Every stream says the same: no lock, nothing to remember. */
void mote_mbedtls_hook_memory(void)
{
  (void)mbedtls_platform_set_calloc_free(take, give_back);
}

#else

void mote_mbedtls_hook_memory(void)
{
}

#endif
