/* tls/openssl_setup.c: a new SSL_CTX with the versions and algorithms that a configuration wants. */
#include <openssl/err.h>
#include <string.h>

#include "base/report.h"
#include "port/env.h"
#include "port/file.h"
#include "tls/openssl.h"

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
  if(min_option == CURL_SSLVERSION_SSLv2 || min_option == CURL_SSLVERSION_SSLv3) {
    mote_fail(r, "SSLv%ld is not supported", min_option);
    return CURLE_NOT_BUILT_IN;
  }
  if(!wire_version(min_option, &min) || (max_option > 1 && !wire_version(max_option, &max))) {
    mote_fail(r, "unrecognized parameter passed via CURLOPT_SSLVERSION");
    return CURLE_SSL_CONNECT_ERROR;
  }
  if(max && min > max) {
    mote_fail(r, "CURL_SSLVERSION_MAX incompatible with CURL_SSLVERSION");
    return CURLE_SSL_CONNECT_ERROR;
  }
  /* The default floor is TLS 1.2, or what openssl.cnf has above it, unless only something older may be. */
  if(!min && (!max || max >= TLS1_2_VERSION) && SSL_CTX_get_min_proto_version(c) < TLS1_2_VERSION)
    min = TLS1_2_VERSION;
  if((min && !SSL_CTX_set_min_proto_version(c, min)) || (max && !SSL_CTX_set_max_proto_version(c, max))) {
    mote_fail(r, "the TLS library does not have this protocol version");
    return CURLE_SSL_CONNECT_ERROR;
  }
  return CURLE_OK;
}

static CURLcode set_algorithms(SSL_CTX *c, const struct mote_tls_config *cfg, struct mote_report *r)
{
  if(cfg->ciphers && !SSL_CTX_set_cipher_list(c, cfg->ciphers)) {
    mote_fail(r, "failed setting cipher list: %s", cfg->ciphers);
    return CURLE_SSL_CIPHER;
  }
  if(cfg->ciphers13 && !SSL_CTX_set_ciphersuites(c, cfg->ciphers13)) {
    mote_fail(r, "failed setting TLS 1.3 cipher suite: %s", cfg->ciphers13);
    return CURLE_SSL_CIPHER;
  }
  if(cfg->curves && !SSL_CTX_set1_groups_list(c, cfg->curves)) {
    mote_fail(r, "failed setting curves list: '%s'", cfg->curves);
    return CURLE_SSL_CIPHER;
  }
  if(cfg->sigalgs && !SSL_CTX_set1_sigalgs_list(c, cfg->sigalgs)) {
    mote_fail(r, "failed setting signature algorithms: '%s'", cfg->sigalgs);
    return CURLE_SSL_CIPHER;
  }
  return CURLE_OK;
}

/* SSLKEYLOGFILE: one line at a time, appended, so that processes may share the file. A line that cannot be
 * written is lost. */
static void log_secret(const SSL *ssl, const char *line)
{
  char text[512];
  const char *path = mote_port_getenv("SSLKEYLOGFILE");
  size_t len = strlen(line);
  int file;
  (void)ssl;
  if(!path || len >= sizeof text || mote_port_file_open(path, MOTE_FILE_APPEND, 0600, &file))
    return;
  memcpy(text, line, len);
  text[len] = '\n';
  (void)mote_port_file_write(file, text, len + 1);
  (void)mote_port_file_close(file);
  OPENSSL_cleanse(text, sizeof text);
}

static void set_behaviour(SSL_CTX *c, const struct mote_tls_config *cfg)
{
  const char *keylog = mote_port_getenv("SSLKEYLOGFILE");
  uint64_t options = SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_SSLv3;
  if(!(cfg->options & CURLSSLOPT_ALLOW_BEAST))
    SSL_CTX_clear_options(c, SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS);
  else
    options |= SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS;
  SSL_CTX_set_options(c, options);
  /* A record at a time, whatever was taken of it is told; the caller's memory may move before it goes on. */
  SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_clear_mode(c, SSL_MODE_AUTO_RETRY); /* tickets without end do not keep SSL_read() for ever */
  SSL_CTX_set_read_ahead(c, 1);
  if(keylog && keylog[0])
    SSL_CTX_set_keylog_callback(c, log_secret);
}

CURLcode mote_openssl_setup(SSL_CTX **out, const struct mote_tls_config *cfg, struct mote_report *r)
{
  CURLcode rc;
  SSL_CTX *c;
  *out = NULL;
  if(cfg->srp_user || cfg->srp_password) {
    mote_fail(r, "TLS-SRP is not supported");
    return CURLE_NOT_BUILT_IN;
  }
  c = SSL_CTX_new(TLS_client_method());
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  set_behaviour(c, cfg);
  rc = set_versions(c, cfg, r);
  if(!rc)
    rc = set_algorithms(c, cfg, r);
  ERR_clear_error();
  if(rc) {
    SSL_CTX_free(c);
    return rc;
  }
  *out = c;
  return CURLE_OK;
}
