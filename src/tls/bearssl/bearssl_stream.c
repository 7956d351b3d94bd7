/* tls/bearssl/bearssl_stream.c: the TLS stream by BearSSL: handshake, records, goodbye. */
#include <string.h>

#include "base/report.h"
#include "base/text.h"
#include "base/wipe.h"
#include "port/port.h"
#include "tls/bearssl/bearssl.h"
#include "tls/common/common.h"
#include "tls/config.h"
#include "tls/session.h"
#include "tls/x509/trust.h"

#define SEED 32   /* bytes of entropy */
#define SMALL (MOTE_BEARSSL_SMALL - 88) /* bytes that are sent without the large buffer */

static const char *bearssl_stream_version(void)
{
  return "BearSSL/0.6";
}

static void bearssl_stream_tls_close(struct mote_stream *s)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  mote_bearssl_peer_free(t);
  mote_bearssl_client_free(t);
  mote_bearssl_free_buffers(t);
  mote_trust_release(t->trust);
  mote_tls_free(&t->head);
}

static bool is_closed(const struct mote_bearssl *t)
{
  return br_ssl_engine_current_state(&t->cc.eng) == BR_SSL_CLOSED;
}

/* ---- what went wrong ---- */

/* BR_ERR_* */
static const struct mote_numbered engine_errors[] = {
  {BR_ERR_UNSUPPORTED_VERSION, "no TLS, or a version that BearSSL does not speak"},
  {BR_ERR_BAD_VERSION, "a record of another version"},
  {BR_ERR_BAD_LENGTH, "bad record length"},
  {BR_ERR_TOO_LARGE, "record too large"},
  {BR_ERR_BAD_MAC, "bad record MAC"},
  {BR_ERR_NO_RANDOM, "no entropy"},
  {BR_ERR_UNEXPECTED, "unexpected message"},
  {BR_ERR_BAD_CIPHER_SUITE, "the server chose a suite that was not offered"},
  {BR_ERR_BAD_FRAGLEN, "the server answered with another record size"},
  {BR_ERR_BAD_FINISHED, "bad Finished message"},
  {BR_ERR_BAD_SIGNATURE, "bad signature of the key exchange"},
  {BR_ERR_WRONG_KEY_USAGE, "the server's key does not fit the suite"},
  {BR_ERR_NO_CLIENT_AUTH, "no usable client certificate"},
  {BR_ERR_INVALID_ALGORITHM, "algorithm not supported"},
  {BR_ERR_RESUME_MISMATCH, "the resumed session does not match"},
};

/* The engine gave up. Reports why and returns the code, `otherwise` unless there is a better one. */
static CURLcode bearssl_stream_failed(struct mote_bearssl *t, CURLcode otherwise)
{
  int error = br_ssl_engine_last_error(&t->cc.eng);
  struct mote_report *r = t->head.stream.env->report;
  t->head.dead = true;
  if(t->peer && t->peer->rc)
    return t->peer->rc; /* reported */
  if(error >= BR_ERR_SEND_FATAL_ALERT)
    mote_fail(r, "BearSSL: we refused: %s (%d)", mote_tls_alert_text(error - BR_ERR_SEND_FATAL_ALERT), error);
  else if(error >= BR_ERR_RECV_FATAL_ALERT)
    mote_fail(r, "BearSSL: the server refused: %s (%d)",
              mote_tls_alert_text(error - BR_ERR_RECV_FATAL_ALERT), error);
  else if(error > BR_ERR_X509_OK)
    return mote_bearssl_refuse(t, error);
  else if(error)
    mote_fail(r, "BearSSL: %s (%d)", mote_numbered_text(engine_errors, error, "protocol error"), error);
  else
    mote_fail(r, "TLS: the server closed the connection with close_notify");
  return otherwise;
}

/* ---- the handshake ---- */

