/* tls/bearssl_stream.c: the TLS stream by BearSSL: handshake, records, goodbye. */
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "port/port.h"
#include "tls/bearssl.h"
#include "tls/blob.h"
#include "tls/common.h"
#include "tls/config.h"
#include "tls/der.h"
#include "tls/pin.h"
#include "tls/trust.h"

#define SEED 32   /* bytes of entropy */
#define SMALL (MOTE_BEARSSL_SMALL - 88) /* bytes that are sent without the large buffer */

static const char *version(void)
{
  return "BearSSL/0.6";
}

static void tls_close(struct mote_stream *s)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  mote_bearssl_peer_free(t);
  mote_bearssl_client_free(t);
  mote_bearssl_free_buffers(t);
  mote_trust_release(t->trust);
  mote_tls_wipe(&t->cc, sizeof t->cc);
  mote_mem_free(s->env->account, MOTE_PART_TLS, t, t->block);
}

static bool is_closed(const struct mote_bearssl *t)
{
  return br_ssl_engine_current_state(&t->cc.eng) == BR_SSL_CLOSED;
}

/* ---- the handshake ---- */

static CURLcode start(struct mote_bearssl *t)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  uint8_t seed[SEED];
  CURLcode rc = mote_port_random(seed, sizeof seed);
  if(!rc)
    rc = mote_bearssl_peer_new(t);
  if(!rc)
    rc = mote_bearssl_first_buffers(t);
  if(rc)
    return rc;
  t->started = true;
  br_ssl_engine_inject_entropy(eng, seed, sizeof seed);
  eng->rng_os_rand_done = 1; /* the port's entropy is all there is */
  mote_tls_wipe(seed, sizeof seed);
  mote_bearssl_resume(t);
  if(br_ssl_client_reset(&t->cc, t->is_ip || !t->text[0] ? NULL : t->text, t->offered_len != 0))
    return CURLE_OK;
  return mote_bearssl_failed(t, CURLE_SSL_CONNECT_ERROR);
}

static CURLcode check_pinned(const struct mote_bearssl *t)
{
  const char *pinned = t->text + t->pinned_at;
  struct mote_der spki;
  if(!pinned[0] || !t->full)
    return CURLE_OK;
  if(!t->peer->own || !mote_der_spki(t->peer->own, t->peer->own_len, &spki)) {
    mote_fail(t->stream.env->report, "SSL: couldn't get peer certificate");
    return CURLE_SSL_PINNEDPUBKEYNOTMATCH;
  }
  return mote_tls_pin_check(pinned, spki.whole, spki.whole_len, t->stream.env->report);
}

static void tell_peer(const struct mote_bearssl *t)
{
  struct mote_report *r = t->stream.env->report;
  const char *alpn = br_ssl_engine_get_selected_protocol((br_ssl_engine_context *)(uintptr_t)&t->cc.eng);
  mote_info(r, "SSL connection using TLSv1.2 / %s%s",
            mote_bearssl_suite_name(t->cc.eng.session.cipher_suite), t->full ? "" : " (resumed)");
  if(alpn)
    mote_info(r, "ALPN: server accepted %s", alpn);
  else
    mote_info(r, "ALPN: server did not agree on a protocol. Uses default.");
  if(t->verify_peer)
    mote_info(r, " SSL certificate verify ok.");
  else
    mote_info(r, " SSL certificate verify result: %d, continuing anyway.", (int)t->verify_result);
}

static CURLcode finish(struct mote_bearssl *t, bool *done)
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
  mote_bearssl_keep(t);
  mote_bearssl_peer_free(t);
  mote_bearssl_client_free(t);
  mote_trust_release(t->trust);
  t->trust = NULL;
  mote_bearssl_drop(t);
  return CURLE_OK;
}

static CURLcode handshake_broken(struct mote_bearssl *t, CURLcode rc)
{
  t->dead = true;
  if(t->below || !t->below_ended)
    return rc;
  mote_fail(t->stream.env->report, "TLS connect error: unexpected eof in connection to %s:%u", t->text,
            (unsigned)t->port);
  return CURLE_SSL_CONNECT_ERROR;
}

static CURLcode tls_handshake(struct mote_stream *s, bool *done)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  CURLcode rc = CURLE_OK;
  size_t n;
  *done = t->done;
  if(t->done)
    return CURLE_OK;
  if(t->dead)
    return CURLE_SSL_CONNECT_ERROR;
  if(!t->started)
    rc = start(t);
  while(!rc) {
    rc = mote_bearssl_flush(t);
    if(rc)
      break;
    if(is_closed(t))
      return mote_bearssl_failed(t, CURLE_SSL_CONNECT_ERROR);
    if(br_ssl_engine_sendapp_buf(&t->cc.eng, &n))
      return finish(t, done);
    rc = mote_bearssl_feed(t);
  }
  return rc == CURLE_AGAIN ? CURLE_OK : handshake_broken(t, rc);
}

