/* tls/openssl_session.c: between the TLS library's sessions and the session cache.
 *
 * A session goes into the cache only after the peer has passed every check: up to TLS 1.2 the library offers
 * it before, so it is taken when the handshake is done; in TLS 1.3 tickets come later anyway. The peer's
 * certificate is cut out of it: the name and the configuration that it was verified for are the key. */
#include <openssl/err.h>
#include <string.h>

#include "base/memory.h"
#include "port/port.h"
#include "tls/der.h"
#include "tls/openssl.h"
#include "tls/session.h"

#define SERIALISED_MAX 32768          /* with the peer's certificate */
#define PEER_TAG MOTE_DER_CONTEXT(3)  /* of the certificate in the library's SSL_SESSION_ASN1 */
#define DAY (24 * 60 * 60)

static bool make_key(const struct mote_tls_stream *t, char key[MOTE_SESSION_KEY])
{
  return mote_session_key(key, t->host, t->port, mote_openssl_version(), t->ctx->identity);
}

static void lock(const struct mote_tls_stream *t)
{
  if(t->guard)
    t->guard->lock(t->guard_arg);
}

static void unlock(const struct mote_tls_stream *t)
{
  if(t->guard)
    t->guard->unlock(t->guard_arg);
}

static bool use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_tls_stream *t = arg;
  const unsigned char *p = bytes;
  SSL_SESSION *session = d2i_SSL_SESSION(NULL, &p, (long)len);
  bool ok = session && SSL_SESSION_is_resumable(session) && SSL_set_session(t->ssl, session) == 1;
  SSL_SESSION_free(session);
  ERR_clear_error();
  return ok;
}

void mote_openssl_resume(struct mote_tls_stream *t)
{
  char key[MOTE_SESSION_KEY];
  if(!t->cache || !make_key(t, key))
    return;
  lock(t);
  (void)mote_session_take(t->cache, key, mote_port_wall(), use_session, t);
  unlock(t);
}

/* When the server stops taking it (RFC 8446 section 4.6.1, RFC 5077 section 5.6). */
static int64_t end_of_life(const SSL_SESSION *session)
{
  int64_t most = SSL_SESSION_get_protocol_version(session) >= TLS1_3_VERSION ? 7 * DAY : DAY;
  int64_t life = (int64_t)SSL_SESSION_get_ticket_lifetime_hint(session);
  if(!life)
    life = SSL_SESSION_get_timeout(session);
  return SSL_SESSION_get_time(session) + (life < most ? life : most);
}

static void put(struct mote_tls_stream *t, const char *key, const SSL_SESSION *session, const uint8_t *der,
                size_t len)
{
  struct mote_session_info info;
  const unsigned char *name;
  unsigned name_len;
  char alpn[64];
  memset(&info, 0, sizeof info);
  info.valid_until = end_of_life(session);
  info.earlydata_max = SSL_SESSION_get_max_early_data(session);
  info.tls_id = SSL_SESSION_get_protocol_version(session);
  info.client_cert = t->ctx->client_cert;
  SSL_get0_alpn_selected(t->ssl, &name, &name_len);
  if(name_len && name_len < sizeof alpn) {
    memcpy(alpn, name, name_len);
    alpn[name_len] = 0;
    info.alpn = alpn;
  }
  lock(t);
  mote_session_put(t->cache, key, der, len, &info, mote_port_wall());
  unlock(t);
}

static void keep(struct mote_tls_stream *t, SSL_SESSION *session)
{
  char key[MOTE_SESSION_KEY];
  unsigned char *p;
  uint8_t *der;
  uint8_t *stripped;
  size_t len;
  int whole;
  if(!t->cache || !SSL_SESSION_is_resumable(session) || !make_key(t, key))
    return;
  whole = i2d_SSL_SESSION(session, NULL);
  if(whole <= 0 || whole > SERIALISED_MAX)
    return;
  der = mote_mem_alloc(t->stream.env->account, MOTE_PART_TLS, (size_t)whole);
  if(!der)
    return;
  p = der;
  len = (size_t)i2d_SSL_SESSION(session, &p);
  stripped = mote_der_drop(der, &len, PEER_TAG);
  if(stripped)
    put(t, key, session, stripped, len);
  OPENSSL_cleanse(der, (size_t)whole);
  mote_mem_free(t->stream.env->account, MOTE_PART_TLS, der, (size_t)whole);
}

int mote_openssl_new_session(SSL *ssl, SSL_SESSION *session)
{
  struct mote_tls_stream *t = mote_tls_of_ssl(ssl);
  if(t && t->done)
    keep(t, session);
  return 0; /* no reference was taken */
}

void mote_openssl_keep(struct mote_tls_stream *t)
{
  if(SSL_version(t->ssl) < TLS1_3_VERSION)
    keep(t, SSL_get_session(t->ssl));
}
