/* tls/wolfssl/wolfssl_library.c: the library in the process: memory and entropy are ours, it is initialised
 * by the first stream. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <wolfssl/options.h>

#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/cryptocb.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/memory.h>

#include "base/memory.h"
#include "port/lock.h"
#include "port/port.h"
#include "tls/wolfssl/wolfssl.h"

static struct {
  struct mote_mutex lock;
  unsigned streams;
  bool ready;
  char version[32];
} library;
static atomic_uint refusals;

unsigned mote_wolfssl_refusals(void)
{
  return atomic_load_explicit(&refusals, memory_order_relaxed);
}

/* ---- memory: its free() has no size, ours wants one ---- */

union head {
  size_t size; /* with the head */
  max_align_t align;
};

static void *wolfssl_library_allocate(size_t size)
{
  union head *h = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, sizeof *h + size);
  if(!h) {
    atomic_fetch_add(&refusals, 1);
    return NULL;
  }
  h->size = sizeof *h + size;
  return h + 1;
}

static void wolfssl_library_release(void *p)
{
  union head *h = p;
  if(!p)
    return;
  h--;
  mote_mem_free(mote_mem_process(), MOTE_PART_TLS, h, h->size);
}

static void *reallocate(void *p, size_t size)
{
  union head *h = p;
  if(!p)
    return wolfssl_library_allocate(size);
  h--;
  h = mote_mem_realloc(mote_mem_process(), MOTE_PART_TLS, h, h->size, sizeof *h + size);
  if(!h) {
    atomic_fetch_add(&refusals, 1);
    return NULL;
  }
  h->size = sizeof *h + size;
  return h + 1;
}

/* ---- entropy ---- */

static int entropy(int device, wc_CryptoInfo *info, void *arg)
{
  CURLcode rc;
  (void)device;
  (void)arg;
  if(info->algo_type == WC_ALGO_TYPE_SEED)
    rc = mote_port_random(info->seed.seed, info->seed.sz);
  else if(info->algo_type == WC_ALGO_TYPE_RNG)
    rc = mote_port_random(info->rng.out, info->rng.sz);
  else
    return CRYPTOCB_UNAVAILABLE;
  return rc ? RNG_FAILURE_E : 0;
}

/* ---- its life ---- */

static CURLcode initialise(void)
{
  if(wolfSSL_SetAllocators(wolfssl_library_allocate, wolfssl_library_release, reallocate))
    return CURLE_SSL_CONNECT_ERROR;
  if(wolfSSL_Init() != WOLFSSL_SUCCESS) {
    (void)wolfSSL_Cleanup();
    return CURLE_OUT_OF_MEMORY;
  }
  if(wc_CryptoCb_RegisterDevice(MOTE_WOLFSSL_DEVICE, entropy, NULL)) {
    (void)wolfSSL_Cleanup();
    return CURLE_SSL_CONNECT_ERROR;
  }
  library.ready = true;
  return CURLE_OK;
}

CURLcode mote_wolfssl_enter(void)
{
  CURLcode rc = CURLE_OK;
  mote_port_lock(&library.lock);
  if(!library.ready)
    rc = initialise();
  if(!rc)
    library.streams++;
  mote_port_unlock(&library.lock);
  return rc;
}

void mote_wolfssl_leave(void)
{
  wolfSSL_ERR_clear_error();
  mote_port_lock(&library.lock);
  library.streams--;
  mote_port_unlock(&library.lock);
}

void mote_wolfssl_end(void)
{
  mote_port_lock(&library.lock);
  if(library.ready && !library.streams) {
    wc_CryptoCb_UnRegisterDevice(MOTE_WOLFSSL_DEVICE);
    (void)wolfSSL_Cleanup();
    library.ready = false;
  }
  mote_port_unlock(&library.lock);
}

const char *mote_wolfssl_version(void)
{
  mote_port_lock(&library.lock);
  if(!library.version[0]) {
    const char *number = wolfSSL_lib_version();
    size_t len = strlen(number);
    if(len > sizeof library.version - 9)
      len = sizeof library.version - 9;
    memcpy(library.version, "wolfSSL/", 8);
    memcpy(library.version + 8, number, len);
  }
  mote_port_unlock(&library.lock);
  return library.version;
}
