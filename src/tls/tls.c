/* tls/tls.c: which TLS library serves; what is asked of a stream goes to the one that made it. */
#include "tls/tls.h"

#include <stdatomic.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text.h"
#include "tls/backend.h"

static _Atomic(const struct mote_tls_backend *) chosen; /* NULL: the first */
static atomic_bool in_use;                              /* a stream was made: nothing is chosen any more */

static const struct mote_tls_backend *serving(void)
{
  const struct mote_tls_backend *b = atomic_load_explicit(&chosen, memory_order_acquire);
  if(!b)
    b = mote_tls_by_env();
  return b ? b : mote_tls_backends[0];
}

/* From the first stream on it stays the same, whatever becomes of the environment. */
static void settle(void)
{
  const struct mote_tls_backend *none = NULL;
  const struct mote_tls_backend *b;
  if(atomic_load_explicit(&in_use, memory_order_relaxed))
    return;
  b = mote_tls_by_env();
  if(b)
    (void)atomic_compare_exchange_strong(&chosen, &none, b);
  atomic_store(&in_use, true);
}

CURLsslset mote_tls_select(curl_sslbackend id, const char *name)
{
  const struct mote_tls_backend *const *b;
  for(b = mote_tls_backends; *b; b++)
    if((*b)->id.id == id || (name && mote_equal_nocase(name, (*b)->id.name)))
      break;
  if(!*b)
    return CURLSSLSET_UNKNOWN_BACKEND;
  if(*b != serving() && atomic_load(&in_use))
    return CURLSSLSET_TOO_LATE;
  atomic_store_explicit(&chosen, *b, memory_order_release);
  return CURLSSLSET_OK;
}

const curl_ssl_backend *mote_tls_backend_at(unsigned i)
{
  return mote_tls_backends[i] ? &mote_tls_backends[i]->id : NULL;
}

const char *mote_tls_version_at(unsigned i)
{
  return mote_tls_backends[i]->version();
}

curl_sslbackend mote_tls_backend(void)
{
  return serving()->id.id;
}

const char *mote_tls_version(void)
{
  return serving()->version();
}

CURLcode mote_tls_connect_new(struct mote_stream **out, struct mote_stream *below,
                              struct mote_stream_env *env, const struct mote_tls_config *cfg,
                              const char *host, uint16_t port, struct mote_session_cache *cache)
{
  settle();
  return serving()->connect_new(out, below, env, cfg, host, port, cache);
}

CURLcode mote_tls_prepare(const struct mote_tls_config *cfg, struct mote_report *report)
{
  settle();
  return serving()->prepare(cfg, report);
}

void mote_tls_cleanup(void)
{
  if(atomic_load(&in_use))
    serving()->cleanup();
}

/* ---- of a stream ---- */

static const struct mote_tls_ops *ops_of(const struct mote_stream *tls)
{
  return mote_container_of(tls->ops, const struct mote_tls_ops, stream);
}

curl_sslbackend mote_tls_backend_of(const struct mote_stream *tls)
{
  return ops_of(tls)->backend->id.id;
}

void mote_tls_set_cache(struct mote_stream *tls, struct mote_session_cache *cache,
                        const struct mote_session_guard *guard, void *arg)
{
  ops_of(tls)->set_cache(tls, cache, guard, arg);
}

bool mote_tls_truncated(const struct mote_stream *tls)
{
  return ops_of(tls)->truncated(tls);
}

const char *mote_tls_alpn(const struct mote_stream *tls, size_t *len)
{
  return ops_of(tls)->alpn(tls, len);
}

void mote_tls_get_info(const struct mote_stream *tls, struct mote_tls_info *out)
{
  ops_of(tls)->get_info(tls, out);
}

CURLcode mote_tls_certinfo(const struct mote_stream *tls, struct mote_account *account,
                           struct curl_certinfo **out)
{
  *out = NULL;
  return ops_of(tls)->certinfo ? ops_of(tls)->certinfo(tls, account, out) : CURLE_OK;
}

void mote_tls_certinfo_free(struct mote_account *account, struct curl_certinfo *info)
{
  if(info) {
    struct mote_tls_certinfo_block *b = mote_container_of(info, struct mote_tls_certinfo_block, info);
    mote_mem_free(account, MOTE_PART_TLS, b, b->size);
  }
}

void *mote_tls_ssl_ptr(const struct mote_stream *tls)
{
  return ops_of(tls)->ssl_ptr(tls);
}

void *mote_tls_ctx_ptr(const struct mote_stream *tls)
{
  return ops_of(tls)->ctx_ptr(tls);
}
