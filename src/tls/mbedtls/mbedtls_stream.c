/* tls/mbedtls/mbedtls_stream.c: the TLS stream by mbedTLS: handshake, records, goodbye. */
#include <mbedtls/version.h>
#include <string.h>

#include "base/report.h"
#include "tls/common/common.h"
#include "tls/mbedtls/mbedtls.h"
#include "tls/session.h"
#include "tls/x509/trust.h"

#define FAILED_BELOW (-0x4c) /* as the library's own sockets say; t->head.below has the reason */

static const char *mbedtls_stream_version(void)
{
  return "mbedTLS/" MBEDTLS_VERSION_STRING;
}

static void mbedtls_stream_tls_close(struct mote_stream *s)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  mote_mbedtls_check_free(t);
  mbedtls_ssl_free(&t->ssl);
  mbedtls_ssl_config_free(&t->conf);
  mote_mbedtls_client_free(t);
  mote_trust_release(t->trust);
  mote_tls_free(&t->head);
}

/* ---- the stream below, as the library calls it ---- */

static int bio_send(void *arg, const unsigned char *buf, size_t len)
{
  struct mote_mbedtls *t = arg;
  size_t n;
  CURLcode rc = mote_tls_send_below(&t->head, buf, len, &n);
  return !rc ? (int)n : rc == CURLE_AGAIN ? MBEDTLS_ERR_SSL_WANT_WRITE : FAILED_BELOW;
}

/* The library asks for a header, then for the record, and takes in warnings, requests to renegotiate and
 * empty records until there is something else. */
static int bio_recv(void *arg, unsigned char *buf, size_t len)
{
  struct mote_mbedtls *t = arg;
  size_t n;
  CURLcode rc;
  if(!t->pieces)
    return MBEDTLS_ERR_SSL_WANT_READ;
  t->pieces--;
  rc = mote_tls_receive_below(&t->head, buf, len, &n);
  return !rc ? (int)n : rc == CURLE_AGAIN ? MBEDTLS_ERR_SSL_WANT_READ : FAILED_BELOW;
}

static bool mbedtls_stream_waits(int ret)
{
  return ret == MBEDTLS_ERR_SSL_WANT_READ || ret == MBEDTLS_ERR_SSL_WANT_WRITE;
}

/* Sends the records that are under way. The library sends waiting bytes before it looks at what it is given.
 * CURLE_AGAIN: not all were sent. */
static CURLcode mbedtls_stream_flush(struct mote_mbedtls *t)
{
  int ret;
  if(!t->ssl.out_left)
    return CURLE_OK;
  ret = mbedtls_ssl_write(&t->ssl, (const unsigned char *)"", 1);
  return ret > 0 ? CURLE_OK : mbedtls_stream_waits(ret) ? CURLE_AGAIN
    : mote_mbedtls_failed(t, ret, CURLE_SEND_ERROR);
}

/* ---- the handshake ---- */

static CURLcode mbedtls_stream_start(struct mote_mbedtls *t)
{
  int ret = mbedtls_ssl_setup(&t->ssl, &t->conf);
  if(!ret && !t->head.is_ip && t->text[0])
    ret = mbedtls_ssl_set_hostname(&t->ssl, t->text);
  if(ret)
    return mote_mbedtls_failed(t, ret, CURLE_SSL_CONNECT_ERROR);
  t->started = true;
  mbedtls_ssl_set_bio(&t->ssl, t, bio_send, bio_recv, NULL);
  mote_mbedtls_resume(t);
  return CURLE_OK;
}

static CURLcode mbedtls_stream_finish(struct mote_mbedtls *t)
{
  const mbedtls_x509_crt *peer = t->ssl.session->peer_cert;
  CURLcode rc = CURLE_OK;
  if(t->full)
    rc = mote_tls_check_pinned(&t->head, peer ? peer->raw.p : NULL, peer ? peer->raw.len : 0);
  if(rc)
    return mote_tls_broken(&t->head, rc);
  if(t->head.verify_peer && !mbedtls_ssl_get_verify_result(&t->ssl))
    t->head.verify_result = 0; /* also when the session was made, or by the application's own callback */
  t->head.done = true;
  mote_tls_report_done(&t->head);
  if(t->ssl.session->peer_cert && !t->own_context)
    mbedtls_x509_crt_free(t->ssl.session->peer_cert); /* no later call of ours needs it */
  mote_mbedtls_keep(t);
  mote_mbedtls_client_free(t);
  mote_trust_release(t->trust);
  t->trust = NULL;
  return CURLE_OK;
}

