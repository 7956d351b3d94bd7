/* tls/wolfssl/wolfssl_stream.c: the TLS stream by wolfSSL: handshake, records, goodbye. */
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "tls/common/common.h"
#include "tls/session.h"
#include "tls/wolfssl/wolfssl.h"
#include "tls/x509/trust.h"

#include <wolfssl/wolfcrypt/ecc.h>

static void wolfssl_stream_tls_close(struct mote_stream *s)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  wolfSSL_free(t->ssl);
  wolfSSL_CTX_free(t->ctx);
  if(t->entered)
    mote_wolfssl_leave();
  mote_trust_release(t->trust);
  mote_mem_free(s->env->account, MOTE_PART_TLS, t->queue, t->queue_size);
  mote_tls_free(&t->head);
}

/* ---- what went wrong ---- */

static const char *alert_text(int alert)
{
  const char *text = wolfSSL_alert_desc_string_long(alert);
  return text ? text : "alert";
}

/* wolfSSL could not read a certificate. It refuses some extensions before the verify callback. */
static bool wolfssl_stream_is_about_certificate(int error)
{
  return (error <= ASN_PARSE_E && error >= ASN_CRIT_EXT_E) || error == ASN_NAME_INVALID_E;
}

/* wolfSSL gave up with `error`. Reports it and returns a code, `otherwise` unless there is a better one. */
static CURLcode wolfssl_stream_failed(struct mote_wolfssl *t, int error, CURLcode otherwise)
{
  struct mote_report *r = t->head.stream.env->report;
  WOLFSSL_ALERT_HISTORY alerts;
  t->head.dead = true;
  wolfSSL_ERR_clear_error();
  if(t->rc)
    return t->rc; /* reported */
  if(t->head.below)
    return t->head.below;
  if(mote_wolfssl_refusals() != t->refusals || error == MEMORY_E || error == MEMORY_ERROR)
    return CURLE_OUT_OF_MEMORY;
  if(t->head.below_ended && !t->head.done)
    return mote_tls_cut_off(&t->head);
  if(wolfSSL_get_alert_history(t->ssl, &alerts) == WOLFSSL_SUCCESS &&
          alerts.last_rx.level == alert_fatal)
    mote_fail(r, "wolfSSL: the server refused: %s (%d)", alert_text(alerts.last_rx.code),
              alerts.last_rx.code);
  else if(!t->checked && wolfssl_stream_is_about_certificate(error)) {
    t->head.verify_result = 1;
    otherwise = CURLE_PEER_FAILED_VERIFICATION;
    mote_fail(r, "SSL certificate problem: %s (%d). The server needs another",
              wolfSSL_ERR_reason_error_string((unsigned long)error), error);
  }
  else
    mote_fail(r, "wolfSSL: %s (%d)", wolfSSL_ERR_reason_error_string((unsigned long)error), error);
  return otherwise;
}

/* ---- the handshake ---- */

static CURLcode wolfssl_stream_finish(struct mote_wolfssl *t)
{
  if(!t->checked && !(t->offered && wolfSSL_session_reused(t->ssl))) {
    t->head.dead = true;
    return mote_fail_as(CURLE_PEER_FAILED_VERIFICATION, t->head.stream.env->report,
                        "SSL certificate problem: the server sent none");
  }
  if(!t->checked)
    t->head.verify_result = t->head.verify_peer ? 0 : 20; /* verified when the session was made */
  t->head.done = true;
  mote_trust_release(t->trust);
  t->trust = NULL;
  mote_tls_report_done(&t->head);
  if(wolfSSL_version(t->ssl) < TLS1_3_VERSION || t->ticket)
    mote_wolfssl_keep(t);
  wolfSSL_ERR_clear_error();
  return CURLE_OK;
}

static CURLcode wolfssl_stream_tls_handshake(struct mote_tls_head *head)
{
  struct mote_wolfssl *t = mote_wolfssl_of(&head->stream);
  CURLcode rc = mote_wolfssl_flush(t);
  int error;
  int ret;
  if(rc)
    return rc == CURLE_AGAIN ? CURLE_OK : mote_tls_broken(&t->head, rc);
  if(!t->started)
    mote_wolfssl_resume(t);
  t->started = true;
  t->refusals = mote_wolfssl_refusals();
  ret = wolfSSL_connect(t->ssl);
  wc_ecc_fp_free(); /* see wolfssl_verify.c */
  if(ret == WOLFSSL_SUCCESS)
    return wolfssl_stream_finish(t);
  error = wolfSSL_get_error(t->ssl, ret);
  if(error != WOLFSSL_ERROR_WANT_READ)
    return wolfssl_stream_failed(t, error, CURLE_SSL_CONNECT_ERROR);
  wolfSSL_ERR_clear_error();
  return CURLE_OK;
}

/* ---- receiving ---- */

