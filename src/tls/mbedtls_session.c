/* tls/mbedtls_session.c: sessions of TLS 1.2 by id or ticket, in the library's own serialised form. The
 * server's chain is gone by then, so that it is not part of it. */
#include <string.h>

#include "base/memory.h"
#include "port/port.h"
#include "tls/blob.h"
#include "tls/common.h"
#include "tls/mbedtls.h"
#include "tls/session.h"

#define DAY (24 * 60 * 60) /* RFC 5246 appendix F.1.4 */

void mote_mbedtls_name_session(struct mote_mbedtls *t, const struct mote_tls_config *cfg)
{
  t->session_cache = mote_tls_session_name(cfg, t->identity);
}

static bool make_key(const struct mote_mbedtls *t, char key[MOTE_SESSION_KEY])
{
  return mote_session_key(key, t->text, t->port, mote_tls_mbedtls.version(), t->identity);
}

static bool use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_mbedtls *t = arg;
  mbedtls_ssl_session s;
  bool ok;
  mbedtls_ssl_session_init(&s);
  ok = !mbedtls_ssl_session_load(&s, bytes, len) && !mbedtls_ssl_set_session(&t->ssl, &s);
  mbedtls_ssl_session_free(&s);
  return ok;
}

void mote_mbedtls_resume(struct mote_mbedtls *t)
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

static void put(struct mote_mbedtls *t, const char *key, const uint8_t *bytes, size_t len)
{
  const mbedtls_ssl_session *s = t->ssl.session;
  struct mote_session_info info = {.tls_id = 0x0303, .client_cert = t->client_cert};
  int64_t now = mote_port_wall();
  info.valid_until = now + (s->ticket_len && s->ticket_lifetime ? (int64_t)s->ticket_lifetime : DAY);
  info.alpn = mbedtls_ssl_get_alpn_protocol(&t->ssl);
  if(t->guard)
    t->guard->lock(t->guard_arg);
  mote_session_put(t->cache, key, bytes, len, &info, now);
  if(t->guard)
    t->guard->unlock(t->guard_arg);
}

void mote_mbedtls_keep(struct mote_mbedtls *t)
{
  const mbedtls_ssl_session *s = t->ssl.session;
  struct mote_account *a = t->stream.env->account;
  char key[MOTE_SESSION_KEY];
  size_t len = 0;
  uint8_t *bytes;
  if(!t->cache || (!s->id_len && !s->ticket_len) || !make_key(t, key))
    return;
  (void)mbedtls_ssl_session_save(s, NULL, 0, &len);
  if(!len || len > MOTE_SESSION_MAX)
    return;
  bytes = mote_mem_alloc(a, MOTE_PART_TLS, len);
  if(!bytes)
    return;
  if(!mbedtls_ssl_session_save(s, bytes, len, &len))
    put(t, key, bytes, len);
  mote_tls_wipe(bytes, len);
  mote_mem_free(a, MOTE_PART_TLS, bytes, len);
}
