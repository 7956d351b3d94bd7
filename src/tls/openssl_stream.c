/* tls/openssl_stream.c: the TLS stream: handshake, records, goodbye.
 *
 * Record buffers (17 KB each way) exist only while a record is under way: whenever reading has taken all that
 * the transport had and no record is half read, they are given back. */
#include <limits.h>
#include <openssl/err.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "tls/config.h"
#include "tls/openssl.h"

#define ALPN_MAX 128       /* bytes of the wire form; three names take 30 */
#define SMALL_FRAGMENT 2048 /* bytes of a record that we send while no more than that is to be sent: the
                               buffer is small then, above all for handshakes and tickets */
#define LARGE_FRAGMENT SSL3_RT_MAX_PLAIN_LENGTH

/* ---- making and closing ---- */

/* "h2,http/1.1" to RFC 7301's list: each name after its length. 0: too long, or an empty name. */
static unsigned alpn_wire(const char *text, unsigned char wire[ALPN_MAX])
{
  size_t len = 0;
  while(*text) {
    size_t n = strcspn(text, ",");
    if(!n || n > 255 || len + 1 + n > ALPN_MAX)
      return 0;
    wire[len++] = (unsigned char)n;
    memcpy(wire + len, text, n);
    len += n;
    text += n;
    text += *text == ',';
  }
  return (unsigned)len;
}

/* Only while there is no send buffer: one that was made for small records stays small. */
static void set_fragment(struct mote_tls_stream *t, uint16_t size)
{
  if(t->ctx->own)
    return; /* the application may have its own wish */
  (void)SSL_set_max_send_fragment(t->ssl, size);
  (void)SSL_set_split_send_fragment(t->ssl, size);
  t->fragment = size;
}

static CURLcode set_up_ssl(struct mote_tls_stream *t, const struct mote_tls_config *cfg)
{
  unsigned char wire[ALPN_MAX];
  unsigned wire_len = cfg->alpn ? alpn_wire(cfg->alpn, wire) : 0;
  BIO *bio;
  t->ssl = SSL_new(t->ctx->ssl_ctx);
  bio = t->ssl ? mote_openssl_bio(t) : NULL;
  if(!bio)
    return CURLE_OUT_OF_MEMORY;
  SSL_set_bio(t->ssl, bio, bio);
  set_fragment(t, SMALL_FRAGMENT);
  SSL_set_connect_state(t->ssl);
  if(wire_len && SSL_set_alpn_protos(t->ssl, wire, wire_len))
    return CURLE_OUT_OF_MEMORY;
  if(!t->is_ip && t->host[0] && SSL_set_tlsext_host_name(t->ssl, t->host) != 1) {
    mote_fail(t->stream.env->report, "Failed set SNI");
    return CURLE_SSL_CONNECT_ERROR;
  }
  return CURLE_OK;
}

static void tls_close(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  SSL_free(t->ssl);
  if(t->ctx)
    mote_tls_ctx_release(t->ctx);
  mote_mem_free(s->env->account, MOTE_PART_TLS, t, t->block);
}

/* ---- what went wrong ---- */

/* A client certificate was asked for and not given, or not liked (RFC 8446 section 6.2). */
static bool wants_certificate(unsigned long e)
{
  return ERR_GET_LIB(e) == ERR_LIB_SSL && ERR_GET_REASON(e) == SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED;
}

static CURLcode verify_failed(struct mote_tls_stream *t)
{
  ERR_clear_error();
  if(t->verdict)
    return t->verdict; /* told already */
  mote_fail(t->stream.env->report, "SSL certificate problem: %s",
            X509_verify_cert_error_string(t->verify_result));
  return CURLE_PEER_FAILED_VERIFICATION;
}

static CURLcode handshake_failed(struct mote_tls_stream *t)
{
  unsigned long e = ERR_peek_error();
  unsigned long last = ERR_peek_last_error();
  char text[MOTE_OPENSSL_ERROR];
  t->dead = true;
  if(t->below) /* told by the stream below */
    return t->below;
  if(ERR_GET_REASON(e) == ERR_R_MALLOC_FAILURE) {
    ERR_clear_error();
    return CURLE_OUT_OF_MEMORY;
  }
  if(ERR_GET_LIB(last) == ERR_LIB_SSL && ERR_GET_REASON(last) == SSL_R_CERTIFICATE_VERIFY_FAILED)
    return verify_failed(t);
  if(t->below_ended) {
    ERR_clear_error();
    mote_fail(t->stream.env->report, "TLS connect error: unexpected eof in connection to %s:%u", t->host,
              (unsigned)t->port);
    return CURLE_SSL_CONNECT_ERROR;
  }
  mote_fail(t->stream.env->report, "%s: %s", mote_openssl_version(), mote_openssl_error(text));
  return wants_certificate(e) ? CURLE_SSL_CLIENTCERT : CURLE_SSL_CONNECT_ERROR;
}

