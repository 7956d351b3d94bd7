/* tls/bearssl/bearssl_session.c: sessions of TLS 1.2, which the server finds by their id (BearSSL has no
 * tickets). What is kept, in network order: id length 1, id 32, version 2, suite 2, master secret 48 */
#include <string.h>

#include "base/wipe.h"
#include "port/port.h"
#include "tls/bearssl/bearssl.h"
#include "tls/config.h"
#include "tls/session.h"

#define DAY (24 * 60 * 60) /* RFC 5246 appendix F.1.4 */
#define BYTES 85

static bool bearssl_use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_bearssl *t = mote_bearssl_of(arg);
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
  mote_wipe(&s, sizeof s);
  t->offered_len = p[0];
  return true;
}

void mote_bearssl_resume_as(struct mote_stream *s, const struct mote_stream *other)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  const br_ssl_session_parameters *session = &mote_bearssl_of(other)->cc.eng.session;
  br_ssl_engine_set_session_parameters(&t->cc.eng, session);
  t->offered_len = session->session_id_len;
}

void mote_bearssl_resume(struct mote_bearssl *t)
{
  if(!t->offered_len)
    mote_tls_take_session(&t->head, t->identity, bearssl_use_session);
}

void mote_bearssl_keep(struct mote_bearssl *t)
{
  const br_ssl_session_parameters *s = &t->cc.eng.session;
  struct mote_session_info info = {.valid_until = mote_port_wall() + DAY, .tls_id = s->version};
  uint8_t bytes[BYTES];
  if(!s->session_id_len || s->session_id_len > sizeof s->session_id)
    return;
  bytes[0] = s->session_id_len;
  memcpy(bytes + 1, s->session_id, sizeof s->session_id);
  bytes[33] = (uint8_t)(s->version >> 8);
  bytes[34] = (uint8_t)s->version;
  bytes[35] = (uint8_t)(s->cipher_suite >> 8);
  bytes[36] = (uint8_t)s->cipher_suite;
  memcpy(bytes + 37, s->master_secret, sizeof s->master_secret);
  mote_tls_put_session(&t->head, t->identity, bytes, sizeof bytes, &info);
  mote_wipe(bytes, sizeof bytes);
}
