/* tls/openssl/openssl_quic.c: TLS whose messages QUIC carries (net/h3/carrier.h). The stream makes and
 * checks what that of openssl_stream.c does; its handshake is its carrier's, and no byte goes through it.
 *
 * QUIC protects its packets itself, with keys that it has from the handshake and renews without TLS (RFC 9001
 * section 6). Of TLS only sessions can come after that. So a connection that rests gives its SSL up, which
 * would keep the key shares, the certificate and the handshake's state for as long as the connection: a
 * third of what it takes. It stays where the application may ask it (struct mote_tls_ctx.own, certinfo). */
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_ossl.h>
#include <openssl/err.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "net/h3/carrier.h"
#include "tls/openssl/openssl.h"
#include "tls/session.h"

#define LIFE_MAX 604800 /* seconds that a server may take a session (RFC 8446 section 4.6.1) */

static int own_data =
  -1; /* index of a stream among the data of its SSL; that of the application is ngtcp2's */

_Static_assert(MOTE_OPENSSL_REMEMBERED == MOTE_QUIC_REMEMBERED, "openssl.h knows no carrier");

/* What was kept with a session. */
struct remembered {
  size_t len;
  char bytes[MOTE_QUIC_REMEMBERED];
};

/* What a stream has besides struct mote_tls_stream. Its SSL leads to it, too (SSL_get_app_data()). */
struct openssl_quic {
  ngtcp2_crypto_conn_ref ref; /* first: libngtcp2_crypto takes it for this alone */
  ngtcp2_crypto_ossl_ctx *context;   /* owned; NULL: TLS is given up, or not made yet */
  struct mote_quic_carrier *carrier; /* NULL: none yet */
  struct mote_tls_info facts;        /* of the handshake, once TLS is given up */
  struct remembered *found; /* while a session is looked for; on the stack */
  SSL_SESSION *put_off[MOTE_SESSION_TICKETS]; /* owned; the newest first, or NULL */
  bool may_early : 1; /* as configured */
  bool has_ticket : 1; /* the server has sent a session */
  bool rested : 1;     /* the connection has rested before */
};

static struct openssl_quic *openssl_quic_of(const struct mote_stream *s)
{
  return mote_tls_of(s)->quic;
}

bool mote_openssl_quic_init(void)
{
  own_data = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
  return own_data >= 0 && !ngtcp2_crypto_ossl_init();
}

struct mote_tls_stream *mote_openssl_quic_stream(const SSL *ssl)
{
  return SSL_get_ex_data(ssl, own_data);
}

static ngtcp2_conn *openssl_quic_connection(ngtcp2_crypto_conn_ref *ref)
{
  const struct openssl_quic *q = (const struct openssl_quic *)ref;
  return q->carrier->ops->quic(q->carrier);
}

/* ---- making and closing ---- */

static CURLcode openssl_quic_prepare(struct mote_tls_stream *t, bool early)
{
  struct openssl_quic *q = mote_mem_zalloc(t->head.stream.env->account, MOTE_PART_TLS, sizeof *q);
  if(!q)
    return CURLE_OUT_OF_MEMORY;
  t->quic = q;
  q->ref.get_conn = openssl_quic_connection;
  q->may_early = early;
  SSL_set_app_data(t->ssl, &q->ref);
  if(SSL_set_ex_data(t->ssl, own_data, t) != 1)
    return CURLE_OUT_OF_MEMORY;
  if(ngtcp2_crypto_ossl_ctx_new(&q->context, t->ssl))
    return CURLE_OUT_OF_MEMORY;
  if(SSL_get_max_proto_version(t->ssl) && SSL_get_max_proto_version(t->ssl) < TLS1_3_VERSION)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, t->head.stream.env->report,
                        "QUIC needs TLS 1.3, which CURLOPT_SSLVERSION forbids");
  if(SSL_set_min_proto_version(t->ssl, TLS1_3_VERSION) != 1 ||
     ngtcp2_crypto_ossl_configure_client_session(t->ssl))
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, t->head.stream.env->report, "QUIC needs TLS 1.3");
  SSL_set_connect_state(t->ssl); /* again, as the records are other ones now */
  return CURLE_OK;
}

static CURLcode openssl_quic_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg)
{
  CURLcode rc = mote_openssl_set_up(head, cfg, false);
  return rc ? rc : openssl_quic_prepare(mote_tls_of(&head->stream), cfg->early);
}

static bool openssl_quic_early_is_taken(const struct mote_stream *s)
{
  return SSL_get_early_data_status(mote_tls_of(s)->ssl) == SSL_EARLY_DATA_ACCEPTED;
}

static void openssl_quic_carry(struct mote_stream *s, struct mote_quic_carrier *carrier)
{
  struct openssl_quic *q = openssl_quic_of(s);
  q->carrier = carrier;
  carrier->tls = s;
  carrier->early_is_taken = openssl_quic_early_is_taken;
  carrier->ops->use_tls(carrier, q->context);
}

