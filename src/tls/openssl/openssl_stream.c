/* tls/openssl/openssl_stream.c: the TLS stream: handshake, records, goodbye.
 *
 * Record buffers (17 KB each way) exist only while a record is under way: whenever reading has taken all that
 * the transport had and no record is half read, they are given back. */
#include <limits.h>
#include <openssl/err.h>
#include <string.h>

#include "base/report.h"
#include "tls/openssl/openssl.h"

#define ALPN_MAX 128       /* bytes of the wire form; three names take 30 */
#define SMALL_FRAGMENT 2048 /* bytes of a record that we send while no more than that is to be sent: the
                               buffer is small then, above all for handshakes and tickets */
#define LARGE_FRAGMENT SSL3_RT_MAX_PLAIN_LENGTH
#define MAX_LOOKS 16       /* times: more tickets at once cost a server its idle connection */

/* ---- making and closing ---- */

/* "h2,http/1.1" to RFC 7301's list: each name after its length. 0: too long, or an empty name. */
static unsigned alpn_wire(const char *text, unsigned char wire[ALPN_MAX])
{
  size_t len = 0;
  while(*text) {
    size_t n = strcspn(text, ",");
    if(!n || n > 255 || len + 1 + n > ALPN_MAX)
      return 0;
    wire[len++] = (unsigned char)n;
    memcpy(wire + len, text, n);
    len += n;
    text += n;
    text += *text == ',';
  }
  return (unsigned)len;
}

/* Only while there is no send buffer: one that was made for small records stays small. */
static void openssl_stream_set_fragment(struct mote_tls_stream *t, uint16_t size)
{
  if(t->ctx->own)
    return; /* the application may have set its own */
  (void)SSL_set_max_send_fragment(t->ssl, size);
  (void)SSL_set_split_send_fragment(t->ssl, size);
  t->fragment = size;
}

static bool openssl_stream_add_records(struct mote_tls_stream *t)
{
  BIO *bio = mote_openssl_bio(t);
  if(!bio)
    return false;
  SSL_set_bio(t->ssl, bio, bio);
  openssl_stream_set_fragment(t, SMALL_FRAGMENT);
  return true;
}

static CURLcode set_up_ssl(struct mote_tls_stream *t, const struct mote_tls_config *cfg, bool records)
{
  unsigned char wire[ALPN_MAX];
  unsigned wire_len = cfg->alpn ? alpn_wire(cfg->alpn, wire) : 0;
  t->ssl = SSL_new(t->ctx->ssl_ctx);
  if(!t->ssl || (records && !openssl_stream_add_records(t)))
    return CURLE_OUT_OF_MEMORY;
  SSL_set_connect_state(t->ssl);
  if(wire_len && SSL_set_alpn_protos(t->ssl, wire, wire_len))
    return CURLE_OUT_OF_MEMORY;
  if(!t->head.is_ip && t->host[0] && SSL_set_tlsext_host_name(t->ssl, t->host) != 1)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, t->head.stream.env->report, "Failed set SNI");
  return CURLE_OK;
}

static void report_offer(const struct mote_tls_stream *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->head.stream.env->report;
  mote_tls_report_offer(&t->head, cfg);
  if(cfg->verify_peer && cfg->ca_path)
    mote_info(r, " CApath: %s", cfg->ca_path);
  if(cfg->verify_peer && cfg->crl_file)
    mote_info(r, " CRLfile: %s", cfg->crl_file);
}

CURLcode mote_openssl_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg, bool records)
{
  struct mote_tls_stream *t = mote_tls_of(&head->stream);
  CURLcode rc = mote_tls_ctx_get(&t->ctx, cfg, head->stream.env->report);
  if(!rc)
    rc = set_up_ssl(t, cfg, records);
  if(rc)
    return rc;
  head->session_cache = cfg->session_cache && t->ctx->resumes;
  t->head.follows = cfg->session_cache && !t->ctx->own;
  head->client_cert = cfg->cert_file || cfg->cert_blob.ptr;
  report_offer(t, cfg);
  return CURLE_OK;
}

