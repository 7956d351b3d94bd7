/* tls/openssl/openssl_ctx.c: contexts: one per configuration, shared by the process, counted.
 *
 * A context is found by its key: the hash of the configuration's identity and of the stamps (size, time of
 * last change, number) of the files that it names, so that a certificate that was renewed on disk is seen by
 * the next connection, and sessions that were made before are not resumed. It leaves the list when its trust
 * index is outdated or when its store has taken many certificates in; streams that use it keep it alive. A
 * few that no stream uses are kept.
 * Locks: `contexts` guards list and counts; trust.c's are taken inside. */
#include <openssl/err.h>
#include <string.h>

#include "base/digest/sha256.h"
#include "base/memory.h"
#include "base/report.h"
#include "port/lock.h"
#include "tls/openssl/openssl.h"
#include "tls/x509/pin.h"
#include "tls/x509/trust.h"

#define IDLE_MAX 2     /* contexts that no stream uses: 14 KB or more each */
#define TRUSTED_MAX 64 /* parsed certificates in a store: 5 KB each */

static struct {
  struct mote_mutex lock;
  struct mote_list list; /* most recently asked for first; all zero until the first use */
} contexts;

static void openssl_ctx_destroy(struct mote_tls_ctx *ctx)
{
  SSL_CTX_free(ctx->ssl_ctx);
  X509_free(ctx->issuer);
  mote_trust_release(ctx->trust);
  mote_mem_free(ctx->account, MOTE_PART_TLS, ctx, ctx->block);
}

/* Frees the contexts that no stream uses, all but the `keep` that were asked for last. Under the lock. */
static void openssl_ctx_trim(unsigned keep)
{
  struct mote_list *n = contexts.list.next;
  while(n && n != &contexts.list) {
    struct mote_tls_ctx *ctx = mote_container_of(n, struct mote_tls_ctx, node);
    n = n->next;
    if(ctx->refs)
      continue;
    if(keep)
      keep--;
    else {
      mote_list_remove(&ctx->node);
      openssl_ctx_destroy(ctx);
    }
  }
}

/* ---- versions and algorithms ---- */

/* CURL_SSLVERSION_* (and _MAX_* >> 16) to the wire's number; 0: the library's own. */
static bool wire_version(long v, int *out)
{
  static const int wire[] = { 0, TLS1_VERSION, -1, -1, TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION,
                              TLS1_3_VERSION };
  if(v < 0 || v >= (long)(sizeof wire / sizeof *wire) || wire[v] < 0)
    return false;
  *out = wire[v];
  return true;
}

static CURLcode set_versions(SSL_CTX *c, const struct mote_tls_config *cfg, struct mote_report *r)
{
  long min_option = cfg->version & 0xffff;
  long max_option = (cfg->version >> 16) & 0xffff;
  int min;
  int max = 0;
  if(min_option == CURL_SSLVERSION_SSLv2 || min_option == CURL_SSLVERSION_SSLv3)
    return mote_fail_as(CURLE_NOT_BUILT_IN, r, "SSLv%ld is not supported", min_option);
  if(!wire_version(min_option, &min) || (max_option > 1 && !wire_version(max_option, &max)))
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r, "unrecognized parameter passed via CURLOPT_SSLVERSION");
  if(max && min > max)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r, "CURL_SSLVERSION_MAX incompatible with CURL_SSLVERSION");
  /* The default floor is TLS 1.2, or what openssl.cnf has above it, unless only something older may be. */
  if(!min && (!max || max >= TLS1_2_VERSION) && SSL_CTX_get_min_proto_version(c) < TLS1_2_VERSION)
    min = TLS1_2_VERSION;
  if((min && !SSL_CTX_set_min_proto_version(c, min)) || (max && !SSL_CTX_set_max_proto_version(c, max)))
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r, "the TLS library does not have this protocol version");
  return CURLE_OK;
}

static CURLcode openssl_ctx_set_algorithms(SSL_CTX *c, const struct mote_tls_config *cfg,
                                           struct mote_report *r)
{
  if(cfg->ciphers && !SSL_CTX_set_cipher_list(c, cfg->ciphers))
    return mote_fail_as(CURLE_SSL_CIPHER, r, "failed setting cipher list: %s", cfg->ciphers);
  if(cfg->ciphers13 && !SSL_CTX_set_ciphersuites(c, cfg->ciphers13))
    return mote_fail_as(CURLE_SSL_CIPHER, r, "failed setting TLS 1.3 cipher suite: %s", cfg->ciphers13);
  if(cfg->curves && !SSL_CTX_set1_groups_list(c, cfg->curves))
    return mote_fail_as(CURLE_SSL_CIPHER, r, "failed setting curves list: '%s'", cfg->curves);
  if(cfg->sigalgs && !SSL_CTX_set1_sigalgs_list(c, cfg->sigalgs))
    return mote_fail_as(CURLE_SSL_CIPHER, r, "failed setting signature algorithms: '%s'", cfg->sigalgs);
  return CURLE_OK;
}