/* After SSL_read or SSL_write gave `result`. */
static CURLcode io_failed(struct mote_tls_stream *t, int result, CURLcode code)
{
  int why = SSL_get_error(t->ssl, result);
  unsigned long e = ERR_peek_error();
  char text[MOTE_OPENSSL_ERROR];
  if(why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
    return CURLE_AGAIN;
  t->dead = true;
  if(t->below)
    return t->below;
  if(t->below_ended) {
    t->truncated = true;
    ERR_clear_error();
    mote_info(t->stream.env->report, "TLS: the connection ended without close_notify (unexpected eof)");
    return code;
  }
  mote_fail(t->stream.env->report, "OpenSSL %s: %s", code == CURLE_SEND_ERROR ? "SSL_write" : "SSL_read",
            mote_openssl_error(text));
  return wants_certificate(e) ? CURLE_SSL_CLIENTCERT : code;
}

/* ---- memory ---- */

/* true: there are none now. */
static bool drop_buffers(struct mote_tls_stream *t)
{
  return mote_openssl_at_boundary(t) && !SSL_has_pending(t->ssl) && SSL_free_buffers(t->ssl) == 1;
}

/* What the handshake leaves and nobody asks for again: its buffers, the certificates above the peer's own. */
static void drop_leftovers(struct mote_tls_stream *t)
{
  STACK_OF(X509) *chain = SSL_get_peer_cert_chain(t->ssl);
  drop_buffers(t);
  while(!t->ctx->own && !t->ctx->certinfo && chain && sk_X509_num(chain) > 1)
    X509_free(sk_X509_pop(chain));
}

static void tls_idle(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  t->cache = NULL;
  t->guard = NULL;
  if(t->done && !t->dead)
    drop_buffers(t);
  if(s->below->ops->idle)
    s->below->ops->idle(s->below);
}

/* ---- the ops ---- */

static CURLcode tls_handshake(struct mote_stream *s, bool *done)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  CURLcode rc;
  int result;
  int why;
  *done = t->done;
  if(t->done)
    return CURLE_OK;
  if(t->dead)
    return CURLE_SSL_CONNECT_ERROR;
  if(SSL_get_state(t->ssl) == TLS_ST_BEFORE)
    mote_openssl_resume(t);
  ERR_clear_error();
  result = SSL_connect(t->ssl);
  if(result != 1) {
    why = SSL_get_error(t->ssl, result);
    if(why == SSL_ERROR_WANT_READ)
      (void)drop_buffers(t); /* many may be waiting at once for a busy server */
    else if(why != SSL_ERROR_WANT_WRITE && why != SSL_ERROR_WANT_RETRY_VERIFY)
      return handshake_failed(t);
    return CURLE_OK;
  }
  rc = mote_openssl_check_peer(t);
  ERR_clear_error();
  if(rc) {
    t->dead = true;
    return rc;
  }
  t->done = *done = true;
  mote_openssl_keep(t);
  drop_leftovers(t);
  return CURLE_OK;
}

static CURLcode tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  CURLcode rc;
  int got;
  *n = 0;
  if(t->dead)
    return CURLE_RECV_ERROR;
  ERR_clear_error();
  got = SSL_read(t->ssl, buf, cap > INT_MAX ? INT_MAX : (int)cap);
  t->recv_wants_out = got <= 0 && SSL_want_write(t->ssl);
  if(got > 0) {
    *n = (size_t)got;
    if(t->read_short)
      drop_buffers(t);
    return CURLE_OK;
  }
  if(SSL_get_error(t->ssl, got) == SSL_ERROR_ZERO_RETURN)
    return CURLE_OK;
  rc = io_failed(t, got, CURLE_RECV_ERROR);
  if(rc == CURLE_AGAIN && !t->recv_wants_out)
    drop_buffers(t);
  return rc;
}

static CURLcode tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  uint16_t fragment = len > SMALL_FRAGMENT ? LARGE_FRAGMENT : SMALL_FRAGMENT;
  int put;
  *n = 0;
  if(t->dead)
    return CURLE_SEND_ERROR;
  if(!t->ctx->own && fragment != t->fragment && drop_buffers(t))
    set_fragment(t, fragment);
  ERR_clear_error();
  put = SSL_write(t->ssl, buf, len > INT_MAX ? INT_MAX : (int)len);
  t->send_wants_in = put <= 0 && SSL_want_read(t->ssl);
  if(put <= 0)
    return io_failed(t, put, CURLE_SEND_ERROR);
  *n = (size_t)put;
  if(put < LARGE_FRAGMENT) /* no more is coming at once */
    drop_buffers(t);
  return CURLE_OK;
}

