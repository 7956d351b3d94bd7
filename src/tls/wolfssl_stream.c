/* tls/wolfssl_stream.c: the TLS stream by wolfSSL: handshake, records, goodbye. */
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "tls/common.h"
#include "tls/config.h"
#include "tls/trust.h"
#include "tls/wolfssl.h"

#include <wolfssl/wolfcrypt/ecc.h>

static void tls_close(struct mote_stream *s)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  wolfSSL_free(t->ssl);
  wolfSSL_CTX_free(t->ctx);
  mote_wolfssl_leave();
  mote_trust_release(t->trust);
  mote_mem_free(s->env->account, MOTE_PART_TLS, t->queue, t->queue_size);
  mote_mem_free(s->env->account, MOTE_PART_TLS, t, t->block);
}

/* ---- what went wrong ---- */

static const char *alert_text(int alert)
{
  const char *text = wolfSSL_alert_desc_string_long(alert);
  return text ? text : "alert";
}

/* wolfSSL gave up with `error`: told, as `otherwise` unless there is a better code. */
static CURLcode failed(struct mote_wolfssl *t, int error, CURLcode otherwise)
{
  struct mote_report *r = t->stream.env->report;
  WOLFSSL_ALERT_HISTORY alerts;
  t->dead = true;
  wolfSSL_ERR_clear_error();
  if(t->rc)
    return t->rc; /* told */
  if(t->below)
    return t->below;
  if(mote_wolfssl_refusals() != t->refusals || error == MEMORY_E || error == MEMORY_ERROR)
    return CURLE_OUT_OF_MEMORY;
  if(t->below_ended && !t->done)
    mote_fail(r, "TLS connect error: unexpected eof in connection to %s:%u", t->text, (unsigned)t->port);
  else if(wolfSSL_get_alert_history(t->ssl, &alerts) == WOLFSSL_SUCCESS &&
          alerts.last_rx.level == alert_fatal)
    mote_fail(r, "wolfSSL: the server refused: %s (%d)", alert_text(alerts.last_rx.code),
              alerts.last_rx.code);
  else
    mote_fail(r, "wolfSSL: %s (%d)", wolfSSL_ERR_reason_error_string((unsigned long)error), error);
  return otherwise;
}

/* ---- the handshake ---- */

static void tell_peer(const struct mote_wolfssl *t)
{
  struct mote_report *r = t->stream.env->report;
  unsigned short len = 0;
  char *name = NULL;
  mote_info(r, "SSL connection using %s / %s%s", wolfSSL_get_version(t->ssl), wolfSSL_get_cipher_name(t->ssl),
            t->checked ? "" : " (resumed)");
  if(wolfSSL_ALPN_GetProtocol(t->ssl, &name, &len) == WOLFSSL_SUCCESS)
    mote_info(r, "ALPN: server accepted %.*s", (int)len, name);
  else
    mote_info(r, "ALPN: server did not agree on a protocol. Uses default.");
  if(t->verify_peer)
    mote_info(r, " SSL certificate verify ok.");
  else
    mote_info(r, " SSL certificate verify result: %d, continuing anyway.", (int)t->verify_result);
}

static CURLcode finish(struct mote_wolfssl *t, bool *done)
{
  if(!t->checked && !(t->offered && wolfSSL_session_reused(t->ssl))) {
    t->dead = true;
    mote_fail(t->stream.env->report, "SSL certificate problem: the server sent none");
    return CURLE_PEER_FAILED_VERIFICATION;
  }
  if(!t->checked)
    t->verify_result = t->verify_peer ? 0 : 20; /* verified when the session was made */
  t->done = *done = true;
  mote_trust_release(t->trust);
  t->trust = NULL;
  tell_peer(t);
  if(wolfSSL_version(t->ssl) < TLS1_3_VERSION || t->ticket)
    mote_wolfssl_keep(t);
  wolfSSL_ERR_clear_error();
  return CURLE_OK;
}

static CURLcode broken(struct mote_wolfssl *t, CURLcode rc)
{
  t->dead = true;
  return rc;
}

