/* connect/proxy/dial_proxy_tls.c: TLS to an HTTPS proxy, by the options CURLOPT_PROXY_*
 * (connect/dial/dial_phases.h). */
#include <string.h>

#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "connect/version.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "stream/tunnel_h2.h"
#include "tls/tls.h"
#include "transfer/callback.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

/* For a tunnel, or for requests that the proxy passes on. */
static const char *dial_proxy_tls_offer(struct mote_transfer *t, const struct mote_hop *hop)
{
  if(!hop->h2)
    return "http/1.1";
  return t->run->lease.forwarded ? mote_version_offer(t) : MOTE_TUNNEL_H2_OFFER;
}

/* Nothing of the server's options is for the proxy, but for those that concern the process, ALPN, sessions
 * and the function for each context (as seen with libcurl 8.23). */
static void dial_proxy_tls_fill(struct mote_transfer *t, const struct mote_hop *hop,
                                struct mote_tls_config *cfg)
{
  const struct mote_options *o = &t->options;
  mote_tls_config_init(cfg);
  cfg->role = MOTE_ROLE_PROXY_TLS;
  cfg->ca_file = mote_opt_str(o, CURLOPT_PROXY_CAINFO);
  cfg->ca_path = mote_opt_str(o, CURLOPT_PROXY_CAPATH);
  cfg->crl_file = mote_opt_str(o, CURLOPT_PROXY_CRLFILE);
  cfg->issuer_file = mote_opt_str(o, CURLOPT_PROXY_ISSUERCERT);
  cfg->pinned_key = mote_opt_str(o, CURLOPT_PROXY_PINNEDPUBLICKEY);
  cfg->cert_file = mote_opt_str(o, CURLOPT_PROXY_SSLCERT);
  cfg->cert_type = mote_opt_str(o, CURLOPT_PROXY_SSLCERTTYPE);
  cfg->key_file = mote_opt_str(o, CURLOPT_PROXY_SSLKEY);
  cfg->key_type = mote_opt_str(o, CURLOPT_PROXY_SSLKEYTYPE);
  cfg->key_password = mote_opt_str(o, CURLOPT_PROXY_KEYPASSWD);
  cfg->ciphers = mote_opt_str(o, CURLOPT_PROXY_SSL_CIPHER_LIST);
  cfg->ciphers13 = mote_opt_str(o, CURLOPT_PROXY_TLS13_CIPHERS);
  cfg->ca_blob = mote_opt_blob(o, CURLOPT_PROXY_CAINFO_BLOB);
  cfg->issuer_blob = mote_opt_blob(o, CURLOPT_PROXY_ISSUERCERT_BLOB);
  cfg->cert_blob = mote_opt_blob(o, CURLOPT_PROXY_SSLCERT_BLOB);
  cfg->key_blob = mote_opt_blob(o, CURLOPT_PROXY_SSLKEY_BLOB);
  if(mote_opt_long(o, CURLOPT_SSL_ENABLE_ALPN))
    cfg->alpn = dial_proxy_tls_offer(t, hop);
  cfg->version = mote_opt_long(o, CURLOPT_PROXY_SSLVERSION);
  cfg->options = mote_opt_long(o, CURLOPT_PROXY_SSL_OPTIONS);
  cfg->ca_cache_timeout = mote_opt_long(o, CURLOPT_CA_CACHE_TIMEOUT);
  cfg->session_cache = mote_opt_long(o, CURLOPT_SSL_SESSIONID_CACHE) != 0;
  cfg->ctx_function = (curl_ssl_ctx_callback)mote_opt_fn(o, CURLOPT_SSL_CTX_FUNCTION);
  cfg->ctx_data = mote_opt_ptr(o, CURLOPT_SSL_CTX_DATA);
  cfg->easy = t->msg.easy_handle;
  cfg->verify_peer = mote_opt_long(o, CURLOPT_PROXY_SSL_VERIFYPEER) != 0;
  cfg->verify_host = mote_opt_long(o, CURLOPT_PROXY_SSL_VERIFYHOST) != 0;
}

static CURLcode dial_proxy_tls_push(struct mote_transfer *t, struct mote_conn *c, const struct mote_hop *hop)
{
  struct mote_tls_config cfg;
  struct mote_stream *tls;
  CURLcode rc;
  dial_proxy_tls_fill(t, hop, &cfg);
  rc = mote_tls_connect_new(&tls, c->top, &c->env, &cfg, (struct mote_tls_server){hop->host, hop->port});
  rc = rc ? rc : mote_conn_push(c, tls);
  if(!rc)
    mote_connect_use_sessions(t, c);
  return rc;
}

static CURLcode dial_proxy_tls_go_on(struct mote_transfer *t, struct mote_conn *c, const struct mote_hop *hop)
{
  CURLcode rc = mote_conn_layer(c, MOTE_ROLE_PROXY_TLS) ? CURLE_OK : dial_proxy_tls_push(t, c, hop);
  return rc ? rc : mote_dial_handshake(t, c);
}

bool mote_dial_has_h2_tunnel(const struct mote_conn *c)
{
  const struct mote_stream *tls = mote_conn_layer(c, MOTE_ROLE_PROXY_TLS);
  struct mote_slice name = {NULL, 0};
  if(tls)
    name.ptr = mote_tls_alpn(tls, &name.len);
  return name.ptr && mote_slice_same(name, mote_slice_of("h2"));
}

/* The proxy has chosen how it is to be asked for the tunnel. */
static CURLcode push_h2(struct mote_conn *c)
{
  struct mote_stream *s;
  CURLcode rc;
  if(!mote_dial_has_h2_tunnel(c))
    return CURLE_OK;
  rc = mote_tunnel_h2_new(&s, c->top, &c->env);
  return rc ? rc : mote_conn_push(c, s);
}

CURLcode mote_dial_proxy_tls(struct mote_dial *d, const struct mote_hop *hop)
{
  struct mote_transfer *t = d->owner;
  struct mote_conn *c = d->drive.conn;
  struct mote_callback_guard g = mote_callback_enter(t); /* for CURLOPT_SSL_CTX_FUNCTION */
  CURLcode rc = dial_proxy_tls_go_on(t, c, hop);
  mote_callback_leave(t, g);
  if(rc != CURLE_AGAIN)
    mote_info_note_proxy_tls(t, c);
  if(!rc && hop->h2 && !t->run->lease.forwarded)
    rc = push_h2(c);
  return rc;
}