static struct mote_quic_carrier *openssl_quic_carrier(const struct mote_stream *s)
{
  return openssl_quic_of(s)->carrier;
}

static void openssl_quic_drop_put_off(struct openssl_quic *q)
{
  unsigned i;
  for(i = 0; i < MOTE_SESSION_TICKETS; i++) {
    SSL_SESSION_free(q->put_off[i]);
    q->put_off[i] = NULL;
  }
}

/* While it is freed, TLS must find no connection any more. */
static void openssl_quic_free_tls(struct mote_tls_stream *t)
{
  SSL_set_app_data(t->ssl, NULL);
  SSL_free(t->ssl);
  t->ssl = NULL;
  if(t->quic->context)
    ngtcp2_crypto_ossl_ctx_del(t->quic->context);
  t->quic->context = NULL;
}

/* TLS says no goodbye here: QUIC has its own end (RFC 9001 section 4.1.1). */
static void openssl_quic_close(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  struct openssl_quic *q = t->quic;
  if(q) {
    if(q->carrier)
      q->carrier->ops->close(q->carrier);
    openssl_quic_drop_put_off(q);
    if(t->ssl)
      openssl_quic_free_tls(t);
    mote_mem_free(s->env->account, MOTE_PART_TLS, q, sizeof *q);
  }
  mote_openssl_close(s);
}

/* ---- giving TLS up ---- */

/* Sessions come right after the handshake. One that is late has until the connection rests again. */
static bool openssl_quic_waits_for_session(const struct mote_tls_stream *t)
{
  return t->head.session_cache && !t->quic->has_ticket && !t->quic->rested;
}

static bool openssl_quic_needs_tls(const struct mote_tls_stream *t)
{
  const struct mote_quic_carrier *carrier = t->quic->carrier;
  return !t->head.done || t->head.dead || t->ctx->own || t->ctx->certinfo ||
         !carrier->ops->is_confirmed(carrier) || openssl_quic_waits_for_session(t);
}

static void openssl_quic_idle(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  struct openssl_quic *q = t->quic;
  if(t->ssl && !openssl_quic_needs_tls(t)) {
    mote_openssl_get_info(s, &q->facts);
    q->carrier->ops->use_tls(q->carrier, NULL);
    openssl_quic_free_tls(t);
  }
  q->rested = true;
  mote_tls_idle(s);
}

static void openssl_quic_get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  if(mote_tls_of(s)->ssl)
    mote_openssl_get_info(s, out);
  else
    *out = openssl_quic_of(s)->facts;
}

static const char *openssl_quic_alpn(const struct mote_stream *s, size_t *len)
{
  *len = 0;
  return mote_tls_of(s)->ssl ? mote_openssl_alpn(s, len) : NULL;
}

/* ---- sessions, with what the carrier remembers after them ---- */

bool mote_openssl_quic_put_off(struct mote_tls_stream *t, SSL_SESSION *session)
{
  struct openssl_quic *q = t ? t->quic : NULL;
  unsigned i;
  if(!q)
    return false;
  q->has_ticket = true;
  if(t->head.done)
    return false;
  SSL_SESSION_free(q->put_off[MOTE_SESSION_TICKETS - 1]);
  for(i = MOTE_SESSION_TICKETS - 1; i > 0; i--)
    q->put_off[i] = q->put_off[i - 1];
  q->put_off[0] = session;
  return true;
}

/* The peer is checked. The newest is put last, as it is used first. */
static void openssl_quic_keep_put_off(struct mote_tls_stream *t)
{
  struct openssl_quic *q = openssl_quic_of(&t->head.stream);
  unsigned i;
  for(i = MOTE_SESSION_TICKETS; i > 0; i--)
    if(q->put_off[i - 1])
      (void)mote_openssl_new_session(t->ssl, q->put_off[i - 1]);
  openssl_quic_drop_put_off(q);
}

size_t mote_openssl_quic_remember(const struct mote_tls_stream *t, uint8_t *to)
{
  const struct openssl_quic *q = t->quic;
  return q ? q->carrier->ops->remember(q->carrier, to) : 0;
}

static bool openssl_quic_use_session(void *arg, const void *bytes, size_t len)
{
  struct mote_tls_stream *t = mote_tls_of(arg);
  struct remembered *found = openssl_quic_of(arg)->found;
  const unsigned char *p = bytes;
  SSL_SESSION *session = d2i_SSL_SESSION(NULL, &p, (long)len);
  bool ok = session && SSL_SESSION_is_resumable(session) && SSL_set_session(t->ssl, session) == 1;
  size_t rest = len - (size_t)(p - (const unsigned char *)bytes);
  if(ok && rest <= sizeof found->bytes) {
    memcpy(found->bytes, p, rest);
    found->len = rest;
  }
  SSL_SESSION_free(session);
  ERR_clear_error();
  return ok;
}