static CURLcode tls_handshake(struct mote_stream *s, bool *done)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc;
  int error;
  int ret;
  *done = t->done;
  if(t->done)
    return CURLE_OK;
  if(t->dead)
    return CURLE_SSL_CONNECT_ERROR;
  rc = mote_wolfssl_flush(t);
  if(rc)
    return rc == CURLE_AGAIN ? CURLE_OK : broken(t, rc);
  if(!t->started)
    mote_wolfssl_resume(t);
  t->started = true;
  t->refusals = mote_wolfssl_refusals();
  ret = wolfSSL_connect(t->ssl);
  wc_ecc_fp_free(); /* see wolfssl_verify.c */
  if(ret == WOLFSSL_SUCCESS)
    return finish(t, done);
  error = wolfSSL_get_error(t->ssl, ret);
  if(error != WOLFSSL_ERROR_WANT_READ)
    return failed(t, error, CURLE_SSL_CONNECT_ERROR);
  wolfSSL_ERR_clear_error();
  return CURLE_OK;
}

/* ---- receiving ---- */

static CURLcode ended(struct mote_wolfssl *t)
{
  t->dead = true;
  t->truncated = true;
  wolfSSL_ERR_clear_error();
  mote_info(t->stream.env->report, "TLS: the connection ended without close_notify (unexpected eof)");
  return CURLE_RECV_ERROR;
}

static CURLcode tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc;
  int error;
  int ret;
  *n = 0;
  if(t->dead)
    return CURLE_RECV_ERROR;
  rc = mote_wolfssl_flush(t);
  if(rc && rc != CURLE_AGAIN)
    return broken(t, rc);
  t->refusals = mote_wolfssl_refusals();
  ret = wolfSSL_read(t->ssl, buf, cap > INT32_MAX ? INT32_MAX : (int)cap);
  if(t->ticket)
    mote_wolfssl_keep(t);
  if(ret > 0) {
    *n = (size_t)ret;
    return CURLE_OK;
  }
  error = wolfSSL_get_error(t->ssl, ret);
  if(error == WOLFSSL_ERROR_WANT_READ) {
    wolfSSL_ERR_clear_error();
    return CURLE_AGAIN;
  }
  if(error == WOLFSSL_ERROR_ZERO_RETURN || wolfSSL_get_shutdown(t->ssl) & WOLFSSL_RECEIVED_SHUTDOWN)
    return CURLE_OK;
  if(t->below_ended && !t->below)
    return ended(t);
  return failed(t, error, CURLE_RECV_ERROR);
}

static bool tls_pending(const struct mote_stream *s)
{
  const struct mote_wolfssl *t = mote_wolfssl_of(s);
  if(t->done && !t->dead && wolfSSL_pending(t->ssl) > 0)
    return true;
  return s->below->ops->pending && s->below->ops->pending(s->below);
}

/* ---- sending ---- */

/* Bytes whose record is not gone are not told of: the caller comes with them again. */
static CURLcode send_record(struct mote_wolfssl *t, const char *bytes, size_t len, size_t *n)
{
  CURLcode rc;
  int ret;
  if(len > MOTE_WOLFSSL_SEND)
    len = MOTE_WOLFSSL_SEND;
  t->refusals = mote_wolfssl_refusals();
  ret = wolfSSL_write(t->ssl, bytes, (int)len);
  if(ret <= 0)
    return failed(t, wolfSSL_get_error(t->ssl, ret), CURLE_SEND_ERROR);
  t->untold = (uint32_t)ret;
  rc = mote_wolfssl_flush(t);
  if(rc)
    return rc;
  *n += t->untold;
  t->untold = 0;
  return CURLE_OK;
}

static CURLcode tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc;
  *n = 0;
  if(t->dead)
    return CURLE_SEND_ERROR;
  rc = mote_wolfssl_flush(t);
  if(!rc) {
    *n = t->untold < len ? t->untold : len;
    t->untold = 0;
  }
  while(!rc && *n < len)
    rc = send_record(t, (const char *)buf + *n, len - *n, n);
  if(rc && rc != CURLE_AGAIN)
    return broken(t, rc);
  return *n ? CURLE_OK : rc;
}