static CURLcode wolfssl_stream_ended(struct mote_wolfssl *t)
{
  wolfSSL_ERR_clear_error();
  mote_tls_cut_short(&t->head);
  return CURLE_RECV_ERROR;
}

static CURLcode wolfssl_stream_tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc;
  int error;
  int ret;
  *n = 0;
  if(t->head.dead)
    return CURLE_RECV_ERROR;
  rc = mote_wolfssl_flush(t);
  if(rc && rc != CURLE_AGAIN)
    return mote_tls_broken(&t->head, rc);
  t->refusals = mote_wolfssl_refusals();
  t->pieces = MOTE_TLS_PIECES - 1;
  ret = wolfSSL_read(t->ssl, buf, cap > INT32_MAX ? INT32_MAX : (int)cap);
  if(t->ticket)
    mote_wolfssl_keep(t);
  if(ret > 0) {
    *n = (size_t)ret;
    return CURLE_OK;
  }
  error = wolfSSL_get_error(t->ssl, ret);
  if(error == WOLFSSL_ERROR_WANT_READ) {
    wolfSSL_ERR_clear_error();
    return CURLE_AGAIN;
  }
  if(error == WOLFSSL_ERROR_ZERO_RETURN || wolfSSL_get_shutdown(t->ssl) & WOLFSSL_RECEIVED_SHUTDOWN)
    return CURLE_OK;
  if(t->head.below_ended && !t->head.below)
    return wolfssl_stream_ended(t);
  return wolfssl_stream_failed(t, error, CURLE_RECV_ERROR);
}

static bool wolfssl_stream_tls_quiet(struct mote_stream *s)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc = t->head.dead ? CURLE_RECV_ERROR : mote_wolfssl_flush(t);
  char byte;
  int ret;
  if(rc && rc != CURLE_AGAIN)
    return false;
  t->pieces = MOTE_TLS_PIECES - 1;
  ret = wolfSSL_peek(t->ssl, &byte, 1);
  if(t->ticket)
    mote_wolfssl_keep(t);
  rc = ret <= 0 && wolfSSL_get_error(t->ssl, ret) == WOLFSSL_ERROR_WANT_READ ? CURLE_AGAIN : CURLE_OK;
  wolfSSL_ERR_clear_error();
  return rc == CURLE_AGAIN && t->pieces;
}

static bool wolfssl_stream_tls_pending(const struct mote_stream *s)
{
  const struct mote_wolfssl *t = mote_wolfssl_of(s);
  return t->head.done && !t->head.dead && wolfSSL_pending(t->ssl) > 0;
}

/* ---- sending ---- */

/* Bytes are reported as sent only when all of their record is; until then the caller passes them again. */
static CURLcode wolfssl_stream_send_record(struct mote_wolfssl *t, const char *bytes, size_t len, size_t *n)
{
  CURLcode rc;
  int ret;
  if(len > MOTE_WOLFSSL_SEND)
    len = MOTE_WOLFSSL_SEND;
  t->refusals = mote_wolfssl_refusals();
  ret = wolfSSL_write(t->ssl, bytes, (int)len);
  if(ret <= 0)
    return wolfssl_stream_failed(t, wolfSSL_get_error(t->ssl, ret), CURLE_SEND_ERROR);
  t->unreported = (uint32_t)ret;
  rc = mote_wolfssl_flush(t);
  if(rc)
    return rc;
  *n += t->unreported;
  t->unreported = 0;
  return CURLE_OK;
}

static CURLcode wolfssl_stream_tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_wolfssl *t = mote_wolfssl_of(s);
  CURLcode rc;
  *n = 0;
  if(t->head.dead)
    return CURLE_SEND_ERROR;
  rc = mote_wolfssl_flush(t);
  if(!rc) {
    *n = t->unreported < len ? t->unreported : len;
    t->unreported -= (uint32_t)*n;
  }
  while(!rc && *n < len)
    rc = wolfssl_stream_send_record(t, (const char *)buf + *n, len - *n, n);
  if(rc && rc != CURLE_AGAIN)
    return mote_tls_broken(&t->head, rc);
  return *n ? CURLE_OK : rc;
}

static unsigned wolfssl_stream_tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_wolfssl *t = mote_wolfssl_of(s);
  return mote_tls_want(&t->head, interest, t->queue != NULL);
}

static CURLcode wolfssl_stream_tls_shutdown(struct mote_tls_head *head)
{
  struct mote_wolfssl *t = mote_wolfssl_of(&head->stream);
  if(!(wolfSSL_get_shutdown(t->ssl) & WOLFSSL_SENT_SHUTDOWN))
    (void)wolfSSL_shutdown(t->ssl);
  wolfSSL_ERR_clear_error();
  return t->head.below ? t->head.below : mote_wolfssl_flush(t);
}

/* ---- what is asked of it ---- */

