/* tls/bearssl_session.c: sessions of TLS 1.2, found again by the server under their id (BearSSL has no
 * tickets). What is kept, in network order:
 *   id length 1, id 32, version 2, suite 2, master secret 48 */
#include <string.h>

#include "port/port.h"
#include "tls/bearssl.h"
#include "tls/blob.h"
#include "tls/common.h"
#include "tls/session.h"

#define DAY (24 * 60 * 60) /* RFC 5246 appendix F.1.4 */
#define BYTES 85

void mote_bearssl_name_session(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  t->session_cache = mote_tls_session_name(cfg, t->identity);
}

static bool make_key(const struct mote_bearssl *t, char key[MOTE_SESSION_KEY])
{
  return mote_session_key(key, t->text, t->port, mote_tls_bearssl.version(), t->identity);
}

static bool use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_bearssl *t = arg;
  const uint8_t *p = bytes;
  br_ssl_session_parameters s;
  if(len != BYTES || !p[0] || p[0] > sizeof s.session_id)
    return false;
  memset(&s, 0, sizeof s);
  s.session_id_len = p[0];
  memcpy(s.session_id, p + 1, sizeof s.session_id);
  s.version = (uint16_t)(p[33] << 8 | p[34]);
  s.cipher_suite = (uint16_t)(p[35] << 8 | p[36]);
  memcpy(s.master_secret, p + 37, sizeof s.master_secret);
  br_ssl_engine_set_session_parameters(&t->cc.eng, &s);
  mote_tls_wipe(&s, sizeof s);
  t->offered_len = p[0];
  return true;
}

void mote_bearssl_resume(struct mote_bearssl *t)
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

void mote_bearssl_keep(struct mote_bearssl *t)
{
  const br_ssl_session_parameters *s = &t->cc.eng.session;
  struct mote_session_info info = {.tls_id = s->version, .client_cert = t->client_cert};
  char key[MOTE_SESSION_KEY];
  uint8_t bytes[BYTES];
  if(!t->cache || !s->session_id_len || s->session_id_len > sizeof s->session_id || !make_key(t, key))
    return;
  bytes[0] = s->session_id_len;
  memcpy(bytes + 1, s->session_id, sizeof s->session_id);
  bytes[33] = (uint8_t)(s->version >> 8);
  bytes[34] = (uint8_t)s->version;
  bytes[35] = (uint8_t)(s->cipher_suite >> 8);
  bytes[36] = (uint8_t)s->cipher_suite;
  memcpy(bytes + 37, s->master_secret, sizeof s->master_secret);
  info.valid_until = mote_port_wall() + DAY;
  if(br_ssl_engine_get_selected_protocol(&t->cc.eng))
    info.alpn = br_ssl_engine_get_selected_protocol(&t->cc.eng);
  if(t->guard)
    t->guard->lock(t->guard_arg);
  mote_session_put(t->cache, key, bytes, sizeof bytes, &info, mote_port_wall());
  if(t->guard)
    t->guard->unlock(t->guard_arg);
  mote_tls_wipe(bytes, sizeof bytes);
}