static unsigned tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_wolfssl *t = mote_wolfssl_of(s);
  unsigned want = t->done ? interest : t->queue ? 0 : MOTE_WANT_IN;
  if(t->queue)
    want |= MOTE_WANT_OUT;
  return s->below->ops->want ? s->below->ops->want(s->below, want) : want;
}

static CURLcode tls_shutdown(struct mote_stream *s, bool *done)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc;
  *done = true;
  if(!t->done || t->dead)
    return CURLE_OK;
  if(!(wolfSSL_get_shutdown(t->ssl) & WOLFSSL_SENT_SHUTDOWN))
    (void)wolfSSL_shutdown(t->ssl);
  wolfSSL_ERR_clear_error();
  rc = t->below ? t->below : mote_wolfssl_flush(t);
  if(rc == CURLE_AGAIN)
    *done = false;
  else if(rc) {
    t->dead = true;
    return CURLE_SSL_SHUTDOWN_FAILED;
  }
  return CURLE_OK;
}

static void tls_idle(struct mote_stream *s)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  t->cache = NULL;
  t->guard = NULL;
  if(s->below->ops->idle)
    s->below->ops->idle(s->below);
}

/* ---- what is asked of it ---- */

static void set_cache(struct mote_stream *s, struct mote_session_cache *cache,
                      const struct mote_session_guard *guard, void *arg)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  t->cache = t->session_cache ? cache : NULL;
  t->guard = guard;
  t->guard_arg = arg;
}

static bool was_truncated(const struct mote_stream *s)
{
  return mote_wolfssl_of(s)->truncated;
}

static const char *alpn(const struct mote_stream *s, size_t *len)
{
  unsigned short n = 0;
  char *name = NULL;
  if(wolfSSL_ALPN_GetProtocol(mote_wolfssl_of(s)->ssl, &name, &n) != WOLFSSL_SUCCESS)
    name = NULL;
  *len = name ? n : 0;
  return name;
}

static void get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  const struct mote_wolfssl *t = mote_wolfssl_of(s);
  out->version = wolfSSL_get_version(t->ssl);
  out->cipher = wolfSSL_get_cipher_name(t->ssl);
  out->verify_result = t->verify_result;
  out->tls_id = wolfSSL_version(t->ssl);
  out->resumed = t->done && !t->checked;
}

static void *ssl_ptr(const struct mote_stream *s)
{
  return mote_wolfssl_of(s)->ssl;
}

static void *ctx_ptr(const struct mote_stream *s)
{
  return mote_wolfssl_of(s)->ctx;
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
  .backend = &mote_tls_wolfssl,
  .set_cache = set_cache,
  .truncated = was_truncated,
  .alpn = alpn,
  .get_info = get_info,
  .ssl_ptr = ssl_ptr,
  .ctx_ptr = ctx_ptr,
};

/* ---- making one ---- */

static int ticket_came(WOLFSSL *ssl, const unsigned char *ticket, int len, void *arg)
{
  struct mote_wolfssl *t = arg;
  (void)ssl;
  (void)ticket;
  (void)len;
  t->ticket = true;
  return 0;
}

static CURLcode make_ssl(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  t->ssl = wolfSSL_new(t->ctx);
  if(!t->ssl)
    return CURLE_OUT_OF_MEMORY;
  wolfSSL_SetIOReadCtx(t->ssl, t);
  wolfSSL_SetIOWriteCtx(t->ssl, t);
  wolfSSL_SetCertCbCtx(t->ssl, t);
  wolfSSL_set_SessionTicket_cb(t->ssl, ticket_came, t);
  if(wolfSSL_UseSessionTicket(t->ssl) != WOLFSSL_SUCCESS)
    return CURLE_OUT_OF_MEMORY;
  if(!t->is_ip && wolfSSL_UseSNI(t->ssl, WOLFSSL_SNI_HOST_NAME, t->text, (unsigned short)strlen(t->text)) !=
                  WOLFSSL_SUCCESS) {
    mote_fail(t->stream.env->report, "Failed set SNI");
    return CURLE_SSL_CONNECT_ERROR;
  }
  if(cfg->alpn && wolfSSL_UseALPN(t->ssl, (char *)(uintptr_t)cfg->alpn, (unsigned)strlen(cfg->alpn),
                                  WOLFSSL_ALPN_CONTINUE_ON_MISMATCH) != WOLFSSL_SUCCESS) {
    mote_fail(t->stream.env->report, "failed to set ALPN: %s", cfg->alpn);
    return CURLE_SSL_CONNECT_ERROR;
  }
  return CURLE_OK;
}

