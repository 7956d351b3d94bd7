/* connect/tls_config.c: translates the transfer's TLS options for src/tls, and hashes those that
 * distinguish connections, and credentials, into their key. */
#include <string.h>

#include "base/digest/sha256.h"
#include "base/out.h"
#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "connect/version.h"
#include "tls/tls.h"
#include "transfer/transfer.h"

#define SHOWN_MAX 100u /* bytes of a text */

/* A redirect may lead anywhere: only the origin of the application's own URL gets what identifies the client,
 * whatever CURLOPT_UNRESTRICTED_AUTH says (as seen with libcurl 8.23). What is for a proxy has options of its
 * own. mote_need() asks before a transfer, when there is no run yet. */
static bool shows_client(const struct mote_transfer *t)
{
  return !t->run || !t->run->request.other_origin;
}

static void take_client(const struct mote_options *o, struct mote_tls_config *cfg)
{
  cfg->cert_file = mote_opt_str(o, CURLOPT_SSLCERT);
  cfg->cert_type = mote_opt_str(o, CURLOPT_SSLCERTTYPE);
  cfg->key_file = mote_opt_str(o, CURLOPT_SSLKEY);
  cfg->key_type = mote_opt_str(o, CURLOPT_SSLKEYTYPE);
  cfg->key_password = mote_opt_str(o, CURLOPT_KEYPASSWD);
  cfg->srp_user = mote_opt_str(o, CURLOPT_TLSAUTH_USERNAME);
  cfg->srp_password = mote_opt_str(o, CURLOPT_TLSAUTH_PASSWORD);
  cfg->cert_blob = mote_opt_blob(o, CURLOPT_SSLCERT_BLOB);
  cfg->key_blob = mote_opt_blob(o, CURLOPT_SSLKEY_BLOB);
}

/* Other servers than those of HTTP may refuse the names of its versions, as vsftpd 3.0.5 does. WebSocket
 * offers none either (as seen with libcurl 8.23). */
static bool offers_versions(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_SSL_ENABLE_ALPN) &&
         (!t->run || (t->run->request.scheme->curlproto & (CURLPROTO_HTTP | CURLPROTO_HTTPS)));
}

void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg)
{
  const struct mote_options *o = &t->options;
  mote_tls_config_init(cfg);
  cfg->ca_file = mote_opt_str(o, CURLOPT_CAINFO);
  cfg->ca_path = mote_opt_str(o, CURLOPT_CAPATH);
  cfg->crl_file = mote_opt_str(o, CURLOPT_CRLFILE);
  cfg->issuer_file = mote_opt_str(o, CURLOPT_ISSUERCERT);
  cfg->pinned_key = mote_opt_str(o, CURLOPT_PINNEDPUBLICKEY);
  if(shows_client(t))
    take_client(o, cfg);
  cfg->ciphers = mote_opt_str(o, CURLOPT_SSL_CIPHER_LIST);
  cfg->ciphers13 = mote_opt_str(o, CURLOPT_TLS13_CIPHERS);
  cfg->curves = mote_opt_str(o, CURLOPT_SSL_EC_CURVES);
  cfg->sigalgs = mote_opt_str(o, CURLOPT_SSL_SIGNATURE_ALGORITHMS);
  cfg->ca_blob = mote_opt_blob(o, CURLOPT_CAINFO_BLOB);
  cfg->issuer_blob = mote_opt_blob(o, CURLOPT_ISSUERCERT_BLOB);
  cfg->alpn = offers_versions(t) ? mote_version_offer(t) : NULL;
  cfg->version = mote_opt_long(o, CURLOPT_SSLVERSION);
  cfg->options = mote_opt_long(o, CURLOPT_SSL_OPTIONS);
  cfg->ca_cache_timeout = mote_opt_long(o, CURLOPT_CA_CACHE_TIMEOUT);
  cfg->ctx_function = (curl_ssl_ctx_callback)mote_opt_fn(o, CURLOPT_SSL_CTX_FUNCTION);
  cfg->ctx_data = mote_opt_ptr(o, CURLOPT_SSL_CTX_DATA);
  cfg->easy = t->msg.easy_handle;
  cfg->verify_peer = mote_opt_long(o, CURLOPT_SSL_VERIFYPEER) != 0;
  cfg->verify_host = mote_opt_long(o, CURLOPT_SSL_VERIFYHOST) != 0;
  cfg->verify_status = mote_opt_long(o, CURLOPT_SSL_VERIFYSTATUS) != 0;
  cfg->session_cache = mote_opt_long(o, CURLOPT_SSL_SESSIONID_CACHE) != 0;
  cfg->certinfo = mote_opt_long(o, CURLOPT_CERTINFO) != 0;
}

