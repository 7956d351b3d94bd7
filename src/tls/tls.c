/* tls/tls.c: what is asked of a stream goes to the TLS library that made it. */
#include "tls/tls.h"

#include "base/list.h"
#include "base/memory.h"
#include "tls/backend.h"

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
  return mote_tls_serving()->id.id;
}

const char *mote_tls_version(void)
{
  return mote_tls_serving()->version();
}

CURLcode mote_tls_connect_new(struct mote_stream **out, struct mote_stream *below,
                              struct mote_stream_env *env, const struct mote_tls_config *cfg,
                              const char *host, uint16_t port, struct mote_session_cache *cache)
{
  return mote_tls_settle()->connect_new(out, below, env, cfg, host, port, cache);
}

CURLcode mote_tls_prepare(const struct mote_tls_config *cfg, struct mote_report *report)
{
  return mote_tls_settle()->prepare(cfg, report);
}

void mote_tls_cleanup(void)
{
  const struct mote_tls_backend *b = mote_tls_used();
  if(b)
    b->cleanup();
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
