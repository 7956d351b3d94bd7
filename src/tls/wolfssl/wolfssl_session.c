/* tls/wolfssl/wolfssl_session.c: between wolfSSL's sessions and the session cache. What is kept is wolfSSL's
 * serialised form. */
#include "base/memory.h"
#include "port/port.h"
#include "tls/config.h"
#include "tls/session.h"
#include "tls/wolfssl/wolfssl.h"

#define SERIALISED_MAX 65536
#define DAY (24 * 60 * 60)

static bool wolfssl_use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_wolfssl *t = mote_wolfssl_of(arg);
  const unsigned char *p = bytes;
  WOLFSSL_SESSION *session = wolfSSL_d2i_SSL_SESSION(NULL, &p, (long)len);
  bool ok = session && wolfSSL_set_session(t->ssl, session) == WOLFSSL_SUCCESS;
  wolfSSL_SESSION_free(session);
  wolfSSL_ERR_clear_error();
  t->offered = ok;
  return ok;
}

void mote_wolfssl_resume_as(struct mote_stream *s, const struct mote_stream *other)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  WOLFSSL_SESSION *session = wolfSSL_get1_session(mote_wolfssl_of(other)->ssl);
  t->offered = session && wolfSSL_set_session(t->ssl, session) == WOLFSSL_SUCCESS;
  wolfSSL_SESSION_free(session);
  wolfSSL_ERR_clear_error();
}

void mote_wolfssl_resume(struct mote_wolfssl *t)
{
  if(!t->offered)
    mote_tls_take_session(&t->head, t->identity, wolfssl_use_session);
}

static void wolfssl_session_put(struct mote_wolfssl *t, const WOLFSSL_SESSION *session, const uint8_t *bytes,
                                size_t len)
{
  int64_t most = wolfSSL_version(t->ssl) >= TLS1_3_VERSION ? 7 * DAY : DAY;
  int64_t life = wolfSSL_SESSION_get_timeout(session);
  struct mote_session_info info = {
    .valid_until = mote_port_wall() + (life < most ? life : most),
    .tls_id = wolfSSL_version(t->ssl),
  };
  mote_tls_put_session(&t->head, t->identity, bytes, len, &info);
}

static void wolfssl_session_keep(struct mote_wolfssl *t, WOLFSSL_SESSION *session)
{
  struct mote_account *a = t->head.stream.env->account;
  int len = wolfSSL_i2d_SSL_SESSION(session, NULL);
  unsigned char *p;
  uint8_t *bytes;
  if(len <= 0 || len > SERIALISED_MAX)
    return;
  bytes = mote_mem_alloc(a, MOTE_PART_TLS, (size_t)len);
  if(!bytes)
    return;
  p = bytes;
  if(wolfSSL_i2d_SSL_SESSION(session, &p) == len)
    wolfssl_session_put(t, session, bytes, (size_t)len);
  mote_mem_free(a, MOTE_PART_TLS, bytes, (size_t)len);
}

void mote_wolfssl_keep(struct mote_wolfssl *t)
{
  WOLFSSL_SESSION *session;
  t->ticket = false;
  if(!t->head.cache)
    return;
  session = wolfSSL_get1_session(t->ssl);
  if(session)
    wolfssl_session_keep(t, session);
  wolfSSL_SESSION_free(session);
  wolfSSL_ERR_clear_error();
}
