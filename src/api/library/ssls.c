/* api/library/ssls.c: export of TLS sessions from the cache and import (curl_easy_ssls_export(3),
 * curl_easy_ssls_import(3)).
 *
 * The cache is the one that a transfer of the handle would use, be it the share's, the multi's or the
 * handle's own. Both functions refuse to be called by the export callback, since it runs while the cache is
 * walked, and a shared one is locked.
 *
 * Tests: tests/unit/api/test_ssls.c, tests/e2e/test_tls.py */
#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "port/port.h"
#include "tls/session.h"
#include "transfer/callback.h"
#include "transfer/multi/share.h"

/* NULL: the handle has had no transfer, and so has no cache yet. */
static struct mote_session_cache *cache_of(const struct mote_easy *e)
{
  struct mote_multi *m = mote_easy_multi(e);
  if(e->t.share && e->t.share->sessions)
    return e->t.share->sessions;
  return m ? &m->sessions : NULL;
}

static CURLcode ssls_enter(CURL *curl, struct mote_easy **out)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(mote_easy_in_callback(e)) /* of another handle as well, whose cache this one's may be */
    return CURLE_RECURSIVE_API_CALL;
  *out = e;
  return CURLE_OK;
}

CURLcode curl_easy_ssls_export(CURL *curl, curl_ssls_export_cb *export_fn, void *userptr)
{
  struct mote_session_cache *cache;
  struct mote_callback_guard guard;
  struct mote_easy *e;
  CURLcode rc = ssls_enter(curl, &e);
  if(rc)
    return rc;
  if(!export_fn)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  cache = cache_of(e);
  if(!cache)
    return CURLE_OK;
  mote_share_lock(&e->t, CURL_LOCK_DATA_SSL_SESSION);
  guard = mote_callback_enter(&e->t);
  rc = mote_session_export(cache, mote_port_wall(), curl, export_fn, userptr);
  mote_callback_leave(&e->t, guard);
  mote_share_unlock(&e->t, CURL_LOCK_DATA_SSL_SESSION);
  return rc;
}

CURLcode curl_easy_ssls_import(CURL *curl, const char *session_key, const unsigned char *shmac,
                               size_t shmac_len, const unsigned char *sdata, size_t sdata_len)
{
  const struct mote_session_export from = {
    session_key, {(const char *)shmac, shmac_len}, {(const char *)sdata, sdata_len}};
  struct mote_easy *e;
  CURLcode rc = ssls_enter(curl, &e);
  if(rc)
    return rc;
  if(!cache_of(e)) /* the first transfer will use the private multi, whose cache is filled now */
    e->own = mote_multi_make(true);
  if(!cache_of(e))
    return CURLE_OUT_OF_MEMORY;
  mote_share_lock(&e->t, CURL_LOCK_DATA_SSL_SESSION);
  rc = mote_session_import(cache_of(e), &from, mote_port_wall());
  mote_share_unlock(&e->t, CURL_LOCK_DATA_SSL_SESSION);
  return rc;
}
