/* tls/mbedtls_stream.c: the TLS stream by mbedTLS: handshake, records, goodbye. */
#include <mbedtls/version.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "tls/blob.h"
#include "tls/common.h"
#include "tls/config.h"
#include "tls/der.h"
#include "tls/mbedtls.h"
#include "tls/pin.h"
#include "tls/trust.h"

#define FAILED_BELOW (-0x4c) /* as the library's own sockets say; t->below has the reason */

static const char *version(void)
{
  return "mbedTLS/" MBEDTLS_VERSION_STRING;
}

static void tls_close(struct mote_stream *s)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  mbedtls_ssl_free(&t->ssl);
  mbedtls_ssl_config_free(&t->conf);
  mote_mbedtls_client_free(t);
  mote_trust_release(t->trust);
  mote_mem_free(s->env->account, MOTE_PART_TLS, t, t->block);
}

/* ---- the stream below, as the library calls it ---- */

static int bio_send(void *arg, const unsigned char *buf, size_t len)
{
  struct mote_mbedtls *t = arg;
  struct mote_stream *below = t->stream.below;
  size_t n = 0;
  CURLcode rc = below->ops->send(below, buf, len, &n);
  if(!rc)
    return (int)n;
  if(rc == CURLE_AGAIN)
    return MBEDTLS_ERR_SSL_WANT_WRITE;
  t->below = rc;
  return FAILED_BELOW;
}

static int bio_recv(void *arg, unsigned char *buf, size_t len)
{
  struct mote_mbedtls *t = arg;
  struct mote_stream *below = t->stream.below;
  size_t n = 0;
  CURLcode rc = t->below_ended ? CURLE_OK : below->ops->recv(below, buf, len, &n);
  if(!rc) {
    t->below_ended = !n;
    return (int)n;
  }
  if(rc == CURLE_AGAIN)
    return MBEDTLS_ERR_SSL_WANT_READ;
  t->below = rc;
  return FAILED_BELOW;
}

static bool waits(int ret)
{
  return ret == MBEDTLS_ERR_SSL_WANT_READ || ret == MBEDTLS_ERR_SSL_WANT_WRITE;
}

/* Records that are under way. With bytes waiting the library sends these and does not look at what it is
 * given. CURLE_AGAIN: not all is gone. */
static CURLcode flush(struct mote_mbedtls *t)
{
  int ret;
  if(!t->ssl.out_left)
    return CURLE_OK;
  ret = mbedtls_ssl_write(&t->ssl, (const unsigned char *)"", 1);
  return ret > 0 ? CURLE_OK : waits(ret) ? CURLE_AGAIN : mote_mbedtls_failed(t, ret, CURLE_SEND_ERROR);
}

/* ---- the handshake ---- */

static CURLcode start(struct mote_mbedtls *t)
{
  int ret = mbedtls_ssl_setup(&t->ssl, &t->conf);
  if(!ret && !t->is_ip && t->text[0])
    ret = mbedtls_ssl_set_hostname(&t->ssl, t->text);
  if(ret)
    return mote_mbedtls_failed(t, ret, CURLE_SSL_CONNECT_ERROR);
  t->started = true;
  mbedtls_ssl_set_bio(&t->ssl, t, bio_send, bio_recv, NULL);
  mote_mbedtls_resume(t);
  return CURLE_OK;
}

static CURLcode check_pinned(const struct mote_mbedtls *t)
{
  const char *pinned = t->text + t->pinned_at;
  const mbedtls_x509_crt *peer = t->ssl.session->peer_cert;
  struct mote_der spki;
  if(!pinned[0] || !t->full)
    return CURLE_OK;
  if(!peer || !mote_der_spki(peer->raw.p, peer->raw.len, &spki)) {
    mote_fail(t->stream.env->report, "SSL: couldn't get peer certificate");
    return CURLE_SSL_PINNEDPUBKEYNOTMATCH;
  }
  return mote_tls_pin_check(pinned, spki.whole, spki.whole_len, t->stream.env->report);
}

