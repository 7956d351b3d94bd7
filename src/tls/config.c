/* tls/config.c: defaults and identity of a TLS configuration; no TLS library. */
#include <string.h>

#include "base/sha256.h"
#include "tls/config.h"
#include "tls/tls.h"

void mote_tls_config_init(struct mote_tls_config *cfg)
{
  memset(cfg, 0, sizeof *cfg);
  cfg->ca_cache_timeout = 24L * 60 * 60;
  cfg->verify_peer = true;
  cfg->verify_host = true;
  cfg->session_cache = true;
}

/* Each value is preceded by whether it is set and by its length: no two lists of values look alike. */
static void feed(struct mote_sha256 *h, const void *p, size_t len)
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
  feed(h, s, s ? strlen(s) : 0);
}

static void feed_slice(struct mote_sha256 *h, struct mote_slice s)
{
  feed(h, s.ptr, s.len);
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
  feed(h, numbers, sizeof numbers);
  feed(h, flags, sizeof flags);
  if(cfg->ctx_function) {
    feed(h, &cfg->ctx_function, sizeof cfg->ctx_function);
    feed(h, &cfg->ctx_data, sizeof cfg->ctx_data);
  }
}

size_t mote_tls_bare_host(const char **host)
{
  size_t len = strlen(*host);
  if(len > 1 && (*host)[0] == '[' && (*host)[len - 1] == ']') {
    ++*host;
    len -= 2;
  }
  if(memchr(*host, ':', len)) {
    const char *zone = memchr(*host, '%', len);
    if(zone)
      len = (size_t)(zone - *host);
  }
  else if(len > 1 && (*host)[len - 1] == '.')
    len--;
  return len;
}

bool mote_tls_host_is_ip(const char *host)
{
  return strchr(host, ':') || !host[strspn(host, "0123456789.")];
}