static void set_behaviour(SSL_CTX *c, const struct mote_tls_config *cfg)
{
  uint64_t options = SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_SSLv3;
  if(!(cfg->options & CURLSSLOPT_ALLOW_BEAST))
    SSL_CTX_clear_options(c, SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS);
  else
    options |= SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS;
  SSL_CTX_set_options(c, options);
  /* One record at a time, and SSL_write() reports what it took. The caller's memory may move before the
   * next. */
  SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_clear_mode(c, SSL_MODE_AUTO_RETRY); /* so that endless tickets do not hold SSL_read() up */
  SSL_CTX_set_read_ahead(c, 1);
  /* A server may ask for the client certificate when it has read a request, which QUIC forbids (RFC 9001
   * section 4.4). */
  SSL_CTX_set_post_handshake_auth(c, !mote_tls_config_is_quic(cfg));
  mote_openssl_log_secrets(c);
}

/* Makes an SSL_CTX without certificates and trust. */
static CURLcode openssl_ctx_set_up(SSL_CTX **out, const struct mote_tls_config *cfg, struct mote_report *r)
{
  CURLcode rc;
  SSL_CTX *c;
  *out = NULL;
  if(cfg->srp_user || cfg->srp_password)
    return mote_fail_as(CURLE_NOT_BUILT_IN, r, "TLS-SRP is not supported");
  c = SSL_CTX_new(TLS_client_method());
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  set_behaviour(c, cfg);
  rc = set_versions(c, cfg, r);
  if(!rc)
    rc = openssl_ctx_set_algorithms(c, cfg, r);
  ERR_clear_error();
  if(rc) {
    SSL_CTX_free(c);
    return rc;
  }
  *out = c;
  return CURLE_OK;
}

/* ---- one context ---- */

static void hash_config(const struct mote_tls_config *cfg, uint8_t key[MOTE_SHA256_SIZE])
{
  struct mote_sha256 h;
  mote_sha256_init(&h);
  mote_tls_config_feed(cfg, &h);
  mote_tls_files_feed(cfg, &h);
  mote_sha256_end(&h, key);
}