static void tell_peer(const struct mote_mbedtls *t)
{
  struct mote_report *r = t->stream.env->report;
  const char *alpn = mbedtls_ssl_get_alpn_protocol(&t->ssl);
  mote_info(r, "SSL connection using TLSv1.2 / %s%s", mote_mbedtls_suite_name(t),
            t->full ? "" : " (resumed)");
  if(alpn)
    mote_info(r, "ALPN: server accepted %s", alpn);
  else
    mote_info(r, "ALPN: server did not agree on a protocol. Uses default.");
  if(t->verify_peer)
    mote_info(r, " SSL certificate verify ok.");
  else
    mote_info(r, " SSL certificate verify result: %d, continuing anyway.", (int)t->verify_result);
}

static CURLcode finish(struct mote_mbedtls *t, bool *done)
{
  CURLcode rc = check_pinned(t);
  if(rc) {
    t->dead = true;
    return rc;
  }
  if(!t->full && t->verify_peer)
    t->verify_result = 0; /* verified when the session was made */
  t->done = *done = true;
  tell_peer(t);
  if(t->ssl.session->peer_cert && !t->own_context)
    mbedtls_x509_crt_free(t->ssl.session->peer_cert); /* the library keeps it for nothing that we do */
  mote_mbedtls_keep(t);
  mote_mbedtls_client_free(t);
  mote_trust_release(t->trust);
  t->trust = NULL;
  return CURLE_OK;
}

static CURLcode handshake_broken(struct mote_mbedtls *t, int ret)
{
  if(t->below || t->refused || !t->below_ended)
    return mote_mbedtls_failed(t, ret, CURLE_SSL_CONNECT_ERROR);
  t->dead = true;
  mote_fail(t->stream.env->report, "TLS connect error: unexpected eof in connection to %s:%u", t->text,
            (unsigned)t->port);
  return CURLE_SSL_CONNECT_ERROR;
}

static CURLcode tls_handshake(struct mote_stream *s, bool *done)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  CURLcode rc = CURLE_OK;
  int ret;
  *done = t->done;
  if(t->done)
    return CURLE_OK;
  if(t->dead)
    return CURLE_SSL_CONNECT_ERROR;
  if(!t->started)
    rc = start(t);
  if(rc)
    return rc;
  ret = mbedtls_ssl_handshake(&t->ssl);
  if(!ret)
    return finish(t, done);
  return waits(ret) ? CURLE_OK : handshake_broken(t, ret);
}

/* ---- receiving ---- */

static CURLcode tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  CURLcode rc;
  int ret;
  *n = 0;
  if(t->dead)
    return CURLE_RECV_ERROR;
  if(t->ended)
    return CURLE_OK;
  rc = flush(t);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  do
    ret = mbedtls_ssl_read(&t->ssl, buf, cap);
  while(!ret && !t->below_ended); /* records without bytes */
  if(ret > 0) {
    *n = (size_t)ret;
    return CURLE_OK;
  }
  if(waits(ret))
    return CURLE_AGAIN;
  if(ret == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) {
    t->ended = true;
    return CURLE_OK;
  }
  if(ret)
    return mote_mbedtls_failed(t, ret, CURLE_RECV_ERROR);
  t->dead = t->truncated = true;
  mote_info(s->env->report, "TLS: the connection ended without close_notify (unexpected eof)");
  return CURLE_RECV_ERROR;
}

static bool tls_pending(const struct mote_stream *s)
{
  const struct mote_mbedtls *t = mote_mbedtls_of(s);
  if(t->done && !t->dead && !t->ended && mbedtls_ssl_check_pending(&t->ssl))
    return true;
  return s->below->ops->pending && s->below->ops->pending(s->below);
}

/* ---- sending ---- */

