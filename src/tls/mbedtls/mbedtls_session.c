/* tls/mbedtls/mbedtls_session.c: sessions of TLS 1.2 by id or ticket, in the library's own serialised form.
 * The server's chain is gone by then, so that it is not part of it. */
#include "base/memory.h"
#include "port/port.h"
#include "tls/config.h"
#include "tls/mbedtls/mbedtls.h"
#include "tls/session.h"

#define DAY (24 * 60 * 60) /* RFC 5246 appendix F.1.4 */

static bool mbedtls_use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_mbedtls *t = mote_mbedtls_of(arg);
  mbedtls_ssl_session s;
  bool ok;
  mbedtls_ssl_session_init(&s);
  ok = !mbedtls_ssl_session_load(&s, bytes, len) && !mbedtls_ssl_set_session(&t->ssl, &s);
  mbedtls_ssl_session_free(&s);
  return ok;
}

/* Returns the serialised session of `from` in memory of t, which mbedtls_session_drop() frees, or NULL. */
static uint8_t *serialise(struct mote_mbedtls *t, const struct mote_mbedtls *from, size_t *len)
{
  const mbedtls_ssl_session *s = from->ssl.session;
  uint8_t *bytes;
  *len = 0;
  if(!s || (!s->id_len && !s->ticket_len))
    return NULL;
  (void)mbedtls_ssl_session_save(s, NULL, 0, len);
  if(!*len || *len > MOTE_SESSION_MAX)
    return NULL;
  bytes = mote_mem_alloc(t->head.stream.env->account, MOTE_PART_TLS, *len);
  if(bytes)
    (void)mbedtls_ssl_session_save(s, bytes, *len, len);
  return bytes;
}

static void mbedtls_session_drop(struct mote_mbedtls *t, uint8_t *bytes, size_t len)
{
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, bytes, len);
}

/* The library takes a session only when the handshake begins. */
void mote_mbedtls_resume_as(struct mote_stream *s, const struct mote_stream *other)
{
  mote_mbedtls_of(s)->first = mote_mbedtls_of(other);
}

void mote_mbedtls_resume(struct mote_mbedtls *t)
{
  size_t len;
  uint8_t *bytes = t->first ? serialise(t, t->first, &len) : NULL;
  if(bytes) {
    (void)mbedtls_use_session(&t->head.stream, bytes, len);
    mbedtls_session_drop(t, bytes, len);
  }
  else
    mote_tls_take_session(&t->head, t->identity, mbedtls_use_session);
}

void mote_mbedtls_keep(struct mote_mbedtls *t)
{
  const mbedtls_ssl_session *s = t->ssl.session;
  struct mote_session_info info = {.valid_until = mote_port_wall() + DAY, .tls_id = 0x0303};
  size_t len;
  uint8_t *bytes = t->head.cache ? serialise(t, t, &len) : NULL;
  if(!bytes)
    return;
  if(s->ticket_len && s->ticket_lifetime)
    info.valid_until += (int64_t)s->ticket_lifetime - DAY;
  mote_tls_put_session(&t->head, t->identity, bytes, len, &info);
  mbedtls_session_drop(t, bytes, len);
}