static CURLcode openssl_ctx_fill(struct mote_tls_ctx *ctx, const struct mote_tls_config *cfg,
                                 struct mote_report *r)
{
  CURLcode rc = openssl_ctx_set_up(&ctx->ssl_ctx, cfg, r);
  if(!rc)
    rc = mote_openssl_client_cert(ctx->ssl_ctx, cfg, r);
  if(!rc)
    rc = mote_openssl_trust(ctx, cfg, r);
  if(!rc)
    rc = mote_openssl_issuer(&ctx->issuer, cfg, r);
  if(rc)
    return rc;
  SSL_CTX_set_verify(ctx->ssl_ctx, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback(ctx->ssl_ctx, mote_openssl_verify, NULL);
  SSL_CTX_set_session_cache_mode(ctx->ssl_ctx, ctx->resumes ?
                                 SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL : SSL_SESS_CACHE_OFF);
  if(ctx->resumes)
    SSL_CTX_sess_set_new_cb(ctx->ssl_ctx, mote_openssl_new_session);
  if(cfg->verify_status)
    SSL_CTX_set_tlsext_status_type(ctx->ssl_ctx, TLSEXT_STATUSTYPE_ocsp);
  return CURLE_OK;
}

static CURLcode openssl_ctx_create(struct mote_tls_ctx **out, const struct mote_tls_config *cfg,
                                   struct mote_report *r)
{
  const char *pinned = mote_tls_pin_text(cfg->pinned_key);
  size_t pinned_len = strlen(pinned);
  struct mote_account *account = mote_mem_process();
  struct mote_tls_ctx *ctx = mote_mem_zalloc(account, MOTE_PART_TLS, sizeof *ctx + pinned_len + 1);
  CURLcode rc;
  if(!ctx)
    return CURLE_OUT_OF_MEMORY;
  mote_list_init(&ctx->node);
  ctx->account = account;
  ctx->block = sizeof *ctx + pinned_len + 1;
  ctx->refs = 1;
  ctx->verify_status = cfg->verify_status;
  ctx->certinfo = cfg->certinfo;
  ctx->own = cfg->ctx_function != NULL;
  /* A resumed session brings no certificates: what depends on them must be checked by each connection. */
  ctx->resumes = !ctx->own && !cfg->certinfo && !cfg->verify_status && !cfg->crl_file &&
                 !(pinned_len && mote_tls_pin_is_file(pinned));
  memcpy(ctx->pinned_key, pinned, pinned_len);
  rc = openssl_ctx_fill(ctx, cfg, r);
  if(rc)
    openssl_ctx_destroy(ctx);
  else
    *out = ctx;
  return rc;
}

/* Looks for a context that may still be used; *out is NULL if there is none. Under the lock. */
static CURLcode openssl_ctx_find(struct mote_tls_ctx **out, const uint8_t *key,
                                 const struct mote_tls_config *cfg,
                                 struct mote_report *r)
{
  struct mote_trust *trust = NULL;
  struct mote_tls_ctx *ctx = NULL;
  struct mote_list *n;
  CURLcode rc = CURLE_OK;
  *out = NULL;
  for(n = contexts.list.next; n != &contexts.list; n = n->next) {
    ctx = mote_container_of(n, struct mote_tls_ctx, node);
    if(!memcmp(ctx->key, key, sizeof ctx->key))
      break;
  }
  if(n == &contexts.list)
    return CURLE_OK;
  if(ctx->trust)
    rc = mote_trust_open(&trust, cfg->ca_file, cfg->ca_blob, cfg->ca_cache_timeout);
  if(rc)
    mote_fail(r, "error setting certificate file: %s", cfg->ca_file ? cfg->ca_file : "(memory blob)");
  mote_list_remove(&ctx->node);
  if(!rc && trust == ctx->trust && atomic_load(&ctx->trusted) <= TRUSTED_MAX) {
    mote_list_prepend(&contexts.list, &ctx->node);
    ctx->refs++;
    *out = ctx;
  }
  else if(!ctx->refs)
    openssl_ctx_destroy(ctx);
  mote_trust_release(trust);
  return rc;
}

static CURLcode get_shared(struct mote_tls_ctx **out, const struct mote_tls_config *cfg,
                           struct mote_report *r)
{
  uint8_t key[MOTE_SHA256_SIZE];
  CURLcode rc;
  hash_config(cfg, key);
  if(!contexts.list.next)
    mote_list_init(&contexts.list);
  rc = openssl_ctx_find(out, key, cfg, r);
  if(rc || *out)
    return rc;
  rc = openssl_ctx_create(out, cfg, r);
  if(rc)
    return rc;
  memcpy((*out)->key, key, sizeof (*out)->key);
  mote_list_prepend(&contexts.list, &(*out)->node);
  openssl_ctx_trim(IDLE_MAX);
  return CURLE_OK;
}

CURLcode mote_tls_ctx_get(struct mote_tls_ctx **out, const struct mote_tls_config *cfg,
                          struct mote_report *r)
{
  CURLcode rc;
  *out = NULL;
  mote_port_lock(&contexts.lock);
  rc = mote_openssl_init();
  if(rc)
    mote_fail(r, "the TLS library could not be initialised");
  else
    rc = cfg->ctx_function ? openssl_ctx_create(out, cfg, r) : get_shared(out, cfg, r);
  mote_port_unlock(&contexts.lock);
  if(rc || !cfg->ctx_function)
    return rc;
  rc = cfg->ctx_function(cfg->easy, (*out)->ssl_ctx, cfg->ctx_data);
  if(rc) {
    mote_fail(r, "error signaled by ssl ctx callback");
    mote_tls_ctx_release(*out);
    *out = NULL;
  }
  return rc;
}

void mote_tls_ctx_release(struct mote_tls_ctx *ctx)
{
  mote_port_lock(&contexts.lock);
  if(!--ctx->refs) {
    if(mote_list_linked(&ctx->node))
      openssl_ctx_trim(IDLE_MAX);
    else
      openssl_ctx_destroy(ctx);
  }
  mote_port_unlock(&contexts.lock);
}

void mote_openssl_cleanup(void)
{
  mote_port_lock(&contexts.lock);
  openssl_ctx_trim(0);
  mote_port_unlock(&contexts.lock);
}
