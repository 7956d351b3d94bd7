/* net/h3/session.c: ngtcp2's connection, from the handshake to its end (net/h3/session.h). */
#include "base/text.h"
#include "net/h3/early.h"
#include "net/h3/session.h"

#include <ngtcp2/ngtcp2_crypto.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "net/conn.h"
#include "net/driver.h"
#include "net/mux/stream.h"
#include "net/mux/window.h"
#include "port/burst.h"
#include "port/port.h"

#define DCID_BYTES 16 /* of the first packet's connection ID, which is random (RFC 9000 section 7.2) */
#define SCID_BYTES 8  /* of ours: several connections may use one port of a server */
#define PEER_STREAMS \
  8 /* streams that the peer may open: control, two of QPACK, and some of types to be ignored */
#define ACK_PACKETS 16  /* that come before an acknowledgement leaves, unless they come slowly */
#define WHY_MAX 160u  /* bytes of a text */

static struct mote_h3_session *h3_session_of(void *user)
{
  return user;
}

/* ---- what is random ---- */

/* ngtcp2 has no way to hear that there is none; mote_h3_open() has seen that there is. */
static void h3_session_rand(uint8_t *to, size_t len, const ngtcp2_rand_ctx *context)
{
  (void)context;
  (void)mote_port_random(to, len);
}

static int h3_session_new_id(ngtcp2_conn *quic, ngtcp2_cid *id, uint8_t *token, size_t len, void *user)
{
  (void)quic;
  (void)user;
  id->datalen = len;
  return mote_port_random(id->data, len) || mote_port_random(token, NGTCP2_STATELESS_RESET_TOKENLEN)
           ? NGTCP2_ERR_CALLBACK_FAILURE : 0;
}

/* ---- the end ---- */

void mote_h3_break(struct mote_h3_session *s, CURLcode why)
{
  if(s->broken)
    return;
  s->broken = (uint8_t)why;
  if(s->user)
    s->user->leave(s);
}

void mote_h3_note(struct mote_h3_session *s, struct mote_slice text)
{
  size_t n = text.len < WHY_MAX - 1 ? text.len : WHY_MAX - 1;
  if(!s->why)
    s->why = n ? mote_h3_memory_take(s, WHY_MAX) : NULL;
  else
    return;
  if(s->why)
    memcpy(s->why, text.ptr, n);
}

static void h3_session_note(struct mote_h3_session *s, const char *text)
{
  mote_h3_note(s, mote_slice_of(text));
}

/* Some of the peer's texts are empty, or not for terminals. */
static void h3_session_note_close(struct mote_h3_session *s)
{
  const ngtcp2_ccerr *e = ngtcp2_conn_get_ccerr(s->quic);
  size_t i;
  for(i = 0; i < e->reasonlen; i++)
    if(e->reason[i] < 0x20 || e->reason[i] > 0x7e)
      return;
  mote_h3_note(s, (struct mote_slice){(const char *)e->reason, e->reasonlen});
}

static CURLcode h3_session_code(const struct mote_h3_session *s, CURLcode later)
{
  return s->shaken ? later : CURLE_QUIC_CONNECT_ERROR;
}

void mote_h3_fail_http(struct mote_h3_session *s, int error)
{
  if(s->http_error)
    return;
  s->http_error = nghttp3_err_infer_quic_app_error_code(error);
  if(error == NGHTTP3_ERR_NOMEM || error == NGHTTP3_ERR_CALLBACK_FAILURE) {
    s->http_code = CURLE_OUT_OF_MEMORY; /* the callbacks fail for nothing else */
    return;
  }
  h3_session_note(s, nghttp3_strerror(error));
  s->http_code = CURLE_HTTP3;
}