static const char *wolfssl_stream_alpn(const struct mote_stream *s, size_t *len)
{
  unsigned short n = 0;
  char *name = NULL;
  if(wolfSSL_ALPN_GetProtocol(mote_wolfssl_of(s)->ssl, &name, &n) != WOLFSSL_SUCCESS)
    name = NULL;
  *len = name ? n : 0;
  return name;
}

static void wolfssl_stream_get_info(const struct mote_stream *s, struct mote_tls_info *out)
{
  const struct mote_wolfssl *t = mote_wolfssl_of(s);
  out->version = wolfSSL_get_version(t->ssl);
  out->cipher = wolfSSL_get_cipher_name(t->ssl);
  out->verify_result = t->head.verify_result;
  out->tls_id = wolfSSL_version(t->ssl);
  out->resumed = t->head.done && !t->checked;
}

static void *ssl_ptr(const struct mote_stream *s)
{
  return mote_wolfssl_of(s)->ssl;
}

static void *ctx_ptr(const struct mote_stream *s)
{
  return mote_wolfssl_of(s)->ctx;
}

/* ---- making one ---- */

static int ticket_came(WOLFSSL *ssl, const unsigned char *ticket, int len, void *arg)
{
  struct mote_wolfssl *t = arg;
  (void)ssl;
  (void)ticket;
  (void)len;
  t->ticket = true;
  return 0;
}

static CURLcode make_ssl(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  t->ssl = wolfSSL_new(t->ctx);
  if(!t->ssl)
    return CURLE_OUT_OF_MEMORY;
  wolfSSL_SetIOReadCtx(t->ssl, t);
  wolfSSL_SetIOWriteCtx(t->ssl, t);
  wolfSSL_SetCertCbCtx(t->ssl, t);
  wolfSSL_set_SessionTicket_cb(t->ssl, ticket_came, t);
  if(wolfSSL_UseSessionTicket(t->ssl) != WOLFSSL_SUCCESS)
    return CURLE_OUT_OF_MEMORY;
  if(!t->head.is_ip && wolfSSL_UseSNI(t->ssl, WOLFSSL_SNI_HOST_NAME, t->text,
                                      (unsigned short)strlen(t->text)) != WOLFSSL_SUCCESS)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, t->head.stream.env->report, "Failed set SNI");
  if(cfg->alpn && wolfSSL_UseALPN(t->ssl, (char *)(uintptr_t)cfg->alpn, (unsigned)strlen(cfg->alpn),
                                  WOLFSSL_ALPN_CONTINUE_ON_MISMATCH) != WOLFSSL_SUCCESS)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, t->head.stream.env->report, "failed to set ALPN: %s",
                        cfg->alpn);
  return CURLE_OK;
}

static CURLcode configure(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  CURLcode rc = mote_wolfssl_context(t, cfg);
  if(!rc)
    rc = mote_tls_bundle_open(&t->trust, cfg, t->head.stream.env->report);
  if(!rc)
    rc = mote_wolfssl_client_cert(t, cfg);
  if(rc)
    return rc;
  mote_tls_name_session(&t->head, cfg, t->identity);
  mote_tls_report_offer(&t->head, cfg);
  rc = mote_tls_ctx_function(&t->head, cfg, t->ctx);
  return rc ? rc : make_ssl(t, cfg);
}

static CURLcode wolfssl_stream_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg)
{
  struct mote_wolfssl *t = mote_wolfssl_of(&head->stream);
  unsigned refusals = mote_wolfssl_refusals();
  CURLcode rc = mote_wolfssl_enter();
  if(rc)
    return rc;
  t->entered = true;
  rc = configure(t, cfg);
  return rc && mote_wolfssl_refusals() != refusals ? CURLE_OUT_OF_MEMORY : rc;
}

static void cleanup(void)
{
  mote_tls_bundle_cleanup();
  mote_wolfssl_end();
}

const struct mote_tls_backend mote_tls_wolfssl = {
  .stream = {
    .handshake = mote_tls_handshake,
    .recv = wolfssl_stream_tls_recv,
    .send = wolfssl_stream_tls_send,
    .want = wolfssl_stream_tls_want,
    .pending = wolfssl_stream_tls_pending,
    .shutdown = mote_tls_shutdown,
    .idle = mote_tls_idle,
    .quiet = wolfssl_stream_tls_quiet,
    .close = wolfssl_stream_tls_close,
  },
  .id = {CURLSSLBACKEND_WOLFSSL, "wolfssl"},
  .texts_at = offsetof(struct mote_wolfssl, text),
  .keeps = true,
  MOTE_TLS_RESUMES(mote_wolfssl_resume_as)
  .version = mote_wolfssl_version,
  .set_up = wolfssl_stream_set_up,
  .handshake = wolfssl_stream_tls_handshake,
  .shutdown = wolfssl_stream_tls_shutdown,
  .cleanup = cleanup,
  .alpn = wolfssl_stream_alpn,
  .get_info = wolfssl_stream_get_info,
  .ssl_ptr = ssl_ptr,
  .ctx_ptr = ctx_ptr,
};