/* A server that speaks QUIC bounds early data by its windows alone (RFC 9001 section 4.6.1). */
static bool openssl_quic_may_early(const struct mote_tls_stream *t, const struct remembered *found)
{
  const SSL_SESSION *session = SSL_get0_session(t->ssl);
  return found->len && session && SSL_SESSION_get_max_early_data(session) == UINT32_MAX;
}

/* The cache is locked while a session is looked for, and not while the carrier asks for a request. */
static void openssl_quic_resume(struct mote_tls_stream *t)
{
  struct openssl_quic *q = openssl_quic_of(&t->head.stream);
  struct remembered found;
  found.len = 0;
  q->found = &found;
  mote_tls_take_session(&t->head, t->ctx->key, openssl_quic_use_session);
  q->found = NULL;
  if(q->may_early && openssl_quic_may_early(t, &found) &&
     q->carrier->ops->begin_early(q->carrier, (struct mote_slice){found.bytes, found.len}))
    (void)SSL_set_quic_tls_early_data_enabled(t->ssl, 1);
}

/* What a resumed session is made of was made by openssl_session.c: there is no certificate in it. */
static void openssl_quic_put_back(struct mote_tls_stream *t, const SSL_SESSION *session, uint8_t *der,
                                  size_t len)
{
  int64_t life = (int64_t)SSL_SESSION_get_ticket_lifetime_hint(session);
  unsigned char *p = der;
  struct mote_session_info info = {
    .valid_until = SSL_SESSION_get_time(session) + (life < LIFE_MAX ? life : LIFE_MAX),
    .earlydata_max = SSL_SESSION_get_max_early_data(session),
    .tls_id = TLS1_3_VERSION,
  };
  (void)i2d_SSL_SESSION(session, &p);
  len += mote_openssl_quic_remember(t, der + len);
  mote_tls_put_session(&t->head, t->ctx->key, der, len, &info);
  OPENSSL_cleanse(der, len);
}

static void openssl_quic_give_back(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  const SSL_SESSION *session = SSL_get0_session(t->ssl);
  int len =
    t->head.cache && session && SSL_SESSION_is_resumable(session) ? i2d_SSL_SESSION(session, NULL) : 0;
  size_t size = (size_t)len + MOTE_OPENSSL_REMEMBERED;
  uint8_t *der =
    len > 0 && len <= (int)MOTE_SESSION_MAX ? mote_mem_alloc(s->env->account, MOTE_PART_TLS, size) : NULL;
  if(!der)
    return;
  openssl_quic_put_back(t, session, der, (size_t)len);
  mote_mem_free(s->env->account, MOTE_PART_TLS, der, size);
}

/* ---- the ops ---- */

static CURLcode openssl_quic_handshake(struct mote_stream *s, bool *done)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  struct openssl_quic *q = openssl_quic_of(s);
  bool complete;
  CURLcode rc;
  *done = t->head.done;
  if(t->head.done)
    return CURLE_OK;
  if(t->head.dead)
    return CURLE_QUIC_CONNECT_ERROR;
  if(SSL_get_state(t->ssl) == TLS_ST_BEFORE)
    openssl_quic_resume(t);
  ERR_clear_error();
  rc = q->carrier->ops->go_on(q->carrier, &complete);
  if(rc == CURLE_SSL_CONNECT_ERROR)
    return mote_openssl_handshake_failed(t);
  if(rc)
    return mote_tls_broken(&t->head, rc);
  if(!complete)
    return CURLE_OK;
  rc = mote_openssl_handshake_done(t);
  if(!rc)
    openssl_quic_keep_put_off(t);
  *done = !rc;
  return rc;
}

static CURLcode openssl_quic_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  (void)s;
  (void)buf;
  (void)cap;
  *n = 0;
  return CURLE_RECV_ERROR;
}

static CURLcode openssl_quic_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  (void)s;
  (void)buf;
  (void)len;
  *n = 0;
  return CURLE_SEND_ERROR;
}

/* Once it is there its driver knows what it waits for. */
static unsigned openssl_quic_want(const struct mote_stream *s, unsigned interest)
{
  const struct openssl_quic *q = openssl_quic_of(s);
  if(mote_tls_of(s)->head.done)
    return interest;
  return q->carrier->ops->want(q->carrier);
}

/* Looks at nothing: the driver says whether the connection is good (struct mote_driver.usable). */
static bool openssl_quic_quiet(struct mote_stream *s)
{
  (void)s;
  return true;
}

const struct mote_tls_backend mote_tls_openssl_quic = {
  .stream = {
    .handshake = openssl_quic_handshake,
    .recv = openssl_quic_recv,
    .send = openssl_quic_send,
    .want = openssl_quic_want,
    .idle = openssl_quic_idle,
    .quiet = openssl_quic_quiet,
    .close = openssl_quic_close,
  },
  MOTE_OPENSSL_ROW,
  .alpn = openssl_quic_alpn,
  .get_info = openssl_quic_get_info,
  .set_up = openssl_quic_set_up,
  .carry = openssl_quic_carry,
  .give_back = openssl_quic_give_back,
  .carrier = openssl_quic_carrier,
};
