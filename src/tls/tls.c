/* tls/tls.c: the TLS libraries of the build, and streams by any of them: making one, passing on what is
 * asked of it, and what all do alike. */
#include "tls/tls.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "base/report.h"
#include "tls/backend.h"
#include "tls/config.h"
#include "tls/x509/hostname.h"
#include "tls/x509/pin.h"

const curl_ssl_backend *mote_tls_backend_at(unsigned i)
{
  return mote_tls_backends[i] ? &mote_tls_backends[i]->id : NULL;
}

#define OFFERED_MAX 8 /* TLS libraries, an alias, and the end */

const curl_ssl_backend **mote_tls_offered(const curl_ssl_backend *alias)
{
  static const curl_ssl_backend *offered[OFFERED_MAX];
  const curl_ssl_backend *b;
  unsigned n = 0;
  while(n < OFFERED_MAX - 2 && (b = mote_tls_backend_at(n)) != NULL)
    offered[n++] = b;
  offered[n] = alias;
  return offered;
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

static bool is_tls(const struct mote_stream *s)
{
  return s->role == MOTE_ROLE_TLS || s->role == MOTE_ROLE_PROXY_TLS;
}

static struct mote_tls_head *head_of(struct mote_stream *tls)
{
  return mote_container_of(tls, struct mote_tls_head, stream);
}

static void use_cache(struct mote_tls_head *t, struct mote_session_cache *cache,
                      const struct mote_session_guard *guard, void *arg)
{
  t->cache = t->session_cache ? cache : NULL;
  t->guard = guard;
  t->guard_arg = arg;
}

/* Allocates a stream with its head and its texts. */
static struct mote_tls_head *tls_tls_allocate(const struct mote_tls_backend *b, struct mote_account *account,
                                              const struct mote_tls_config *cfg, struct mote_slice host)
{
  const char *pinned = b->keeps ? mote_tls_pin_text(cfg->pinned_key) : "";
  const char *alpn = b->keeps && cfg->alpn ? cfg->alpn : "";
  size_t pinned_size = strlen(pinned) + 1;
  size_t alpn_size = strlen(alpn) + 1;
  size_t size = b->texts_at + host.len + 1 + pinned_size + alpn_size;
  struct mote_tls_head *t = mote_mem_zalloc(account, MOTE_PART_TLS, size);
  char *text;
  if(!t)
    return NULL;
  t->block = (uint32_t)size;
  text = (char *)t + b->texts_at;
  memcpy(text, host.ptr, host.len);
  t->is_ip = mote_tls_host_is_ip(text);
  text += host.len + 1;
  memcpy(text, pinned, pinned_size);
  memcpy(text + pinned_size, alpn, alpn_size);
  return t;
}

CURLcode mote_tls_connect_new(struct mote_stream **out, struct mote_stream *below,
                              struct mote_stream_env *env, const struct mote_tls_config *cfg,
                              struct mote_tls_server server)
{
  const struct mote_tls_backend *b = mote_tls_row_for(mote_tls_settle(), cfg);
  struct mote_tls_head *t;
  struct mote_tls_config resolved;
  CURLcode rc;
  *out = NULL;
  if(!b)
    return mote_fail_as(CURLE_NOT_BUILT_IN, env->report, "%s has no QUIC", mote_tls_version());
  if(server.host.len > MOTE_TLS_HOST_MOST)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, env->report, "The host's name is too long for TLS");
  t = tls_tls_allocate(b, env->account, cfg, mote_tls_bare_host(server.host));
  if(!t)
    return CURLE_OUT_OF_MEMORY;
  t->stream.ops = &b->stream;
  t->stream.below = below;
  t->stream.env = env;
  t->stream.role = cfg->role;
  t->port = server.port;
  t->verify_result = 1;
  t->verify_peer = cfg->verify_peer;
  t->verify_host = cfg->verify_host;
  mote_tls_config_resolve(&resolved, cfg);
  rc = b->set_up(t, &resolved);
  if(rc) {
    b->stream.close(&t->stream);
    return rc;
  }
  *out = &t->stream;
  return CURLE_OK;
}

CURLcode mote_tls_ceiling(const struct mote_tls_config *cfg, size_t host_len, size_t count,
                          struct mote_ceiling *conns, struct mote_ceiling *process)
{
  const struct mote_tls_backend *b = mote_tls_serving();
  struct mote_ceiling one = {0};
  struct mote_tls_config resolved;
  if(!b->ceiling)
    return CURLE_TOO_LARGE;
  mote_tls_config_resolve(&resolved, cfg);
  mote_ceiling_add(&one, 1, b->texts_at + host_len + strlen(mote_tls_pin_text(cfg->pinned_key)) +
                              (cfg->alpn ? strlen(cfg->alpn) : 0) + 3);
  b->ceiling(&resolved, &one, process);
  mote_ceiling_add_all(conns, count, &one);
  return CURLE_OK;
}