/* ---- receiving ---- */

/* The transport has ended, or failed. */
static CURLcode ended(struct mote_bearssl *t, CURLcode rc)
{
  if(rc == CURLE_AGAIN) {
    mote_bearssl_drop(t);
    return rc;
  }
  t->dead = true;
  if(!t->below && t->below_ended) {
    t->truncated = true;
    mote_info(t->stream.env->report, "TLS: the connection ended without close_notify (unexpected eof)");
  }
  return rc;
}

static CURLcode tls_peek(struct mote_stream *s, const void **bytes, size_t *len)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  br_ssl_engine_context *eng = &t->cc.eng;
  CURLcode rc;
  *len = 0;
  *bytes = NULL;
  if(t->dead)
    return CURLE_RECV_ERROR;
  for(;;) {
    rc = mote_bearssl_flush(t);
    if(rc && rc != CURLE_AGAIN)
      return ended(t, rc);
    *bytes = br_ssl_engine_recvapp_buf(eng, len);
    if(*bytes)
      return CURLE_OK;
    if(br_ssl_engine_last_error(eng))
      return mote_bearssl_failed(t, CURLE_RECV_ERROR);
    if(eng->shutdown_recv || is_closed(t))
      return CURLE_OK;
    rc = mote_bearssl_feed(t);
    if(rc)
      return ended(t, rc);
  }
}

static void tls_consume(struct mote_stream *s, size_t n)
{
  br_ssl_engine_recvapp_ack(&mote_bearssl_of(s)->cc.eng, n);
}

static CURLcode tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  const void *bytes;
  CURLcode rc = tls_peek(s, &bytes, n);
  if(rc || !*n)
    return rc;
  if(*n > cap)
    *n = cap;
  memcpy(buf, bytes, *n);
  tls_consume(s, *n);
  return CURLE_OK;
}

static bool tls_pending(const struct mote_stream *s)
{
  const struct mote_bearssl *t = mote_bearssl_of(s);
  size_t n;
  if(t->done && !t->dead && (t->ahead_len || br_ssl_engine_recvapp_buf(&t->cc.eng, &n)))
    return true;
  return s->below->ops->pending && s->below->ops->pending(s->below);
}

/* ---- sending ---- */

/* A record of these bytes, and as much of it on its way as the transport takes. Bytes whose record is not
 * gone are not told of: the caller comes with them again. */
static CURLcode send_record(struct mote_bearssl *t, const char *bytes, size_t len, size_t *n)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  size_t room;
  unsigned char *p = br_ssl_engine_sendapp_buf(eng, &room);
  CURLcode rc;
  if(!p)
    return mote_bearssl_failed(t, CURLE_SEND_ERROR);
  if(room > len)
    room = len;
  memcpy(p, bytes, room);
  br_ssl_engine_sendapp_ack(eng, room);
  br_ssl_engine_flush(eng, 0);
  t->untold = (uint32_t)room;
  rc = mote_bearssl_flush(t);
  if(rc)
    return rc;
  *n += room;
  t->untold = 0;
  return CURLE_OK;
}

static CURLcode tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  CURLcode rc;
  *n = 0;
  if(t->dead)
    return CURLE_SEND_ERROR;
  rc = mote_bearssl_flush(t);
  if(!rc) {
    *n = t->untold < len ? t->untold : len;
    t->untold = 0;
    if(len - *n > SMALL)
      mote_bearssl_send_large(t);
  }
  while(!rc && *n < len)
    rc = send_record(t, (const char *)buf + *n, len - *n, n);
  if(rc && rc != CURLE_AGAIN) {
    t->dead = true;
    return rc;
  }
  return *n ? CURLE_OK : rc;
}

static unsigned tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_bearssl *t = mote_bearssl_of(s);
  size_t n;
  bool sending = br_ssl_engine_sendrec_buf(&t->cc.eng, &n) != NULL;
  unsigned want = t->done ? interest : sending ? 0 : MOTE_WANT_IN;
  if(sending)
    want |= MOTE_WANT_OUT;
  return s->below->ops->want ? s->below->ops->want(s->below, want) : want;
}

static CURLcode tls_shutdown(struct mote_stream *s, bool *done)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  CURLcode rc;
  *done = true;
  if(!t->done || t->dead)
    return CURLE_OK;
  br_ssl_engine_close(&t->cc.eng);
  rc = mote_bearssl_flush(t);
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
  struct mote_bearssl *t = mote_bearssl_of(s);
  t->cache = NULL;
  t->guard = NULL;
  if(t->done && !t->dead)
    mote_bearssl_drop(t);
  if(s->below->ops->idle)
    s->below->ops->idle(s->below);
}