static CURLcode bearssl_stream_start(struct mote_bearssl *t)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  uint8_t seed[SEED];
  CURLcode rc = mote_port_random(seed, sizeof seed);
  if(!rc)
    rc = mote_bearssl_peer_new(t);
  if(!rc)
    rc = mote_bearssl_first_buffers(t);
  if(rc)
    return rc;
  t->started = true;
  br_ssl_engine_inject_entropy(eng, seed, sizeof seed);
  eng->rng_os_rand_done = 1; /* the port's entropy is all there is */
  mote_wipe(seed, sizeof seed);
  mote_bearssl_resume(t);
  if(br_ssl_client_reset(&t->cc, t->head.is_ip || !t->text[0] ? NULL : t->text, t->offered_len != 0))
    return CURLE_OK;
  return bearssl_stream_failed(t, CURLE_SSL_CONNECT_ERROR);
}

static CURLcode bearssl_stream_finish(struct mote_bearssl *t)
{
  CURLcode rc = t->full ? mote_tls_check_pinned(&t->head, t->peer->own.der, t->peer->own.len) : CURLE_OK;
  if(rc)
    return mote_tls_broken(&t->head, rc);
  if(!t->full && t->head.verify_peer)
    t->head.verify_result = 0; /* verified when the session was made */
  t->head.done = true;
  mote_tls_report_done(&t->head);
  mote_bearssl_keep(t);
  mote_bearssl_peer_free(t);
  mote_bearssl_client_free(t);
  mote_trust_release(t->trust);
  t->trust = NULL;
  mote_bearssl_drop(t);
  return CURLE_OK;
}

static CURLcode bearssl_stream_tls_handshake(struct mote_tls_head *head)
{
  struct mote_bearssl *t = mote_bearssl_of(&head->stream);
  mote_time began = mote_tls_go_on(&t->head);
  CURLcode rc = CURLE_OK;
  unsigned pieces = 0;
  size_t n;
  if(!t->started)
    rc = bearssl_stream_start(t);
  while(!rc) {
    rc = mote_bearssl_flush(t);
    if(rc)
      break;
    if(is_closed(t))
      return bearssl_stream_failed(t, CURLE_SSL_CONNECT_ERROR);
    if(br_ssl_engine_sendapp_buf(&t->cc.eng, &n))
      return bearssl_stream_finish(t);
    rc = mote_bearssl_feed(t);
    if(!rc && mote_tls_is_over(&t->head, began, ++pieces))
      return CURLE_OK;
  }
  if(rc == CURLE_AGAIN)
    return CURLE_OK;
  return t->head.below_ended && !t->head.below ? mote_tls_cut_off(&t->head) : mote_tls_broken(&t->head, rc);
}

/* ---- receiving ---- */

/* The transport has ended or failed. */
static CURLcode bearssl_stream_ended(struct mote_bearssl *t, CURLcode rc)
{
  if(rc == CURLE_AGAIN) {
    mote_bearssl_drop(t);
    return rc;
  }
  if(!t->head.below && t->head.below_ended)
    mote_tls_cut_short(&t->head);
  return mote_tls_broken(&t->head, rc);
}

/* Finds the next bytes. CURLE_OK with *len == 0: the peer sent close_notify. CURLE_AGAIN: there are none
 * now, or, with *len not 0, there are more records than one call takes in. */
static CURLcode bearssl_stream_look(struct mote_stream *s, const void **bytes, size_t *len)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  br_ssl_engine_context *eng = &t->cc.eng;
  CURLcode rc;
  int pieces;
  *len = 0;
  *bytes = NULL;
  if(t->head.dead)
    return CURLE_RECV_ERROR;
  for(pieces = 0; pieces < MOTE_TLS_PIECES; pieces++) {
    rc = mote_bearssl_flush(t);
    if(rc && rc != CURLE_AGAIN)
      return bearssl_stream_ended(t, rc);
    *bytes = br_ssl_engine_recvapp_buf(eng, len);
    if(*bytes)
      return CURLE_OK;
    if(br_ssl_engine_last_error(eng))
      return bearssl_stream_failed(t, CURLE_RECV_ERROR);
    if(eng->shutdown_recv || is_closed(t))
      return CURLE_OK;
    rc = mote_bearssl_feed(t);
    if(rc)
      return bearssl_stream_ended(t, rc);
  }
  *len = 1;
  return CURLE_AGAIN;
}