static CURLcode openssl_stream_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg)
{
  return mote_openssl_set_up(head, cfg, true);
}

void mote_openssl_close(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  SSL_free(t->ssl);
  if(t->ctx)
    mote_tls_ctx_release(t->ctx);
  mote_tls_free(&t->head);
}

/* ---- what went wrong ---- */

/* The server asked for a client certificate and got none (RFC 8446 section 6.2). */
static bool wants_certificate(unsigned long e)
{
  return ERR_GET_LIB(e) == ERR_LIB_SSL && ERR_GET_REASON(e) == SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED;
}

static CURLcode verify_failed(struct mote_tls_stream *t)
{
  ERR_clear_error();
  if(t->verdict)
    return t->verdict; /* reported */
  return mote_fail_as(CURLE_PEER_FAILED_VERIFICATION, t->head.stream.env->report,
                      "SSL certificate problem: %s", X509_verify_cert_error_string(t->head.verify_result));
}

static bool not_verified(unsigned long last)
{
  return ERR_GET_LIB(last) == ERR_LIB_SSL && ERR_GET_REASON(last) == SSL_R_CERTIFICATE_VERIFY_FAILED;
}

CURLcode mote_openssl_handshake_failed(struct mote_tls_stream *t)
{
  unsigned long e = ERR_peek_error();
  unsigned long last = ERR_peek_last_error();
  char text[MOTE_OPENSSL_ERROR];
  t->head.dead = true;
  if(t->head.below) /* reported by the stream below */
    return t->head.below;
  if(ERR_GET_REASON(e) == ERR_R_MALLOC_FAILURE) {
    ERR_clear_error();
    return CURLE_OUT_OF_MEMORY;
  }
  if(not_verified(last))
    return verify_failed(t);
  if(t->head.below_ended) {
    ERR_clear_error();
    return mote_tls_cut_off(&t->head);
  }
  mote_fail(t->head.stream.env->report, "%s: %s", mote_openssl_version(), mote_openssl_error(text));
  return wants_certificate(e) ? CURLE_SSL_CLIENTCERT : CURLE_SSL_CONNECT_ERROR;
}