CURLcode mote_tls_prepare(const struct mote_tls_config *cfg, struct mote_report *report)
{
  struct mote_stream_env env = {.report = report, .account = mote_mem_process()};
  struct mote_stream *s;
  CURLcode rc = mote_tls_connect_new(&s, NULL, &env, cfg, (struct mote_tls_server){{"", 0}, 0});
  if(!rc)
    s->ops->close(s);
  return rc;
}

void mote_tls_cleanup(void)
{
  const struct mote_tls_backend *b = mote_tls_used();
  if(b)
    b->cleanup();
}

/* ---- what is asked of a stream ---- */

curl_sslbackend mote_tls_backend_of(const struct mote_stream *tls)
{
  return mote_tls_row(tls)->id.id;
}

void mote_tls_set_cache(struct mote_stream *top, struct mote_session_cache *cache,
                        const struct mote_session_guard *guard, void *arg)
{
  for(; top; top = top->below)
    if(is_tls(top))
      use_cache(head_of(top), cache, guard, arg);
}

bool mote_tls_truncated(const struct mote_stream *top)
{
  for(; top; top = top->below)
    if(is_tls(top) && mote_container_of(top, const struct mote_tls_head, stream)->truncated)
      return true;
  return false;
}

const char *mote_tls_alpn(const struct mote_stream *tls, size_t *len)
{
  return mote_tls_row(tls)->alpn(tls, len);
}

void mote_tls_get_info(const struct mote_stream *tls, struct mote_tls_info *out)
{
  mote_tls_row(tls)->get_info(tls, out);
}

CURLcode mote_tls_certinfo(const struct mote_stream *tls, struct mote_account *account,
                           struct curl_certinfo **out)
{
  *out = NULL;
  return mote_tls_row(tls)->certinfo ? mote_tls_row(tls)->certinfo(tls, account, out) : CURLE_OK;
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
  return mote_tls_row(tls)->ssl_ptr(tls);
}

void *mote_tls_ctx_ptr(const struct mote_stream *tls)
{
  return mote_tls_row(tls)->ctx_ptr(tls);
}

/* ---- what the libraries' streams do alike (backend.h) ---- */

void mote_tls_free(struct mote_tls_head *t)
{
  mote_mem_free(t->stream.env->account, MOTE_PART_TLS, t, t->block);
}

CURLcode mote_tls_handshake(struct mote_stream *s, bool *done)
{
  struct mote_tls_head *t = head_of(s);
  CURLcode rc = CURLE_OK;
  if(!t->done)
    rc = t->dead ? CURLE_SSL_CONNECT_ERROR : mote_tls_row(s)->handshake(t);
  *done = t->done;
  return rc;
}

CURLcode mote_tls_shutdown(struct mote_stream *s, bool *done)
{
  struct mote_tls_head *t = head_of(s);
  CURLcode rc = t->done && !t->dead ? mote_tls_row(s)->shutdown(t) : CURLE_OK;
  *done = rc != CURLE_AGAIN;
  return rc && *done ? mote_tls_broken(t, CURLE_SSL_SHUTDOWN_FAILED) : CURLE_OK;
}

void mote_tls_idle(struct mote_stream *s)
{
  use_cache(head_of(s), NULL, NULL, NULL);
}

static CURLcode note_below(struct mote_tls_head *t, CURLcode rc)
{
  if(rc && rc != CURLE_AGAIN)
    t->below = rc;
  return rc;
}

CURLcode mote_tls_receive_below(struct mote_tls_head *t, void *buf, size_t cap, size_t *n)
{
  struct mote_stream *below = t->stream.below;
  CURLcode rc;
  *n = 0;
  if(t->below_ended)
    return CURLE_OK;
  rc = note_below(t, below->ops->recv(below, buf, cap, n));
  if(!rc && !*n)
    t->below_ended = true;
  return rc;
}

CURLcode mote_tls_send_below(struct mote_tls_head *t, const void *buf, size_t len, size_t *n)
{
  struct mote_stream *below = t->stream.below;
  return note_below(t, below->ops->send(below, buf, len, n));
}

CURLcode mote_tls_cut_off(struct mote_tls_head *t)
{
  mote_fail(t->stream.env->report, "TLS connect error: unexpected eof in connection to %s:%u",
            mote_tls_host(t), (unsigned)t->port);
  return mote_tls_broken(t, CURLE_SSL_CONNECT_ERROR);
}

void mote_tls_cut_short(struct mote_tls_head *t)
{
  t->dead = t->truncated = true;
  mote_info(t->stream.env->report, "TLS: the connection ended without close_notify (unexpected eof)");
}