/* Each value follows its option's number and its length, so that no two lists look alike. */
static void tls_config_feed(struct mote_sha256 *h, const struct mote_option *e)
{
  mote_sha256_add(h, &e->id, sizeof e->id);
  mote_sha256_add(h, &e->size, sizeof e->size);
  if(mote_option_has_bytes(e))
    mote_sha256_add(h, e->v.ptr, e->size);
  else
    mote_sha256_add(h, &e->v, sizeof e->v);
}

void mote_identity_feed(struct mote_sha256 *h, struct mote_transfer *t, enum mote_identity_when when)
{
  struct mote_option e;
  unsigned i = 0;
  if(when == MOTE_IDENTITY_AUTH && t->run && !mote_transfer_may_log_in(t))
    mote_sha256_add(h, "hidden", 6); /* a connection without a login is another one than that with it */
  while(mote_options_identity(&t->options, when, &i, &e))
    tls_config_feed(h, &e);
}

void mote_identity_put_digest(struct mote_out *out, char tag, struct mote_sha256 *h)
{
  unsigned char digest[MOTE_SHA256_SIZE];
  mote_sha256_end(h, digest);
  mote_out_char(out, tag);
  mote_out_bytes(out, digest, sizeof digest);
}

/* Reports whether an option is neither secret nor much longer than a digest of it. */
static bool tls_config_is_shown(const struct mote_option *e, enum mote_identity_when when)
{
  return !mote_option_has_bytes(e) ||
         (when == MOTE_IDENTITY_TLS && e->kind == MOTE_KIND_STR && e->size <= SHOWN_MAX);
}

/* Writes the options that are shown, and feeds the others. Returns whether there are any of these. */
static bool tls_config_put(struct mote_out *out, struct mote_sha256 *h, const struct mote_transfer *t,
                           enum mote_identity_when when)
{
  struct mote_option e;
  bool hidden = false;
  unsigned i = 0;
  while(mote_options_identity(&t->options, when, &i, &e)) {
    if(tls_config_is_shown(&e, when))
      mote_identity_put_option(out, &e);
    else {
      tls_config_feed(h, &e);
      hidden = true;
    }
  }
  return hidden;
}

void mote_identity_put_tls(struct mote_transfer *t, struct mote_out *out)
{
  struct mote_sha256 h;
  bool hidden;
  mote_sha256_init(&h);
  mote_out_char(out, 't');
  hidden = tls_config_put(out, &h, t, MOTE_IDENTITY_TLS);
  if(shows_client(t))
    hidden = tls_config_put(out, &h, t, MOTE_IDENTITY_CLIENT) || hidden;
  if(hidden)
    mote_identity_put_digest(out, 'd', &h);
}

/* The lengths come first, as in tls_config_feed(). */
void mote_identity_feed_pair(struct mote_sha256 *h, struct mote_slice a, struct mote_slice b)
{
  mote_sha256_add(h, &a.len, sizeof a.len);
  mote_sha256_add(h, &b.len, sizeof b.len);
  if(a.len)
    mote_sha256_add(h, a.ptr, a.len);
  if(b.len)
    mote_sha256_add(h, b.ptr, b.len);
}

void mote_identity_put_login(struct mote_transfer *t, struct mote_out *out)
{
  struct mote_slice part[2] = {{NULL, 0}, {NULL, 0}};
  struct mote_sha256 h;
  mote_sha256_init(&h);
  mote_identity_feed(&h, t, MOTE_IDENTITY_AUTH);
  if(mote_url_packed_login(&t->run->request.url, &part[0], &part[1]))
    mote_identity_feed_pair(&h, part[0], part[1]);
  mote_identity_put_digest(out, 'l', &h);
}