static CURLcode handshake_broken(struct mote_mbedtls *t, int ret)
{
  if(t->head.below || t->refused || !t->head.below_ended)
    return mote_mbedtls_failed(t, ret, CURLE_SSL_CONNECT_ERROR);
  return mote_tls_cut_off(&t->head);
}

/* With MOTE_HANDSHAKE_MS it looks at the clock after each message, and where the library has stopped. */
static int shake_hands(struct mote_mbedtls *t, mote_time began)
{
  int ret;
  if(!MOTE_HANDSHAKE_MS)
    return mbedtls_ssl_handshake(&t->ssl);
  do {
    ret = mbedtls_ssl_handshake_step(&t->ssl);
    if(ret ? ret != MBEDTLS_ERR_SSL_CRYPTO_IN_PROGRESS : t->ssl.state == MBEDTLS_SSL_HANDSHAKE_OVER)
      return ret;
  } while(!mote_tls_is_over(&t->head, began, 0));
  return MBEDTLS_ERR_SSL_WANT_READ;
}

static CURLcode mbedtls_stream_tls_handshake(struct mote_tls_head *head)
{
  struct mote_mbedtls *t = mote_mbedtls_of(&head->stream);
  mote_time began = mote_tls_go_on(&t->head);
  CURLcode rc = CURLE_OK;
  int ret;
  if(!t->started)
    rc = mbedtls_stream_start(t);
  if(rc)
    return rc;
  t->pieces = MOTE_TLS_PIECES;
  ret = shake_hands(t, began);
  if(!ret)
    return mbedtls_stream_finish(t);
  return mbedtls_stream_waits(ret) ? CURLE_OK : handshake_broken(t, ret);
}

/* ---- receiving ---- */

static CURLcode mbedtls_stream_tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  CURLcode rc;
  int ret;
  *n = 0;
  if(t->head.dead)
    return CURLE_RECV_ERROR;
  if(t->ended)
    return CURLE_OK;
  rc = mbedtls_stream_flush(t);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  t->pieces = MOTE_TLS_PIECES;
  do
    ret = mbedtls_ssl_read(&t->ssl, buf, cap);
  while(!ret && !t->head.below_ended);
  if(ret > 0) {
    *n = (size_t)ret;
    return CURLE_OK;
  }
  if(mbedtls_stream_waits(ret))
    return CURLE_AGAIN;
  if(ret == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) {
    t->ended = true;
    return CURLE_OK;
  }
  if(ret)
    return mote_mbedtls_failed(t, ret, CURLE_RECV_ERROR);
  mote_tls_cut_short(&t->head);
  return CURLE_RECV_ERROR;
}

/* A read of no bytes makes the library take in the next record. An empty record counts as bytes, because a
 * peer has no reason to send one. */
static bool mbedtls_stream_tls_quiet(struct mote_stream *s)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  CURLcode rc = t->head.dead || t->ended ? CURLE_RECV_ERROR : mbedtls_stream_flush(t);
  t->pieces = MOTE_TLS_PIECES;
  return (!rc || rc == CURLE_AGAIN) && mbedtls_stream_waits(mbedtls_ssl_read(&t->ssl, NULL, 0)) && t->pieces;
}

static bool mbedtls_stream_tls_pending(const struct mote_stream *s)
{
  const struct mote_mbedtls *t = mote_mbedtls_of(s);
  if(t->head.interrupted)
    return true;
  return t->head.done && !t->head.dead && !t->ended && mbedtls_ssl_check_pending(&t->ssl);
}

/* ---- sending ---- */

/* Bytes are reported as sent only when all of their record is; until then the caller passes them again. */
static CURLcode mbedtls_stream_tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_mbedtls *t = mote_mbedtls_of(s);
  CURLcode rc;
  *n = 0;
  if(t->head.dead)
    return CURLE_SEND_ERROR;
  rc = mbedtls_stream_flush(t);
  if(rc)
    return rc;
  *n = t->unreported < len ? t->unreported : len;
  t->unreported -= (uint32_t)*n;
  while(*n < len) {
    size_t most = (size_t)mbedtls_ssl_get_max_out_record_payload(&t->ssl);
    size_t room = len - *n < most ? len - *n : most;
    int ret = mbedtls_ssl_write(&t->ssl, (const unsigned char *)buf + *n, room);
    if(ret <= 0 && !mbedtls_stream_waits(ret))
      return mote_mbedtls_failed(t, ret, CURLE_SEND_ERROR);
    if(ret <= 0) {
      t->unreported = (uint32_t)room;
      return *n ? CURLE_OK : CURLE_AGAIN;
    }
    *n += (size_t)ret;
  }
  return CURLE_OK;
}

