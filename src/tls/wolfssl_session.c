/* tls/wolfssl_session.c: between wolfSSL's sessions and the session cache. What is kept is wolfSSL's
 * serialised form. */
#include <string.h>

#include "base/memory.h"
#include "port/port.h"
#include "tls/blob.h"
#include "tls/common.h"
#include "tls/session.h"
#include "tls/wolfssl.h"

#define SERIALISED_MAX 65536
#define DAY (24 * 60 * 60)

void mote_wolfssl_name_session(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  t->session_cache = mote_tls_session_name(cfg, t->identity);
}

static bool make_key(const struct mote_wolfssl *t, char key[MOTE_SESSION_KEY])
{
  return mote_session_key(key, t->text, t->port, mote_wolfssl_version(), t->identity);
}

static bool use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_wolfssl *t = arg;
  const unsigned char *p = bytes;
  WOLFSSL_SESSION *session = wolfSSL_d2i_SSL_SESSION(NULL, &p, (long)len);
  bool ok = session && wolfSSL_set_session(t->ssl, session) == WOLFSSL_SUCCESS;
  wolfSSL_SESSION_free(session);
  wolfSSL_ERR_clear_error();
  t->offered = ok;
  return ok;
}

void mote_wolfssl_resume(struct mote_wolfssl *t)
{
  char key[MOTE_SESSION_KEY];
  if(!t->cache || !make_key(t, key))
    return;
  if(t->guard)
    t->guard->lock(t->guard_arg);
  (void)mote_session_take(t->cache, key, mote_port_wall(), use_session, t);
  if(t->guard)
    t->guard->unlock(t->guard_arg);
}

static void put(struct mote_wolfssl *t, const char *key, const WOLFSSL_SESSION *session, const uint8_t *bytes,
                size_t len)
{
  bool is_13 = wolfSSL_version(t->ssl) >= TLS1_3_VERSION;
  int64_t most = is_13 ? 7 * DAY : DAY;
  int64_t life = wolfSSL_SESSION_get_timeout(session);
  struct mote_session_info info = {.tls_id = wolfSSL_version(t->ssl), .client_cert = t->client_cert};
  unsigned short name_len = 0;
  char *name = NULL;
  char alpn[64];
  info.valid_until = mote_port_wall() + (life < most ? life : most);
  if(wolfSSL_ALPN_GetProtocol(t->ssl, &name, &name_len) == WOLFSSL_SUCCESS && name_len < sizeof alpn) {
    memcpy(alpn, name, name_len);
    alpn[name_len] = 0;
    info.alpn = alpn;
  }
  if(t->guard)
    t->guard->lock(t->guard_arg);
  mote_session_put(t->cache, key, bytes, len, &info, mote_port_wall());
  if(t->guard)
    t->guard->unlock(t->guard_arg);
}

static void keep(struct mote_wolfssl *t, const char *key, WOLFSSL_SESSION *session)
{
  struct mote_account *a = t->stream.env->account;
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
    put(t, key, session, bytes, (size_t)len);
  mote_tls_wipe(bytes, (size_t)len);
  mote_mem_free(a, MOTE_PART_TLS, bytes, (size_t)len);
}

void mote_wolfssl_keep(struct mote_wolfssl *t)
{
  char key[MOTE_SESSION_KEY];
  WOLFSSL_SESSION *session;
  t->ticket = false;
  if(!t->cache || !make_key(t, key))
    return;
  session = wolfSSL_get1_session(t->ssl);
  if(session)
    keep(t, key, session);
  wolfSSL_SESSION_free(session);
  wolfSSL_ERR_clear_error();
}