static unsigned tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_tls_stream *t = mote_tls_of(s);
  unsigned want = 0;
  if(!t->done) {
    if(SSL_want(t->ssl) == SSL_RETRY_VERIFY)
      return 0;
    want = SSL_want_write(t->ssl) ? MOTE_WANT_OUT : MOTE_WANT_IN;
  }
  else {
    if(interest & MOTE_WANT_IN)
      want |= t->recv_wants_out ? MOTE_WANT_OUT : MOTE_WANT_IN;
    if(interest & MOTE_WANT_OUT)
      want |= t->send_wants_in ? MOTE_WANT_IN : MOTE_WANT_OUT;
  }
  return s->below->ops->want ? s->below->ops->want(s->below, want) : want;
}

static bool tls_pending(const struct mote_stream *s)
{
  const struct mote_tls_stream *t = mote_tls_of(s);
  if(t->done && !t->dead && SSL_has_pending(t->ssl))
    return true;
  return s->below->ops->pending && s->below->ops->pending(s->below);
}

static CURLcode tls_shutdown(struct mote_stream *s, bool *done)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  int result;
  *done = true;
  if(!t->done || t->dead)
    return CURLE_OK;
  ERR_clear_error();
  result = SSL_shutdown(t->ssl);
  if(result >= 0)
    return CURLE_OK;
  if(SSL_get_error(t->ssl, result) == SSL_ERROR_WANT_WRITE) {
    *done = false;
    return CURLE_OK;
  }
  t->dead = true;
  ERR_clear_error();
  return CURLE_SSL_SHUTDOWN_FAILED;
}

static void set_cache(struct mote_stream *tls, struct mote_session_cache *cache,
                      const struct mote_session_guard *guard, void *arg)
{
  struct mote_tls_stream *t = mote_tls_of(tls);
  t->cache = t->session_cache && t->ctx->resumes ? cache : NULL;
  t->guard = guard;
  t->guard_arg = arg;
}

static bool was_truncated(const struct mote_stream *tls)
{
  return mote_tls_of(tls)->truncated;
}

/* ---- the back end ---- */

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
  .backend = &mote_tls_openssl,
  .set_cache = set_cache,
  .truncated = was_truncated,
  .alpn = mote_openssl_alpn,
  .get_info = mote_openssl_get_info,
  .certinfo = mote_openssl_certinfo,
  .ssl_ptr = mote_openssl_ssl_ptr,
  .ctx_ptr = mote_openssl_ctx_ptr,
};

static CURLcode connect_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                            const struct mote_tls_config *cfg, const char *host, uint16_t port,
                            struct mote_session_cache *cache)
{
  size_t host_len = mote_tls_bare_host(&host);
  struct mote_tls_stream *t = mote_mem_zalloc(env->account, MOTE_PART_TLS, sizeof *t + host_len + 1);
  struct mote_tls_config resolved;
  CURLcode rc;
  *out = NULL;
  if(!t)
    return CURLE_OUT_OF_MEMORY;
  t->block = (uint32_t)(sizeof *t + host_len + 1);
  t->stream.ops = &tls_ops.stream;
  t->stream.below = below;
  t->stream.env = env;
  t->port = port;
  t->session_cache = cfg->session_cache;
  t->verify_result = 1; /* nothing was verified yet: X509_V_ERR_UNSPECIFIED */
  memcpy(t->host, host, host_len);
  t->is_ip = mote_tls_host_is_ip(t->host);
  mote_tls_config_resolve(&resolved, cfg);
  rc = mote_tls_ctx_get(&t->ctx, &resolved, env->report);
  if(!rc)
    rc = set_up_ssl(t, cfg);
  if(rc) {
    tls_close(&t->stream);
    return rc;
  }
  set_cache(&t->stream, cache, NULL, NULL);
  mote_openssl_tell_offer(t, &resolved);
  *out = &t->stream;
  return CURLE_OK;
}

const struct mote_tls_backend mote_tls_openssl = {
  .id = {CURLSSLBACKEND_OPENSSL, "openssl"},
  .version = mote_openssl_version,
  .connect_new = connect_new,
  .prepare = mote_openssl_prepare,
  .cleanup = mote_openssl_cleanup,
};
