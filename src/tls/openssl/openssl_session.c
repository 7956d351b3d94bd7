/* tls/openssl/openssl_session.c: between the TLS library's sessions and the session cache.
 *
 * A session goes into the cache only after the peer has passed every check: up to TLS 1.2 the library offers
 * it before, so it is taken when the handshake is done; in TLS 1.3 tickets come later anyway. The peer's
 * certificate is cut out of it: the name and the configuration that it was verified for are the key. That of
 * a stream of QUIC is followed by what early data needs. */
#include <openssl/err.h>

#include "base/memory.h"
#include "tls/openssl/openssl.h"
#include "tls/session.h"
#include "tls/x509/der.h"

#define SERIALISED_USUAL 2048         /* which the stack has room for */
#define SERIALISED_MAX 32768          /* with the peer's certificate */
#define PEER_TAG MOTE_DER_CONTEXT(3)  /* of the certificate in the library's SSL_SESSION_ASN1 */
#define DAY (24 * 60 * 60)

static bool openssl_use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_tls_stream *t = mote_tls_of(arg);
  const unsigned char *p = bytes;
  SSL_SESSION *session = d2i_SSL_SESSION(NULL, &p, (long)len);
  bool ok = session && SSL_SESSION_is_resumable(session) && SSL_set_session(t->ssl, session) == 1;
  SSL_SESSION_free(session);
  ERR_clear_error();
  return ok;
}

/* A session that is set already is that of mote_openssl_resume_as(). */
void mote_openssl_resume(struct mote_tls_stream *t)
{
  if(!SSL_get_session(t->ssl))
    mote_tls_take_session(&t->head, t->ctx->key, openssl_use_session);
}

/* A copy, since the library lets a session of TLS 1.3 serve once. What has to see the certificates
 * (CURLOPT_CERTINFO and others) has seen them on the connection that is followed. */
void mote_openssl_resume_as(struct mote_stream *s, const struct mote_stream *other)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  SSL_SESSION *session = SSL_get_session(mote_tls_of((struct mote_stream *)(uintptr_t)other)->ssl);
  SSL_SESSION *copy = NULL;
  if(session && SSL_SESSION_is_resumable(session))
    copy = SSL_SESSION_dup(session);
  if(copy)
    (void)SSL_set_session(t->ssl, copy);
  SSL_SESSION_free(copy);
  ERR_clear_error();
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

static void openssl_session_put(struct mote_tls_stream *t, const SSL_SESSION *session, const uint8_t *der,
                                size_t len)
{
  struct mote_session_info info = {
    .valid_until = end_of_life(session),
    .earlydata_max = SSL_SESSION_get_max_early_data(session),
    .tls_id = SSL_SESSION_get_protocol_version(session),
  };
  mote_tls_put_session(&t->head, t->ctx->key, der, len, &info);
}

static void openssl_session_keep(struct mote_tls_stream *t, SSL_SESSION *session)
{
  unsigned char *p;
  uint8_t room[SERIALISED_USUAL];
  uint8_t *der;
  uint8_t *stripped;
  size_t len, size;
  int whole;
  if(!t->head.cache || !SSL_SESSION_is_resumable(session))
    return;
  whole = i2d_SSL_SESSION(session, NULL);
  if(whole <= 0 || whole > SERIALISED_MAX)
    return;
  size = (size_t)whole + MOTE_OPENSSL_REMEMBERED;
  der = room;
  if(size > sizeof room)
    der = mote_mem_alloc(t->head.stream.env->account, MOTE_PART_TLS, size);
  if(!der)
    return;
  p = der;
  len = (size_t)i2d_SSL_SESSION(session, &p);
  stripped = mote_der_drop(der, &len, PEER_TAG);
  if(stripped)
    openssl_session_put(t, session, stripped, len + mote_openssl_quic_remember(t, stripped + len));
  OPENSSL_cleanse(der, (size_t)whole);
  if(der != room)
    mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, der, size);
}

int mote_openssl_new_session(SSL *ssl, SSL_SESSION *session)
{
  struct mote_tls_stream *t = mote_tls_of_ssl(ssl);
  if(mote_openssl_quic_put_off(t, session))
    return 1;
  if(t && t->head.done)
    openssl_session_keep(t, session);
  return 0; /* no reference was taken */
}

void mote_openssl_keep(struct mote_tls_stream *t)
{
  if(SSL_version(t->ssl) < TLS1_3_VERSION)
    openssl_session_keep(t, SSL_get_session(t->ssl));
}