static CURLcode bearssl_stream_tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  const void *bytes;
  size_t len;
  CURLcode rc = bearssl_stream_look(s, &bytes, &len);
  *n = 0;
  if(rc || !len)
    return rc;
  *n = len < cap ? len : cap;
  memcpy(buf, bytes, *n);
  br_ssl_engine_recvapp_ack(&mote_bearssl_of(s)->cc.eng, *n);
  return CURLE_OK;
}

static bool bearssl_stream_tls_quiet(struct mote_stream *s)
{
  const void *bytes;
  size_t n;
  return bearssl_stream_look(s, &bytes, &n) == CURLE_AGAIN && !n;
}

static bool bearssl_stream_tls_pending(const struct mote_stream *s)
{
  const struct mote_bearssl *t = mote_bearssl_of(s);
  size_t n;
  if(t->head.interrupted)
    return true;
  return t->head.done && !t->head.dead && (t->ahead_len || br_ssl_engine_recvapp_buf(&t->cc.eng, &n));
}

/* ---- sending ---- */

/* Makes a record of these bytes and sends as much of it as the transport takes. Bytes are reported as sent
 * only when all of their record is; until then the caller passes them again. */
static CURLcode bearssl_stream_send_record(struct mote_bearssl *t, const char *bytes, size_t len, size_t *n)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  size_t room;
  unsigned char *p = br_ssl_engine_sendapp_buf(eng, &room);
  CURLcode rc;
  if(!p)
    return bearssl_stream_failed(t, CURLE_SEND_ERROR);
  if(room > len)
    room = len;
  memcpy(p, bytes, room);
  br_ssl_engine_sendapp_ack(eng, room);
  br_ssl_engine_flush(eng, 0);
  t->unreported = (uint32_t)room;
  rc = mote_bearssl_flush(t);
  if(rc)
    return rc;
  *n += room;
  t->unreported = 0;
  return CURLE_OK;
}

static CURLcode bearssl_stream_tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  CURLcode rc;
  *n = 0;
  if(t->head.dead)
    return CURLE_SEND_ERROR;
  rc = mote_bearssl_flush(t);
  if(!rc) {
    *n = t->unreported < len ? t->unreported : len;
    t->unreported -= (uint32_t)*n;
    if(len - *n > SMALL)
      mote_bearssl_send_large(t);
  }
  while(!rc && *n < len)
    rc = bearssl_stream_send_record(t, (const char *)buf + *n, len - *n, n);
  if(rc && rc != CURLE_AGAIN)
    return mote_tls_broken(&t->head, rc);
  return *n ? CURLE_OK : rc;
}

static unsigned bearssl_stream_tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_bearssl *t = mote_bearssl_of(s);
  size_t n;
  return mote_tls_want(&t->head, interest, br_ssl_engine_sendrec_buf(&t->cc.eng, &n) != NULL);
}

static CURLcode bearssl_stream_tls_shutdown(struct mote_tls_head *head)
{
  struct mote_bearssl *t = mote_bearssl_of(&head->stream);
  br_ssl_engine_close(&t->cc.eng);
  return mote_bearssl_flush(t);
}

static void bearssl_stream_tls_idle(struct mote_stream *s)
{
  struct mote_bearssl *t = mote_bearssl_of(s);
  if(t->head.done && !t->head.dead)
    mote_bearssl_drop(t);
  mote_tls_idle(s);
}

/* ---- what is asked of it ---- */

static const char *bearssl_stream_alpn(const struct mote_stream *s, size_t *len)
{
  br_ssl_client_context *cc = (br_ssl_client_context *)(uintptr_t)&mote_bearssl_of(s)->cc;
  const char *name = br_ssl_engine_get_selected_protocol(&cc->eng);
  *len = name ? strlen(name) : 0;
  return name;
}