void mote_h3_fail(struct mote_h3_session *s, int error)
{
  ngtcp2_ccerr why;
  if(s->broken)
    return;
  if(s->http_error) /* a callback that TLS called comes back as an error of TLS */
    error = NGTCP2_ERR_CALLBACK_FAILURE;
  else if(error == NGTCP2_ERR_CRYPTO && s->starved) /* TLS says no more of it */
    error = NGTCP2_ERR_NOMEM;
  switch(error) {
  case NGTCP2_ERR_CALLBACK_FAILURE:
    mote_h3_break(s, s->http_error ? s->http_code : CURLE_OUT_OF_MEMORY);
    break;
  case NGTCP2_ERR_NOMEM:
    mote_h3_break(s, CURLE_OUT_OF_MEMORY);
    break;
  case NGTCP2_ERR_DRAINING:
    s->over = true;
    h3_session_note_close(s);
    mote_h3_break(s, h3_session_code(s, CURLE_RECV_ERROR));
    return;
  case NGTCP2_ERR_IDLE_CLOSE:
    s->over = true;
    h3_session_note(s, "The server has been silent for too long");
    mote_h3_break(s, h3_session_code(s, CURLE_RECV_ERROR));
    return;
  case NGTCP2_ERR_CRYPTO:
    mote_h3_break(s, s->shaken ? CURLE_RECV_ERROR : CURLE_SSL_CONNECT_ERROR);
    break;
  case NGTCP2_ERR_RECV_VERSION_NEGOTIATION:
    s->over = true;
    h3_session_note(s, "The server does not speak this version of QUIC");
    mote_h3_break(s, CURLE_QUIC_CONNECT_ERROR);
    return;
  default:
    h3_session_note(s, ngtcp2_strerror(error));
    mote_h3_break(s, h3_session_code(s, CURLE_RECV_ERROR));
    break;
  }
  ngtcp2_ccerr_default(&why);
  if(s->http_error)
    ngtcp2_ccerr_set_application_error(&why, s->http_error, NULL, 0);
  else if(error == NGTCP2_ERR_CRYPTO)
    ngtcp2_ccerr_set_tls_alert(&why, ngtcp2_conn_get_tls_alert(s->quic), NULL, 0);
  else
    ngtcp2_ccerr_set_liberr(&why, error, NULL, 0);
  mote_h3_goodbye(s, &why);
}

/* ---- what QUIC reports ---- */

static int h3_session_shaken(ngtcp2_conn *quic, void *user)
{
  struct mote_h3_session *s = h3_session_of(user);
  (void)quic;
  s->shaken = true;
  return mote_h3_early_settle(s) ? 0 : NGTCP2_ERR_CALLBACK_FAILURE;
}

static int h3_session_confirmed(ngtcp2_conn *quic, void *user)
{
  (void)quic;
  h3_session_of(user)->confirmed = true;
  return 0;
}

/* TLS that is given up has no use for sessions, which are all that may still come (RFC 9001 section 4.1). */
static int h3_session_take_crypto(ngtcp2_conn *quic, ngtcp2_encryption_level level, uint64_t offset,
                                  const uint8_t *bytes, size_t len, void *user)
{
  if(!ngtcp2_conn_get_tls_native_handle(quic))
    return 0;
  return ngtcp2_crypto_recv_crypto_data_cb(quic, level, offset, bytes, len, user);
}

/* HTTP/3 may send with the first keys of the application. */
static int h3_session_has_key(ngtcp2_conn *quic, ngtcp2_encryption_level level, void *user)
{
  struct mote_h3_session *s = h3_session_of(user);
  (void)quic;
  if(level != NGTCP2_ENCRYPTION_LEVEL_1RTT || s->http)
    return 0;
  if(ngtcp2_conn_get_streams_uni_left(quic) < 3)
    mote_h3_fail_http(s, NGHTTP3_ERR_H3_STREAM_CREATION_ERROR);
  else if(!mote_h3_begin_http(s))
    mote_h3_fail_http(s, NGHTTP3_ERR_NOMEM);
  return s->http_error ? NGTCP2_ERR_CALLBACK_FAILURE : 0;
}