static unsigned mbedtls_stream_tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_mbedtls *t = mote_mbedtls_of(s);
  return mote_tls_want(&t->head, interest, t->ssl.out_left != 0);
}

/* With a record under way the library would send that one and report that close_notify is sent. */
static CURLcode mbedtls_stream_tls_shutdown(struct mote_tls_head *head)
{
  struct mote_mbedtls *t = mote_mbedtls_of(&head->stream);
  CURLcode rc = mbedtls_stream_flush(t);
  int ret = 0;
  if(!rc && !t->head.said_goodbye) {
    ret = mbedtls_ssl_close_notify(&t->ssl);
    t->head.said_goodbye = true;
  }
  if(!rc && ret)
    rc = mbedtls_stream_waits(ret) ? CURLE_AGAIN : CURLE_SEND_ERROR;
  return rc;
}

/* ---- what is asked of it ---- */

static const char *mbedtls_stream_alpn(const struct mote_stream *s, size_t *len)
{
  const char *name = mbedtls_ssl_get_alpn_protocol(&mote_mbedtls_of(s)->ssl);
  *len = name ? strlen(name) : 0;
  return name;
}

static void mbedtls_stream_get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  const struct mote_mbedtls *t = mote_mbedtls_of(s);
  out->version = "TLSv1.2";
  out->cipher = mote_mbedtls_suite_name(t);
  out->verify_result = t->head.verify_result;
  out->tls_id = 0x0303;
  out->resumed = t->head.done && !t->full;
}

static void *mbedtls_stream_context(const struct mote_stream *s)
{
  return (void *)(uintptr_t)&mote_mbedtls_of(s)->ssl;
}

/* ---- making one ---- */

static CURLcode mbedtls_stream_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg)
{
  struct mote_mbedtls *t = mote_mbedtls_of(&head->stream);
  CURLcode rc = mote_mbedtls_configure(t, cfg);
  if(!rc)
    rc = mote_tls_bundle_open(&t->trust, cfg, head->stream.env->report);
  if(!rc)
    rc = mote_mbedtls_client_cert(t, cfg);
  if(!rc && strlen(t->text) > MBEDTLS_SSL_MAX_HOST_NAME_LEN) {
    mote_fail(head->stream.env->report, "Failed set SNI");
    rc = CURLE_SSL_CONNECT_ERROR;
  }
  if(rc)
    return rc;
  mote_tls_name_session(head, cfg, t->identity);
  mote_tls_report_offer(head, cfg);
  t->own_context = cfg->ctx_function != NULL;
  t->full = t->own_context; /* it offers no session, and its own verify callback may replace ours */
  return mote_tls_ctx_function(head, cfg, &t->conf);
}

const struct mote_tls_backend mote_tls_mbedtls = {
  .stream = {
    .handshake = mote_tls_handshake,
    .recv = mbedtls_stream_tls_recv,
    .send = mbedtls_stream_tls_send,
    .want = mbedtls_stream_tls_want,
    .pending = mbedtls_stream_tls_pending,
    .shutdown = mote_tls_shutdown,
    .idle = mote_tls_idle,
    .quiet = mbedtls_stream_tls_quiet,
    .close = mbedtls_stream_tls_close,
  },
  .id = {CURLSSLBACKEND_MBEDTLS, "mbedtls"},
  .texts_at = offsetof(struct mote_mbedtls, text),
  .keeps = true,
  MOTE_TLS_RESUMES(mote_mbedtls_resume_as)
  .version = mbedtls_stream_version,
  .set_up = mbedtls_stream_set_up,
  .handshake = mbedtls_stream_tls_handshake,
  .shutdown = mbedtls_stream_tls_shutdown,
  .cleanup = mote_tls_bundle_cleanup,
  .alpn = mbedtls_stream_alpn,
  .get_info = mbedtls_stream_get_info,
  .ssl_ptr = mbedtls_stream_context,
  .ctx_ptr = mbedtls_stream_context,
};
