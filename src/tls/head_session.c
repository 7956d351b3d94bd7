/* tls/head_session.c: between the streams of any TLS library and the session cache. */
#include <string.h>

#include "port/port.h"
#include "tls/backend.h"
#include "tls/session.h"
#include "tls/tls.h"

#define ALPN_MAX 64 /* bytes of a protocol's name that is kept, with its NUL */

/* false: there is no cache, or the name is too long for one. */
static bool make_key(const struct mote_tls_head *t, char key[MOTE_SESSION_KEY], const uint8_t *identity)
{
  return t->cache && mote_session_key(key, mote_tls_host(t), t->port, mote_tls_row(&t->stream)->version(),
                                      identity);
}

static void lock(const struct mote_tls_head *t)
{
  if(t->guard)
    t->guard->lock(t->guard_arg);
}

static void unlock(const struct mote_tls_head *t)
{
  if(t->guard)
    t->guard->unlock(t->guard_arg);
}

void mote_tls_take_session(struct mote_tls_head *t, const uint8_t identity[16],
                           bool (*use)(void *arg, const void *bytes, size_t len))
{
  char key[MOTE_SESSION_KEY];
  if(!make_key(t, key, identity))
    return;
  lock(t);
  (void)mote_session_take(t->cache, key, mote_port_wall(), use, &t->stream);
  unlock(t);
}

void mote_tls_put_session(struct mote_tls_head *t, const uint8_t identity[16], const void *bytes, size_t len,
                          struct mote_session_info *info)
{
  char key[MOTE_SESSION_KEY];
  char alpn[ALPN_MAX];
  const char *name;
  size_t name_len;
  if(!make_key(t, key, identity))
    return;
  info->client_cert = t->client_cert;
  name = mote_tls_alpn(&t->stream, &name_len);
  if(name && name_len < sizeof alpn) {
    memcpy(alpn, name, name_len);
    alpn[name_len] = 0;
    info->alpn = alpn;
  }
  lock(t);
  mote_session_put(t->cache, key, bytes, len, info, mote_port_wall());
  unlock(t);
}
