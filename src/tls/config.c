/* tls/config.c: defaults and identity of a TLS configuration, and the end of secrets that it names; no TLS
 * library. */
#include <string.h>

#include "base/digest/sha256.h"
#include "base/memory.h"
#include "net/stream.h"
#include "tls/config.h"
#include "tls/tls.h"

void mote_tls_config_init(struct mote_tls_config *cfg)
{
  memset(cfg, 0, sizeof *cfg);
  cfg->ca_cache_timeout = 24L * 60 * 60;
  cfg->role = MOTE_ROLE_TLS;
  cfg->verify_peer = true;
  cfg->verify_host = true;
  cfg->session_cache = true;
}

/* Each value follows a flag (is it set?) and its length, so that no two lists of values look alike. */
static void config_feed(struct mote_sha256 *h, const void *p, size_t len)
{
  uint64_t n = len;
  mote_sha256_add(h, p ? "\1" : "", 1);
  if(p) {
    mote_sha256_add(h, &n, sizeof n);
    mote_sha256_add(h, p, len);
  }
}

static void feed_str(struct mote_sha256 *h, const char *s)
{
  config_feed(h, s, s ? strlen(s) : 0);
}

static void feed_slice(struct mote_sha256 *h, struct mote_slice s)
{
  config_feed(h, s.ptr, s.len);
}

void mote_tls_config_feed(const struct mote_tls_config *cfg, struct mote_sha256 *h)
{
  const uint8_t flags[] = { cfg->verify_peer, cfg->verify_host, cfg->verify_status, cfg->certinfo };
  const int64_t numbers[] = { cfg->version, cfg->options };
  feed_str(h, cfg->ca_blob.ptr ? NULL : cfg->ca_file);
  feed_str(h, cfg->ca_path);
  feed_slice(h, cfg->ca_blob);
  feed_str(h, cfg->crl_file);
  feed_str(h, cfg->issuer_file);
  feed_slice(h, cfg->issuer_blob);
  feed_str(h, cfg->pinned_key);
  feed_str(h, cfg->cert_file);
  feed_slice(h, cfg->cert_blob);
  feed_str(h, cfg->cert_type);
  feed_str(h, cfg->key_file);
  feed_slice(h, cfg->key_blob);
  feed_str(h, cfg->key_type);
  feed_str(h, cfg->key_password);
  feed_str(h, cfg->srp_user);
  feed_str(h, cfg->srp_password);
  feed_str(h, cfg->ciphers);
  feed_str(h, cfg->ciphers13);
  feed_str(h, cfg->curves);
  feed_str(h, cfg->sigalgs);
  config_feed(h, numbers, sizeof numbers);
  config_feed(h, flags, sizeof flags);
  if(mote_tls_config_is_quic(cfg))
    config_feed(h, "quic", 4);
  if(cfg->ctx_function) {
    config_feed(h, &cfg->ctx_function, sizeof cfg->ctx_function);
    config_feed(h, &cfg->ctx_data, sizeof cfg->ctx_data);
  }
}

void mote_tls_blob_free(struct mote_tls_blob *b)
{
  if(b->own)
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, b->own, b->cap);
  memset(b, 0, sizeof *b);
}