/* Ends a callback of ngtcp2 as nghttp3 has answered. */
static int h3_session_passed(struct mote_h3_session *s, int rc)
{
  if(!rc)
    return 0;
  mote_h3_fail_http(s, rc);
  return NGTCP2_ERR_CALLBACK_FAILURE;
}

/* What nghttp3 returns are bytes of frames; those of a body are the owner's to give credit for. The end of a
 * response is judged by us before it hears of it. */
int mote_h3_read_stream(struct mote_h3_session *s, struct mote_h3_request *r, int64_t number,
                        struct mote_slice bytes, bool fin)
{
  const uint8_t *p = (const uint8_t *)bytes.ptr;
  ngtcp2_tstamp at = ngtcp2_conn_get_timestamp(s->quic);
  nghttp3_ssize n = nghttp3_conn_read_stream2(s->http, number, p, bytes.len, fin && !r, at), end = 0;
  if(n >= 0 && r) {
    mote_h3_hold(r, (int64_t)bytes.len - n);
    if(fin && mote_h3_is_short(r))
      mote_h3_end_short(s, r);
    else if(fin)
      end = nghttp3_conn_read_stream2(s->http, number, p, 0, true, at);
  }
  if(n < 0 || end < 0)
    return (int)(n < 0 ? n : end);
  ngtcp2_conn_extend_max_stream_offset(s->quic, number, (uint64_t)n);
  ngtcp2_conn_extend_max_offset(s->quic, (uint64_t)n);
  return s->late ? mote_h3_close_late(s) : 0;
}

static int h3_session_take_data(ngtcp2_conn *quic, uint32_t flags, int64_t id, uint64_t offset,
                                const uint8_t *bytes, size_t len, void *user, void *stream)
{
  struct mote_h3_session *s = h3_session_of(user);
  struct mote_slice data = {(const char *)bytes, len};
  bool end = (flags & NGTCP2_STREAM_DATA_FLAG_FIN) != 0;
  (void)quic;
  (void)offset;
  mote_h3_path_answered(s);
  if(!s->http)
    return NGTCP2_ERR_CALLBACK_FAILURE;
  if(mote_h3_early_holds(s->early, id))
    return mote_h3_early_hold(s, stream, data, end) ? 0 : NGTCP2_ERR_CALLBACK_FAILURE;
  return h3_session_passed(s, mote_h3_read_stream(s, stream, id, data, end));
}

static int h3_session_acknowledged(ngtcp2_conn *quic, int64_t id, uint64_t offset, uint64_t len, void *user,
                                   void *stream)
{
  struct mote_h3_session *s = h3_session_of(user);
  (void)quic;
  (void)offset;
  (void)stream;
  mote_h3_path_answered(s);
  return s->http ? h3_session_passed(s, nghttp3_conn_add_ack_offset(s->http, id, len)) : 0;
}

int mote_h3_close_stream(struct mote_h3_session *s, const struct mote_h3_closing *c)
{
  uint64_t code = c->clean ? NGHTTP3_H3_NO_ERROR : c->code;
  int rc;
  if(!s->http || (c->request && mote_h3_closes_later(s, c->request, code)))
    return 0;
  rc = nghttp3_conn_close_stream(s->http, c->number, code);
  return rc == NGHTTP3_ERR_STREAM_NOT_FOUND ? 0 : rc;
}

static int h3_session_stream_close(ngtcp2_conn *quic, uint32_t flags, int64_t id, uint64_t code, void *user,
                                   void *stream)
{
  struct mote_h3_session *s = h3_session_of(user);
  struct mote_h3_closing c = {.number = id, .code = code, .request = stream};
  c.clean = !(flags & NGTCP2_STREAM_CLOSE_FLAG_APP_ERROR_CODE_SET);
  if(!ngtcp2_conn_is_local_stream(quic, id))
    ngtcp2_conn_extend_max_streams_uni(quic, 1);
  if(mote_h3_early_holds(s->early, id)) {
    s->early->closed = true;
    s->early->closing = c;
    return 0;
  }
  return h3_session_passed(s, mote_h3_close_stream(s, &c));
}

