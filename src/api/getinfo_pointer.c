/* api/getinfo_pointer.c: structs and lists. */
#include "api/getinfo.h"
#include "net/conn.h"
#include "tls/tls.h"
#include "transfer/info.h"

CURLcode mote_info_no_list(struct mote_easy *e, void **out)
{
  (void)e;
  *out = NULL;
  return CURLE_OK;
}

CURLcode mote_info_certinfo(struct mote_easy *e, void **out)
{
  static const struct curl_certinfo none = {0};
  const struct mote_info *kept = e->t.run ? e->t.run->info : NULL;
  const struct curl_certinfo *info = kept ? kept->certinfo : NULL;
  *out = (void *)(uintptr_t)(info ? info : &none);
  return CURLE_OK;
}

/* Without a TLS connection the back end is told all the same: one constant answer for each. */
static const struct curl_tlssessioninfo *no_session(void)
{
  static const struct curl_tlssessioninfo none[] = {
    {.backend = CURLSSLBACKEND_NONE},
    {.backend = CURLSSLBACKEND_OPENSSL},
    {.backend = CURLSSLBACKEND_MBEDTLS},
    {.backend = CURLSSLBACKEND_BEARSSL},
    {.backend = CURLSSLBACKEND_WOLFSSL},
  };
  curl_sslbackend wanted = mote_tls_backend();
  size_t i;
  for(i = 1; i < sizeof none / sizeof none[0]; i++)
    if(none[i].backend == wanted)
      return &none[i];
  return &none[0];
}

static struct mote_stream *tls_of(const struct mote_easy *e)
{
  return e->t.run && e->t.run->conn ? e->t.run->conn->tls : NULL;
}

static CURLcode session(struct mote_easy *e, bool ctx, void **out)
{
  struct mote_stream *tls = tls_of(e);
  struct curl_tlssessioninfo *s;
  struct mote_info *kept;
  if(!tls) {
    *out = (void *)(uintptr_t)no_session();
    return CURLE_OK;
  }
  kept = mote_info_need(&e->t);
  if(!kept)
    return CURLE_OUT_OF_MEMORY;
  s = ctx ? &kept->tls_ctx : &kept->tls_ssl;
  s->backend = mote_tls_backend_of(tls);
  s->internals = ctx ? mote_tls_ctx_ptr(tls) : mote_tls_ssl_ptr(tls);
  *out = s;
  return CURLE_OK;
}

CURLcode mote_info_tls_ssl(struct mote_easy *e, void **out)
{
  return session(e, false, out);
}

CURLcode mote_info_tls_ctx(struct mote_easy *e, void **out)
{
  return session(e, true, out);
}