/* After SSL_read or SSL_write gave `result`. */
static CURLcode io_failed(struct mote_tls_stream *t, int result, CURLcode code)
{
  int why = SSL_get_error(t->ssl, result);
  unsigned long e = ERR_peek_error();
  char text[MOTE_OPENSSL_ERROR];
  if(why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
    return CURLE_AGAIN;
  if(code == CURLE_SEND_ERROR && t->head.below == CURLE_SEND_ERROR) {
    t->head.mute = true;
    return code;
  }
  t->head.dead = true;
  if(t->head.below)
    return t->head.below;
  if(t->head.below_ended) {
    ERR_clear_error();
    mote_tls_cut_short(&t->head);
    return code;
  }
  mote_fail(t->head.stream.env->report, "OpenSSL %s: %s", code == CURLE_SEND_ERROR ? "SSL_write" : "SSL_read",
            mote_openssl_error(text));
  return wants_certificate(e) ? CURLE_SSL_CLIENTCERT : code;
}

/* ---- memory ---- */

/* true: there are none now. */
static bool drop_buffers(struct mote_tls_stream *t)
{
  return mote_openssl_at_boundary(t) && !SSL_has_pending(t->ssl) && SSL_free_buffers(t->ssl) == 1;
}

/* Frees what the handshake leaves and no later call needs: its buffers, the certificates above the peer's
 * own. */
static void drop_leftovers(struct mote_tls_stream *t)
{
  STACK_OF(X509) *chain = SSL_get_peer_cert_chain(t->ssl);
  drop_buffers(t);
  while(!t->ctx->own && !t->ctx->certinfo && chain && sk_X509_num(chain) > 1)
    X509_free(sk_X509_pop(chain));
}

static void openssl_stream_tls_idle(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  if(t->head.done && !t->head.dead)
    drop_buffers(t);
  mote_tls_idle(s);
}

/* ---- client certificates that are asked for after the handshake ---- */

static int refuse_to_log_in(SSL *ssl, void *arg)
{
  (void)ssl;
  (void)arg;
  return 0;
}

/* The connection ends if a server asks for a certificate in the middle of HTTP/2, where it could mean any of
 * the requests (RFC 8740 section 3). */
static void openssl_stream_settle_log_in(struct mote_tls_stream *t)
{
  const unsigned char *name;
  unsigned len;
  SSL_get0_alpn_selected(t->ssl, &name, &len);
  if(len == 2 && !memcmp(name, "h2", 2))
    SSL_set_cert_cb(t->ssl, refuse_to_log_in, NULL);
}

/* ---- the ops ---- */

/* To clear an empty queue of errors takes ten times as long as to look at it. */
static void begin_call(struct mote_tls_stream *t)
{
  t->allowed = MOTE_OPENSSL_AT_ONCE;
  if(ERR_peek_error())
    ERR_clear_error();
}

CURLcode mote_openssl_handshake_done(struct mote_tls_stream *t)
{
  CURLcode rc;
  mote_openssl_report_peer(t);
  rc = mote_openssl_check_peer(t);
  ERR_clear_error();
  if(rc)
    return mote_tls_broken(&t->head, rc);
  t->head.done = true;
  mote_openssl_keep(t);
  return CURLE_OK;
}

static CURLcode openssl_stream_tls_handshake(struct mote_tls_head *head)
{
  struct mote_tls_stream *t = mote_tls_of(&head->stream);
  CURLcode rc;
  int result;
  int why;
  if(SSL_get_state(t->ssl) == TLS_ST_BEFORE)
    mote_openssl_resume(t);
  begin_call(t);
  result = SSL_connect(t->ssl);
  if(result != 1) {
    why = SSL_get_error(t->ssl, result);
    if(why == SSL_ERROR_WANT_READ)
      (void)drop_buffers(t); /* many may be waiting at once for a busy server */
    else if(why != SSL_ERROR_WANT_WRITE && why != SSL_ERROR_WANT_RETRY_VERIFY)
      return mote_openssl_handshake_failed(t);
    return CURLE_OK;
  }
  rc = mote_openssl_handshake_done(t);
  if(rc)
    return rc;
  drop_leftovers(t);
  openssl_stream_settle_log_in(t);
  return CURLE_OK;
}

static CURLcode openssl_stream_tls_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  CURLcode rc;
  int got;
  *n = 0;
  if(t->head.dead)
    return CURLE_RECV_ERROR;
  begin_call(t);
  got = SSL_read(t->ssl, buf, cap > INT_MAX ? INT_MAX : (int)cap);
  t->recv_wants_out = got <= 0 && SSL_want_write(t->ssl);
  if(got > 0) {
    *n = (size_t)got;
    if(t->read_short) {
      bool whole = drop_buffers(t);
      s->env->drained = whole && !s->below->below;
    }
    return CURLE_OK;
  }
  if(SSL_get_error(t->ssl, got) == SSL_ERROR_ZERO_RETURN)
    return CURLE_OK;
  rc = io_failed(t, got, CURLE_RECV_ERROR);
  if(rc == CURLE_AGAIN && !t->recv_wants_out)
    drop_buffers(t);
  return rc;
}

/* After a ticket SSL_peek() stops although more may have come: it is quiet when there is nothing to read. */
static bool openssl_stream_tls_quiet(struct mote_stream *s)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  int looks;
  for(looks = 0; looks < MAX_LOOKS && !t->head.dead; looks++) {
    char byte;
    int got;
    t->read_dry = false;
    begin_call(t);
    got = SSL_peek(t->ssl, &byte, 1);
    if(got > 0 || SSL_get_shutdown(t->ssl) & SSL_RECEIVED_SHUTDOWN ||
       io_failed(t, got, CURLE_RECV_ERROR) != CURLE_AGAIN)
      return false;
    if(t->read_dry)
      return true;
  }
  return false;
}