/* ---- what is asked of it ---- */

static void set_cache(struct mote_stream *s, struct mote_session_cache *cache,
                      const struct mote_session_guard *guard, void *arg)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  t->cache = t->session_cache ? cache : NULL;
  t->guard = guard;
  t->guard_arg = arg;
}

static bool was_truncated(const struct mote_stream *s)
{
  return mote_bearssl_of(s)->truncated;
}

static const char *alpn(const struct mote_stream *s, size_t *len)
{
  br_ssl_client_context *cc = (br_ssl_client_context *)(uintptr_t)&mote_bearssl_of(s)->cc;
  const char *name = br_ssl_engine_get_selected_protocol(&cc->eng);
  *len = name ? strlen(name) : 0;
  return name;
}

static void get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  const struct mote_bearssl *t = mote_bearssl_of(s);
  out->version = "TLSv1.2";
  out->cipher = mote_bearssl_suite_name(t->cc.eng.session.cipher_suite);
  out->verify_result = t->verify_result;
  out->tls_id = BR_TLS12;
  out->resumed = t->done && !t->full;
}

/* libcurl's manual has no type for CURLINFO_TLS_SSL_PTR with BearSSL; CURLOPT_SSL_CTX_FUNCTION's is this. */
static void *context(const struct mote_stream *s)
{
  return (void *)(uintptr_t)&mote_bearssl_of(s)->cc;
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
    .peek = tls_peek,
    .consume = tls_consume,
  },
  .backend = &mote_tls_bearssl,
  .set_cache = set_cache,
  .truncated = was_truncated,
  .alpn = alpn,
  .get_info = get_info,
  .ssl_ptr = context,
  .ctx_ptr = context,
};

/* ---- making one ---- */

/* "h2,http/1.1": the names are cut apart where they lie. */
static void offer_protocols(struct mote_bearssl *t, char *list)
{
  uint16_t n = 0;
  while(*list && n < MOTE_BEARSSL_ALPN) {
    size_t len = strcspn(list, ",");
    bool last = !list[len];
    list[len] = 0;
    t->alpn[n++] = list;
    list += len + !last;
  }
  if(n)
    br_ssl_engine_set_protocol_names(&t->cc.eng, t->alpn, n);
}

static CURLcode set_up(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->stream.env->report;
  CURLcode rc = mote_bearssl_algorithms(t, cfg);
  if(!rc)
    rc = mote_bearssl_trust(t, cfg);
  if(!rc)
    rc = mote_bearssl_client_cert(t, cfg);
  if(!rc && t->cc.eng.server_name[0] == 0 && strlen(t->text) >= sizeof t->cc.eng.server_name) {
    mote_fail(r, "Failed set SNI");
    rc = CURLE_SSL_CONNECT_ERROR;
  }
  if(rc)
    return rc;
  mote_bearssl_name_session(t, cfg);
  if(cfg->alpn)
    mote_info(r, "ALPN: offers %s", cfg->alpn);
  if(t->trust)
    mote_info(r, " CAfile: %s", cfg->ca_blob.ptr ? "(memory blob)" : cfg->ca_file);
  if(!cfg->ctx_function)
    return CURLE_OK;
  rc = cfg->ctx_function(cfg->easy, &t->cc, cfg->ctx_data);
  if(rc)
    mote_fail(r, "error signaled by ssl ctx callback");
  return rc;
}

/* Host, pinned key and protocols follow the struct. */
static struct mote_bearssl *allocate(struct mote_stream_env *env, const struct mote_tls_config *cfg,
                                     const char *host, size_t host_len)
{
  size_t pinned_len = cfg->pinned_key ? strlen(cfg->pinned_key) : 0;
  size_t alpn_len = cfg->alpn ? strlen(cfg->alpn) : 0;
  size_t size = sizeof(struct mote_bearssl) + host_len + pinned_len + alpn_len + 3;
  struct mote_bearssl *t = mote_mem_zalloc(env->account, MOTE_PART_TLS, size);
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
  struct mote_bearssl *t = allocate(env, cfg, host, host_len);
  struct mote_tls_config resolved;
  CURLcode rc;
  *out = NULL;
  if(!t)
    return CURLE_OUT_OF_MEMORY;
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
  offer_protocols(t, t->text + t->alpn_at);
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

const struct mote_tls_backend mote_tls_bearssl = {
  .id = {CURLSSLBACKEND_BEARSSL, "bearssl"},
  .version = version,
  .connect_new = connect_new,
  .prepare = prepare,
  .cleanup = mote_tls_bundle_cleanup,
};