/* QUIC keeps the stream while its upload goes on, which its owner has no use for any more. */
static int h3_session_stream_reset(ngtcp2_conn *quic, int64_t id, uint64_t final_size, uint64_t code,
                                   void *user, void *stream)
{
  struct mote_h3_session *s = h3_session_of(user);
  int rc = 0;
  (void)quic;
  (void)final_size;
  if(mote_h3_early_holds(s->early, id)) {
    s->early->reset = true;
    return 0;
  }
  if(stream)
    mote_h3_hold_nothing(stream);
  if(s->http)
    rc = nghttp3_conn_shutdown_stream_read(s->http, id);
  if(!rc)
    mote_h3_end_reset(s, stream, code);
  return h3_session_passed(s, rc);
}

static int h3_session_allow_streams(ngtcp2_conn *quic, uint64_t most, void *user)
{
  struct mote_h3_session *s = h3_session_of(user);
  struct mote_mux_stream *stream, *next;
  (void)quic;
  (void)most;
  if(!s->short_of_streams)
    return 0;
  s->short_of_streams = false;
  for(stream = s->streams; stream && s->user; stream = next) {
    next = stream->next;
    if(!stream->id)
      s->user->allow(s, stream);
  }
  return 0;
}

static int h3_session_allow_bytes(ngtcp2_conn *quic, int64_t id, uint64_t most, void *user, void *stream)
{
  struct mote_h3_session *s = h3_session_of(user);
  (void)quic;
  (void)most;
  (void)stream;
  return s->http ? h3_session_passed(s, nghttp3_conn_unblock_stream(s->http, id)) : 0;
}

static const ngtcp2_callbacks callbacks = {
  .client_initial = ngtcp2_crypto_client_initial_cb,
  .recv_crypto_data = h3_session_take_crypto,
  .encrypt = ngtcp2_crypto_encrypt_cb,
  .decrypt = ngtcp2_crypto_decrypt_cb,
  .hp_mask = ngtcp2_crypto_hp_mask_cb,
  .recv_retry = ngtcp2_crypto_recv_retry_cb,
  .update_key = ngtcp2_crypto_update_key_cb,
  .delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb,
  .delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb,
  .get_path_challenge_data = ngtcp2_crypto_get_path_challenge_data_cb,
  .version_negotiation = ngtcp2_crypto_version_negotiation_cb,
  .rand = h3_session_rand,
  .get_new_connection_id = h3_session_new_id,
  .handshake_completed = h3_session_shaken,
  .handshake_confirmed = h3_session_confirmed,
  .recv_rx_key = h3_session_has_key,
  .recv_stream_data = h3_session_take_data,
  .acked_stream_data_offset = h3_session_acknowledged,
  .stream_close = h3_session_stream_close,
  .stream_reset = h3_session_stream_reset,
  .extend_max_local_streams_bidi = h3_session_allow_streams,
  .extend_max_stream_data = h3_session_allow_bytes,
};

unsigned mote_h3_room(const struct mote_h3_session *s, unsigned has, unsigned most)
{
  uint64_t left;
  if(s->broken || s->away)
    return 0;
  left = ngtcp2_conn_get_streams_bidi_left(s->quic);
  if(left > INT32_MAX)
    left = INT32_MAX;
  if(has >= most)
    return 0;
  return left < most - has ? (unsigned)left : most - has;
}

/* ---- as the carrier of TLS ---- */

/* The connection's driver takes a turn: the dial's, or the owner's. */
static void h3_session_due(struct mote_timer_node *n, mote_time now)
{
  struct mote_h3_session *s = mote_container_of(n, struct mote_h3_session, timer);
  (void)now;
  if(s->conn->drive)
    s->conn->drive->driver->ready(s->conn->drive);
}