/* Bytes whose record is not gone are not told of: the caller comes with them again. */
static CURLcode tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  CURLcode rc;
  *n = 0;
  if(t->dead)
    return CURLE_SEND_ERROR;
  rc = flush(t);
  if(rc)
    return rc;
  *n = t->untold < len ? t->untold : len;
  t->untold = 0;
  while(*n < len) {
    size_t most = (size_t)mbedtls_ssl_get_max_out_record_payload(&t->ssl);
    size_t room = len - *n < most ? len - *n : most;
    int ret = mbedtls_ssl_write(&t->ssl, (const unsigned char *)buf + *n, room);
    if(ret <= 0 && !waits(ret))
      return mote_mbedtls_failed(t, ret, CURLE_SEND_ERROR);
    if(ret <= 0) {
      t->untold = (uint32_t)room;
      return *n ? CURLE_OK : CURLE_AGAIN;
    }
    *n += (size_t)ret;
  }
  return CURLE_OK;
}

static unsigned tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_mbedtls *t = mote_mbedtls_of(s);
  bool sending = t->ssl.out_left != 0;
  unsigned want = t->done ? interest : sending ? 0 : MOTE_WANT_IN;
  if(sending)
    want |= MOTE_WANT_OUT;
  return s->below->ops->want ? s->below->ops->want(s->below, want) : want;
}

/* With a record under way the library would send that and say that all is done. */
static CURLcode tls_shutdown(struct mote_stream *s, bool *done)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  int ret = 0;
  CURLcode rc;
  *done = true;
  if(!t->done || t->dead)
    return CURLE_OK;
  rc = flush(t);
  if(!rc && !t->said_goodbye) {
    ret = mbedtls_ssl_close_notify(&t->ssl);
    t->said_goodbye = true;
  }
  if(rc == CURLE_AGAIN || waits(ret))
    *done = false;
  else if(rc || ret) {
    t->dead = true;
    return CURLE_SSL_SHUTDOWN_FAILED;
  }
  return CURLE_OK;
}

static void tls_idle(struct mote_stream *s)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  t->cache = NULL;
  t->guard = NULL;
  if(s->below->ops->idle)
    s->below->ops->idle(s->below);
}

/* ---- what is asked of it ---- */

static void set_cache(struct mote_stream *s, struct mote_session_cache *cache,
                      const struct mote_session_guard *guard, void *arg)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  t->cache = t->session_cache ? cache : NULL;
  t->guard = guard;
  t->guard_arg = arg;
}

static bool was_truncated(const struct mote_stream *s)
{
  return mote_mbedtls_of(s)->truncated;
}

static const char *alpn(const struct mote_stream *s, size_t *len)
{
  const char *name = mbedtls_ssl_get_alpn_protocol(&mote_mbedtls_of(s)->ssl);
  *len = name ? strlen(name) : 0;
  return name;
}

static void get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  const struct mote_mbedtls *t = mote_mbedtls_of(s);
  out->version = "TLSv1.2";
  out->cipher = mote_mbedtls_suite_name(t);
  out->verify_result = t->verify_result;
  out->tls_id = 0x0303;
  out->resumed = t->done && !t->full;
}

static void *context(const struct mote_stream *s)
{
  return (void *)(uintptr_t)&mote_mbedtls_of(s)->ssl;
}

static const struct mote_tls_ops tls_ops = {
  .stream = {
    .name = "tls",
    .handshake = tls_handshake,
    .recv = tls_recv,
    .send = tls_send,
    .want = tls_want,
    .pending = tls_pending,
    .shutdown = tls_shutdown,
    .idle = tls_idle,
    .close = tls_close,
  },
  .backend = &mote_tls_mbedtls,
  .set_cache = set_cache,
  .truncated = was_truncated,
  .alpn = alpn,
  .get_info = get_info,
  .ssl_ptr = context,
  .ctx_ptr = context,
};

/* ---- making one ---- */