static CURLcode set_up(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->stream.env->report;
  CURLcode rc = mote_wolfssl_context(t, cfg);
  if(!rc)
    rc = mote_tls_bundle_open(&t->trust, cfg, r);
  if(!rc)
    rc = mote_wolfssl_client_cert(t, cfg);
  if(rc)
    return rc;
  mote_wolfssl_name_session(t, cfg);
  if(cfg->alpn)
    mote_info(r, "ALPN: offers %s", cfg->alpn);
  if(t->trust)
    mote_info(r, " CAfile: %s", cfg->ca_blob.ptr ? "(memory blob)" : cfg->ca_file);
  if(cfg->ctx_function) {
    rc = cfg->ctx_function(cfg->easy, t->ctx, cfg->ctx_data);
    if(rc) {
      mote_fail(r, "error signaled by ssl ctx callback");
      return rc;
    }
  }
  return make_ssl(t, cfg);
}

/* Host and pinned key follow the struct. */
static struct mote_wolfssl *allocate(struct mote_stream_env *env, const struct mote_tls_config *cfg,
                                     const char *host, size_t host_len)
{
  size_t pinned_len = cfg->pinned_key ? strlen(cfg->pinned_key) : 0;
  size_t size = sizeof(struct mote_wolfssl) + host_len + pinned_len + 2;
  struct mote_wolfssl *t = mote_mem_zalloc(env->account, MOTE_PART_TLS, size);
  if(!t)
    return NULL;
  t->block = (uint32_t)size;
  t->pinned_at = (uint32_t)host_len + 1;
  memcpy(t->text, host, host_len);
  if(pinned_len)
    memcpy(t->text + t->pinned_at, cfg->pinned_key, pinned_len);
  return t;
}

static CURLcode connect_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                            const struct mote_tls_config *cfg, const char *host, uint16_t port,
                            struct mote_session_cache *cache)
{
  size_t host_len = mote_tls_bare_host(&host);
  unsigned refusals = mote_wolfssl_refusals();
  struct mote_wolfssl *t = allocate(env, cfg, host, host_len);
  struct mote_tls_config resolved;
  CURLcode rc;
  *out = NULL;
  if(!t)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_wolfssl_enter();
  if(rc) {
    mote_mem_free(env->account, MOTE_PART_TLS, t, t->block);
    return rc;
  }
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
    return mote_wolfssl_refusals() != refusals ? CURLE_OUT_OF_MEMORY : rc;
  }
  set_cache(&t->stream, cache, NULL, NULL);
  *out = &t->stream;
  return CURLE_OK;
}

/* The library is initialised and the bundle's index made; both stay until mote_tls_cleanup(). */
static CURLcode prepare(const struct mote_tls_config *cfg, struct mote_report *report)
{
  struct mote_stream_env env = {.report = report, .account = mote_mem_process()};
  struct mote_stream *s;
  CURLcode rc = connect_new(&s, NULL, &env, cfg, "", 0, NULL);
  if(!rc)
    tls_close(s);
  return rc;
}

static void cleanup(void)
{
  mote_tls_bundle_cleanup();
  mote_wolfssl_end();
}

const struct mote_tls_backend mote_tls_wolfssl = {
  .id = {CURLSSLBACKEND_WOLFSSL, "wolfssl"},
  .version = mote_wolfssl_version,
  .connect_new = connect_new,
  .prepare = prepare,
  .cleanup = cleanup,
};