static CURLcode openssl_stream_tls_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct mote_tls_stream *t = mote_tls_of(s);
  uint16_t fragment = len > SMALL_FRAGMENT ? LARGE_FRAGMENT : SMALL_FRAGMENT;
  int put;
  *n = 0;
  if(t->head.dead || t->head.mute)
    return CURLE_SEND_ERROR;
  if(!t->ctx->own && fragment != t->fragment && drop_buffers(t))
    openssl_stream_set_fragment(t, fragment);
  begin_call(t);
  put = SSL_write(t->ssl, buf, len > INT_MAX ? INT_MAX : (int)len);
  t->send_wants_in = put <= 0 && SSL_want_read(t->ssl);
  if(put <= 0)
    return io_failed(t, put, CURLE_SEND_ERROR);
  *n = (size_t)put;
  if(put < LARGE_FRAGMENT) /* no more is coming at once */
    drop_buffers(t);
  return CURLE_OK;
}

static unsigned openssl_stream_tls_want(const struct mote_stream *s, unsigned interest)
{
  const struct mote_tls_stream *t = mote_tls_of(s);
  unsigned want = 0;
  if(!t->head.done) {
    if(SSL_want(t->ssl) == SSL_RETRY_VERIFY)
      return 0;
    want = SSL_want_write(t->ssl) ? MOTE_WANT_OUT : MOTE_WANT_IN;
  }
  else {
    if(interest & MOTE_WANT_IN)
      want |= t->recv_wants_out ? MOTE_WANT_OUT : MOTE_WANT_IN;
    if(interest & MOTE_WANT_OUT)
      want |= t->send_wants_in ? MOTE_WANT_IN : MOTE_WANT_OUT;
  }
  return want;
}

/* OpenSSL 3.5 keeps the peer's goodbye of TLS 1.3 as pending although it has been read. Bytes of the protocol
 * that were read ahead with it make no whole record: their fourth and fifth would have to be its length. */
static bool holds_goodbye_only(const struct mote_tls_stream *t)
{
  return (SSL_get_shutdown(t->ssl) & SSL_RECEIVED_SHUTDOWN) && mote_openssl_at_boundary(t);
}

/* SSL_has_pending() also counts a part of a record that was read ahead. The library asks for more bytes only
 * when it lacks some of the next record: when there were none, a read gives nothing until more have come. */
static bool openssl_stream_tls_pending(const struct mote_stream *s)
{
  const struct mote_tls_stream *t = mote_tls_of(s);
  return t->head.done && !t->head.dead && !t->read_dry && SSL_has_pending(t->ssl) && !holds_goodbye_only(t);
}

static CURLcode openssl_stream_tls_shutdown(struct mote_tls_head *head)
{
  struct mote_tls_stream *t = mote_tls_of(&head->stream);
  int result;
  if(head->mute || head->said_goodbye)
    return CURLE_OK;
  begin_call(t);
  result = SSL_shutdown(t->ssl);
  if(result >= 0) {
    head->said_goodbye = true; /* the next call would wait for the peer's */
    return CURLE_OK;
  }
  if(SSL_get_error(t->ssl, result) == SSL_ERROR_WANT_WRITE)
    return CURLE_AGAIN;
  ERR_clear_error();
  return CURLE_SSL_SHUTDOWN_FAILED;
}

const struct mote_tls_backend mote_tls_openssl = {
  .stream = {
    .handshake = mote_tls_handshake,
    .recv = openssl_stream_tls_recv,
    .send = openssl_stream_tls_send,
    .want = openssl_stream_tls_want,
    .pending = openssl_stream_tls_pending,
    .shutdown = mote_tls_shutdown,
    .idle = openssl_stream_tls_idle,
    .quiet = openssl_stream_tls_quiet,
    .close = mote_openssl_close,
  },
  MOTE_OPENSSL_ROW,
  .alpn = mote_openssl_alpn,
  .get_info = mote_openssl_get_info,
  .set_up = openssl_stream_set_up,
  .handshake = openssl_stream_tls_handshake,
  .shutdown = openssl_stream_tls_shutdown,
  MOTE_TLS_QUIC(&mote_tls_openssl_quic)
  MOTE_TLS_RESUMES(mote_openssl_resume_as)
  MOTE_TLS_SIGNS(mote_openssl_sign_ed25519)
};