static CURLcode h3_session_judge(struct mote_h3_session *s)
{
  bool later = s->broken == CURLE_RECV_ERROR || s->broken == CURLE_SEND_ERROR;
  return later ? CURLE_QUIC_CONNECT_ERROR : s->broken;
}

static CURLcode h3_session_go_on(struct mote_quic_carrier *q, bool *done)
{
  struct mote_h3_session *s = mote_h3_of(q);
  char room[MOTE_H3_ALONE];
  *done = false;
  while(!s->broken && !s->shaken && mote_h3_take(s, room, sizeof room))
    ;
  if(!s->broken)
    (void)mote_h3_send(s, room, sizeof room);
  *done = s->shaken;
  return s->broken ? h3_session_judge(s) : CURLE_OK;
}

static unsigned h3_session_want(const struct mote_quic_carrier *q)
{
  const struct mote_h3_session *s = (const struct mote_h3_session *)q;
  return MOTE_WANT_IN | (mote_h3_waits_to_send(s) ? MOTE_WANT_OUT : 0);
}

static void *h3_session_quic(const struct mote_quic_carrier *q)
{
  return ((const struct mote_h3_session *)q)->quic;
}

static void h3_session_use_tls(struct mote_quic_carrier *q, void *handle)
{
  ngtcp2_conn_set_tls_native_handle(mote_h3_of(q)->quic, handle);
}

static bool h3_session_is_confirmed(const struct mote_quic_carrier *q)
{
  return ((const struct mote_h3_session *)q)->confirmed;
}

static size_t h3_session_remember(const struct mote_quic_carrier *q, uint8_t to[MOTE_QUIC_REMEMBERED])
{
  const struct mote_h3_session *s = (const struct mote_h3_session *)q;
  ngtcp2_ssize n = 0;
  if(ngtcp2_conn_get_remote_transport_params(s->quic))
    n = ngtcp2_conn_encode_0rtt_transport_params(s->quic, to, MOTE_QUIC_REMEMBERED);
  return n > 0 ? (size_t)n : 0;
}

static bool h3_session_begin_early(struct mote_quic_carrier *q, struct mote_slice remembered)
{
  return mote_h3_early_begin(mote_h3_of(q), remembered);
}

static void h3_session_close(struct mote_quic_carrier *q)
{
  struct mote_h3_session *s = mote_h3_of(q);
  struct mote_account *account = s->conn->env.account;
  mote_timers_cancel(s->timers, &s->timer);
  nghttp3_conn_del(s->http);
  ngtcp2_conn_del(s->quic);
  mote_h3_drop_requests(s);
  mote_h3_early_free(s);
  mote_mem_free(account, MOTE_PART_CONN, s->rest, s->rest_len);
  mote_slab_put(&s->memory, s->why);
  mote_slab_close(&s->memory);
  mote_mem_free(account, MOTE_PART_CONN, s, sizeof *s);
}

static const struct mote_quic_carrier_ops carrier = {
  .go_on = h3_session_go_on,
  .want = h3_session_want,
  .quic = h3_session_quic,
  .use_tls = h3_session_use_tls,
  .is_confirmed = h3_session_is_confirmed,
  .remember = h3_session_remember,
  .begin_early = h3_session_begin_early,
  .close = h3_session_close,
};

/* ---- the beginning ---- */

static uint16_t h3_session_port(uint16_t port)
{
  const uint8_t bytes[] = {(uint8_t)(port >> 8), (uint8_t)port}; /* the network's order, on any machine */
  uint16_t both;
  memcpy(&both, bytes, sizeof both);
  return both;
}