static void bearssl_stream_get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  const struct mote_bearssl *t = mote_bearssl_of(s);
  out->version = "TLSv1.2";
  out->cipher = MOTE_HAS_VERBOSE ? mote_bearssl_suite_name(t->cc.eng.session.cipher_suite) : "(NONE)";
  out->verify_result = t->head.verify_result;
  out->tls_id = BR_TLS12;
  out->resumed = t->head.done && !t->full;
}

/* libcurl's manual has no type for CURLINFO_TLS_SSL_PTR with BearSSL; CURLOPT_SSL_CTX_FUNCTION's is this. */
static void *bearssl_stream_context(const struct mote_stream *s)
{
  return (void *)(uintptr_t)&mote_bearssl_of(s)->cc;
}

/* ---- making one ---- */

/* TLS 1.2 only. Nothing of the library is linked but what is named here, in bearssl_suites.c, and in
 * bearssl_fast.c or small/bearssl.c. */
static CURLcode bearssl_stream_set_algorithms(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  br_ssl_client_zero(&t->cc);
  br_ssl_engine_set_versions(eng, BR_TLS12, BR_TLS12);
  br_ssl_engine_add_flags(eng, BR_OPT_NO_RENEGOTIATION);
  mote_bearssl_implementations(eng);
  mote_bearssl_chacha20(eng);
  return mote_bearssl_obey(t, cfg);
}

static CURLcode bearssl_stream_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg)
{
  struct mote_bearssl *t = mote_bearssl_of(&head->stream);
  size_t n;
  CURLcode rc = bearssl_stream_set_algorithms(t, cfg);
  if(!rc)
    rc = mote_tls_bundle_open(&t->trust, cfg, head->stream.env->report);
  if(!rc)
    rc = mote_bearssl_client_cert(t, cfg);
  if(!rc && t->cc.eng.server_name[0] == 0 && strlen(t->text) >= sizeof t->cc.eng.server_name) {
    mote_fail(head->stream.env->report, "Failed set SNI");
    rc = CURLE_SSL_CONNECT_ERROR;
  }
  if(rc)
    return rc;
  mote_tls_name_session(head, cfg, t->identity);
  mote_tls_report_offer(head, cfg);
  rc = mote_tls_ctx_function(head, cfg, &t->cc);
  n = mote_tls_cut_protocols(mote_tls_text_after(mote_tls_text_after(t->text)), t->alpn, MOTE_BEARSSL_ALPN);
  if(n)
    br_ssl_engine_set_protocol_names(&t->cc.eng, t->alpn, n);
  return rc;
}

const struct mote_tls_backend mote_tls_bearssl = {
  .stream = {
    .handshake = mote_tls_handshake,
    .recv = bearssl_stream_tls_recv,
    .send = bearssl_stream_tls_send,
    .want = bearssl_stream_tls_want,
    .pending = bearssl_stream_tls_pending,
    .shutdown = mote_tls_shutdown,
    .idle = bearssl_stream_tls_idle,
    .quiet = bearssl_stream_tls_quiet,
    .close = bearssl_stream_tls_close,
  },
  .id = {CURLSSLBACKEND_BEARSSL, "bearssl"},
  .texts_at = offsetof(struct mote_bearssl, text),
  .keeps = true,
  MOTE_TLS_RESUMES(mote_bearssl_resume_as)
  .version = bearssl_stream_version,
  .set_up = bearssl_stream_set_up,
  .handshake = bearssl_stream_tls_handshake,
  .shutdown = bearssl_stream_tls_shutdown,
  .cleanup = mote_tls_bundle_cleanup,
  MOTE_TLS_CEILING(mote_bearssl_ceiling),
  .alpn = bearssl_stream_alpn,
  .get_info = bearssl_stream_get_info,
  .ssl_ptr = bearssl_stream_context,
  .ctx_ptr = bearssl_stream_context,
};