static CURLcode set_up(struct mote_mbedtls *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->stream.env->report;
  CURLcode rc = mote_mbedtls_configure(t, cfg);
  if(!rc)
    rc = mote_tls_bundle_open(&t->trust, cfg, r);
  if(!rc)
    rc = mote_mbedtls_client_cert(t, cfg);
  if(!rc && strlen(t->text) > MBEDTLS_SSL_MAX_HOST_NAME_LEN) {
    mote_fail(r, "Failed set SNI");
    rc = CURLE_SSL_CONNECT_ERROR;
  }
  if(rc)
    return rc;
  mote_mbedtls_name_session(t, cfg);
  if(cfg->alpn)
    mote_info(r, "ALPN: offers %s", cfg->alpn);
  if(t->trust)
    mote_info(r, " CAfile: %s", cfg->ca_blob.ptr ? "(memory blob)" : cfg->ca_file);
  if(!cfg->ctx_function)
    return CURLE_OK;
  t->own_context = true;
  rc = cfg->ctx_function(cfg->easy, &t->conf, cfg->ctx_data);
  if(rc)
    mote_fail(r, "error signaled by ssl ctx callback");
  return rc;
}

/* Host, pinned key and protocols follow the struct. */
static struct mote_mbedtls *allocate(struct mote_stream_env *env, const struct mote_tls_config *cfg,
                                     const char *host, size_t host_len)
{
  size_t pinned_len = cfg->pinned_key ? strlen(cfg->pinned_key) : 0;
  size_t alpn_len = cfg->alpn ? strlen(cfg->alpn) : 0;
  size_t size = sizeof(struct mote_mbedtls) + host_len + pinned_len + alpn_len + 3;
  struct mote_mbedtls *t = mote_mem_zalloc(env->account, MOTE_PART_TLS, size);
  if(!t)
    return NULL;
  t->block = (uint32_t)size;
  t->pinned_at = (uint32_t)host_len + 1;
  t->alpn_at = (uint32_t)(t->pinned_at + pinned_len + 1);
  memcpy(t->text, host, host_len);
  if(pinned_len)
    memcpy(t->text + t->pinned_at, cfg->pinned_key, pinned_len);
  if(alpn_len)
    memcpy(t->text + t->alpn_at, cfg->alpn, alpn_len);
  return t;
}

static CURLcode connect_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                            const struct mote_tls_config *cfg, const char *host, uint16_t port,
                            struct mote_session_cache *cache)
{
  size_t host_len = mote_tls_bare_host(&host);
  struct mote_mbedtls *t = allocate(env, cfg, host, host_len);
  struct mote_tls_config resolved;
  CURLcode rc;
  *out = NULL;
  if(!t)
    return CURLE_OUT_OF_MEMORY;
  mote_mbedtls_hook_memory();
  mbedtls_ssl_init(&t->ssl);
  mbedtls_ssl_config_init(&t->conf);
  t->stream.ops = &tls_ops.stream;
  t->stream.below = below;
  t->stream.env = env;
  t->port = port;
  t->verify_result = 1;
  t->verify_peer = cfg->verify_peer;
  t->verify_host = cfg->verify_host;
  t->is_ip = mote_tls_host_is_ip(t->text);
  mote_tls_config_resolve(&resolved, cfg);
  rc = set_up(t, &resolved);
  if(rc) {
    tls_close(&t->stream);
    return rc;
  }
  set_cache(&t->stream, cache, NULL, NULL);
  *out = &t->stream;
  return CURLE_OK;
}

/* The bundle's index is made; it stays until mote_tls_cleanup(). */
static CURLcode prepare(const struct mote_tls_config *cfg, struct mote_report *report)
{
  struct mote_stream_env env = {.report = report, .account = mote_mem_process()};
  struct mote_stream *s;
  CURLcode rc = connect_new(&s, NULL, &env, cfg, "", 0, NULL);
  if(!rc)
    tls_close(s);
  return rc;
}

const struct mote_tls_backend mote_tls_mbedtls = {
  .id = {CURLSSLBACKEND_MBEDTLS, "mbedtls"},
  .version = version,
  .connect_new = connect_new,
  .prepare = prepare,
  .cleanup = mote_tls_bundle_cleanup,
};