void mote_h3_address(const struct mote_addr *from, ngtcp2_sockaddr_union *to, ngtcp2_addr *out)
{
  memset(to, 0, sizeof *to);
  out->addr = &to->sa;
  if(from->family == MOTE_FAMILY_IP6) {
    to->in6.sin6_family = NGTCP2_AF_INET6;
    to->in6.sin6_port = h3_session_port(from->port);
    memcpy(&to->in6.sin6_addr, from->ip, 16);
    out->addrlen = sizeof to->in6;
    return;
  }
  to->in.sin_family = NGTCP2_AF_INET;
  to->in.sin_port = h3_session_port(from->port);
  memcpy(&to->in.sin_addr, from->ip, 4);
  out->addrlen = sizeof to->in;
}

static void h3_session_say(ngtcp2_settings *settings, ngtcp2_transport_params *params)
{
  ngtcp2_settings_default(settings);
  settings->initial_ts = mote_h3_now();
  settings->ack_thresh = ACK_PACKETS;
  settings->handshake_timeout = UINT64_MAX; /* the dial has deadlines of its own */
  settings->max_tx_udp_payload_size = MOTE_H3_DATAGRAM;
  ngtcp2_transport_params_default(params);
  params->initial_max_data = MOTE_H3_CONNECTION_WINDOW;
  params->initial_max_stream_data_bidi_local = MOTE_MUX_WINDOW;
  params->initial_max_stream_data_uni = MOTE_MUX_WINDOW;
  params->initial_max_streams_uni = PEER_STREAMS;
  params->max_idle_timeout = MOTE_H3_IDLE * NGTCP2_SECONDS;
  params->max_udp_payload_size = MOTE_H3_DATAGRAM;
}

static CURLcode h3_session_connect(struct mote_h3_session *s, const struct mote_h3_opening *how)
{
  ngtcp2_sockaddr_union local, remote;
  ngtcp2_transport_params params;
  ngtcp2_settings settings;
  ngtcp2_cid dcid, scid;
  ngtcp2_path path;
  memset(&path, 0, sizeof path);
  mote_h3_address(how->local, &local, &path.local);
  mote_h3_address(how->remote, &remote, &path.remote);
  dcid.datalen = DCID_BYTES;
  scid.datalen = SCID_BYTES;
  if(mote_port_random(dcid.data, DCID_BYTES) || mote_port_random(scid.data, SCID_BYTES))
    return CURLE_FAILED_INIT;
  h3_session_say(&settings, &params);
  return ngtcp2_conn_client_new(&s->quic, &dcid, &scid, &path, NGTCP2_PROTO_VER_V1, &callbacks, &settings,
                                &params, &s->quic_hook, s)
           ? CURLE_OUT_OF_MEMORY
           : CURLE_OK;
}

/* A program that is built with headers of a newer library than it has would end in an assertion of that. */
static bool h3_session_libraries_fit(void)
{
  return ngtcp2_version(NGTCP2_VERSION_NUM) && nghttp3_version(NGHTTP3_VERSION_NUM);
}

CURLcode mote_h3_open(struct mote_h3_session **out, const struct mote_h3_opening *how)
{
  struct mote_account *account = how->conn->env.account;
  struct mote_h3_session *s;
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  *out = NULL;
  if(!h3_session_libraries_fit())
    return mote_fail_as(CURLE_FAILED_INIT, how->conn->env.report,
                        "libngtcp2 or libnghttp3 is older than the one that this was built with");
  s = mote_mem_zalloc(account, MOTE_PART_CONN, sizeof *s);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  s->carrier.ops = &carrier;
  s->conn = how->conn;
  s->watch = how->watch;
  s->timers = how->timers;
  s->timer.due = h3_session_due;
  s->many = how->many;
  s->most = MOTE_H3_DATAGRAM;
  s->ask = how->ask;
  if(mote_h3_memory_open(s, account))
    rc = h3_session_connect(s, how);
  if(rc) {
    h3_session_close(&s->carrier);
    return rc;
  }
  mote_port_burst_prepare(s->watch->fd);
  *out = s;
  return CURLE_OK;
}
