/* tests/unit/tls/peer.h: a TLS server in the same thread, joined to the stream under test by two queues of
 * bytes; certificates made for the run. Included by the one source file of a test program, after test.h. */
#ifndef MOTE_TEST_TLS_PEER_H
#define MOTE_TEST_TLS_PEER_H

#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/report.h"
#include "net/stream.h"
#include "tls/session.h"
#include "tls/tls.h"

/* ---- certificates ---- */

struct cert {
  X509 *x;
  EVP_PKEY *key;
  const struct cert *issuer; /* itself: self-signed */
};

struct cert_wish {
  const char *name;     /* common name */
  const char *san;      /* as openssl.cnf has it; NULL: none */
  bool ca;
  long from;            /* seconds from now */
  long until;
  long serial;
  const char *curve;    /* NULL: P-256 */
  size_t rsa;           /* bits; not 0: RSA, no curve */
  const EVP_MD *digest; /* of the signature; NULL: SHA-256 */
};

static inline void add_ext(X509 *x, X509 *issuer, int nid, const char *value)
{
  X509V3_CTX ctx;
  X509_EXTENSION *e;
  X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
  e = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
  if(!CHECK(e))
    return;
  X509_add_ext(x, e, -1);
  X509_EXTENSION_free(e);
}

static inline void cert_make(struct cert *c, const struct cert *issuer, const struct cert_wish *wish)
{
  X509_NAME *name = X509_NAME_new();
  c->issuer = issuer ? issuer : c;
  c->key = wish->rsa ? EVP_RSA_gen(wish->rsa) : EVP_EC_gen(wish->curve ? wish->curve : "P-256");
  c->x = X509_new();
  X509_NAME_add_entry_by_txt(name, "O", MBSTRING_ASC, (const unsigned char *)"Mote tests", -1, -1, 0);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)wish->name, -1, -1, 0);
  X509_set_version(c->x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(c->x), wish->serial ? wish->serial : 1);
  X509_set_subject_name(c->x, name);
  X509_set_issuer_name(c->x, X509_get_subject_name(c->issuer->x));
  X509_gmtime_adj(X509_getm_notBefore(c->x), wish->from ? wish->from : -3600);
  X509_gmtime_adj(X509_getm_notAfter(c->x), wish->until ? wish->until : 86400);
  X509_set_pubkey(c->x, c->key);
  add_ext(c->x, c->issuer->x, NID_basic_constraints, wish->ca ? "critical,CA:TRUE" : "critical,CA:FALSE");
  add_ext(c->x, c->issuer->x, NID_subject_key_identifier, "hash");
  if(wish->san)
    add_ext(c->x, c->issuer->x, NID_subject_alt_name, wish->san);
  CHECK(X509_sign(c->x, c->issuer->key, wish->digest ? wish->digest : EVP_sha256()) > 0);
  X509_NAME_free(name);
}

static inline void cert_free(struct cert *c)
{
  X509_free(c->x);
  EVP_PKEY_free(c->key);
}

/* ---- files of the run ---- */

static char test_dir[64];

static inline const char *in_dir(const char *name)
{
  static _Thread_local char path[32][128]; /* good for the next 32 calls */
  static _Thread_local unsigned next;
  char *p = path[next++ % 32];
  snprintf(p, sizeof path[0], "%s/%s", test_dir, name);
  return p;
}

static inline void make_dir(void)
{
  strcpy(test_dir, "/tmp/mote-tls-XXXXXX");
  CHECK(mkdtemp(test_dir));
}

static inline void write_file(const char *name, const void *bytes, size_t len)
{
  FILE *f = fopen(in_dir(name), "wb");
  if(CHECK(f)) {
    fwrite(bytes, 1, len, f);
    fclose(f);
  }
}

/* The certificates one after another, the key of the first if wanted. */
static inline void write_pem(const char *name, const struct cert *const *certs, bool with_key,
                             const char *password)
{
  FILE *f = fopen(in_dir(name), "wb");
  const struct cert *first = certs ? *certs : NULL;
  if(!CHECK(f))
    return;
  for(; certs && *certs; certs++)
    PEM_write_X509(f, (*certs)->x);
  if(with_key && first)
    PEM_write_PrivateKey(f, first->key, password ? EVP_aes_128_cbc() : NULL, (const unsigned char *)password,
                         password ? (int)strlen(password) : 0, NULL, NULL);
  fclose(f);
}

/* ---- the wire ---- */

#define WIRE_MAX (256 * 1024)

struct queue {
  unsigned char bytes[WIRE_MAX];
  size_t len;
};

/* One server and one client per thread. */
static _Thread_local struct queue to_server;
static _Thread_local struct queue to_client;

/* The stream below the one under test. */
static _Thread_local struct wire {
  struct mote_stream stream;
  size_t chunk;      /* most bytes per call */
  size_t gate;       /* bytes of what is queued that may still be received */
  bool full;         /* nothing more can be sent */
  bool stall;        /* every other call answers CURLE_AGAIN */
  bool stalled_in;
  bool stalled_out;
  bool ended;        /* the server closed the connection; what is queued still comes */
  CURLcode broken;   /* what every call answers */
  size_t calls;      /* of recv */
} wire;

static inline size_t take(struct queue *q, void *buf, size_t cap)
{
  size_t n = q->len < cap ? q->len : cap;
  memcpy(buf, q->bytes, n);
  memmove(q->bytes, q->bytes + n, q->len - n);
  q->len -= n;
  return n;
}

static inline size_t append(struct queue *q, const void *buf, size_t len)
{
  size_t n = len < WIRE_MAX - q->len ? len : WIRE_MAX - q->len;
  memcpy(q->bytes + q->len, buf, n);
  q->len += n;
  return n;
}

static inline CURLcode wire_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  (void)s;
  *n = 0;
  wire.calls++;
  if(wire.broken)
    return wire.broken;
  wire.stalled_in = wire.stall && !wire.stalled_in;
  if(wire.stalled_in)
    return CURLE_AGAIN;
  if(cap > wire.chunk)
    cap = wire.chunk;
  *n = take(&to_client, buf, cap < wire.gate ? cap : wire.gate);
  wire.gate -= *n;
  return *n || wire.ended ? CURLE_OK : CURLE_AGAIN;
}

static inline CURLcode wire_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  (void)s;
  *n = 0;
  if(wire.broken)
    return wire.broken;
  wire.stalled_out = wire.stall && !wire.stalled_out;
  if(wire.stalled_out || wire.full)
    return CURLE_AGAIN;
  *n = append(&to_server, buf, len < wire.chunk ? len : wire.chunk);
  return *n ? CURLE_OK : CURLE_AGAIN;
}

static const struct mote_stream_ops wire_ops = { .recv = wire_recv, .send = wire_send };

/* ---- the server ---- */

static _Thread_local struct server {
  SSL_CTX *ctx;
  SSL *ssl;
  BIO *in;
  BIO *out;
  const unsigned char *staple; /* OCSP response */
  size_t staple_len;
} server;

static inline int choose_alpn(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                              const unsigned char *in, unsigned in_len, void *arg)
{
  const unsigned char *wanted = arg;
  unsigned char *chosen;
  (void)ssl;
  if(SSL_select_next_proto(&chosen, out_len, wanted, wanted[0] + 1u, in, in_len) != OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

static inline int staple_response(SSL *ssl, void *arg)
{
  unsigned char *copy;
  (void)arg;
  if(!server.staple_len)
    return SSL_TLSEXT_ERR_NOACK;
  copy = OPENSSL_memdup(server.staple, server.staple_len);
  SSL_set_tlsext_status_ocsp_resp(ssl, copy, (int)server.staple_len);
  return SSL_TLSEXT_ERR_OK;
}

/* A context that serves `c` and, after it, the certificates of `chain`. */
static inline void server_open(const struct cert *c, const struct cert *const *chain)
{
  memset(&server, 0, sizeof server);
  server.ctx = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_options(server.ctx, SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_use_certificate(server.ctx, c->x);
  SSL_CTX_use_PrivateKey(server.ctx, c->key);
  for(; chain && *chain; chain++)
    SSL_CTX_add1_chain_cert(server.ctx, (*chain)->x);
  SSL_CTX_set_session_id_context(server.ctx, (const unsigned char *)"t", 1);
  SSL_CTX_set_tlsext_status_cb(server.ctx, staple_response);
}

static inline void server_alpn(const char *name)
{
  static unsigned char wanted[64];
  wanted[0] = (unsigned char)strlen(name);
  memcpy(wanted + 1, name, wanted[0]);
  SSL_CTX_set_alpn_select_cb(server.ctx, choose_alpn, wanted);
}

/* A fresh connection on a fresh wire. */
static inline void server_accept(void)
{
  SSL_free(server.ssl);
  server.ssl = SSL_new(server.ctx);
  server.in = BIO_new(BIO_s_mem());
  server.out = BIO_new(BIO_s_mem());
  BIO_set_mem_eof_return(server.in, -1);
  SSL_set_bio(server.ssl, server.in, server.out);
  SSL_set_accept_state(server.ssl);
  to_server.len = 0;
  to_client.len = 0;
  memset(&wire, 0, sizeof wire);
  wire.stream.ops = &wire_ops;
  wire.chunk = WIRE_MAX;
  wire.gate = SIZE_MAX;
}

static inline void server_close(void)
{
  SSL_free(server.ssl);
  SSL_CTX_free(server.ctx);
  memset(&server, 0, sizeof server);
}

static inline void server_flush(void)
{
  unsigned char buf[4096];
  int n;
  while((n = BIO_read(server.out, buf, sizeof buf)) > 0)
    append(&to_client, buf, (size_t)n);
}

/* What has come goes into the server; what it says comes out. */
static inline void server_step(void)
{
  unsigned char buf[4096];
  size_t n;
  while((n = take(&to_server, buf, sizeof buf)) > 0)
    BIO_write(server.in, buf, (int)n);
  if(!SSL_is_init_finished(server.ssl))
    SSL_do_handshake(server.ssl);
  ERR_clear_error();
  server_flush();
}

static inline void server_write(const void *bytes, size_t len)
{
  SSL_write(server.ssl, bytes, (int)len);
  server_flush();
}

static inline int server_read(void *buf, size_t cap)
{
  int n;
  server_step();
  n = SSL_read(server.ssl, buf, (int)cap);
  ERR_clear_error();
  return n;
}

/* ---- the client ---- */

static _Thread_local struct client {
  struct mote_stream *tls;
  struct mote_stream_env env;
  struct mote_account account;
  struct mote_report report;
  char text[512];  /* the first failure */
  char lines[4096]; /* verbose */
} client;

static inline void note_failure(struct mote_report *r, const char *fmt, va_list args)
{
  (void)r;
  if(!client.text[0])
    vsnprintf(client.text, sizeof client.text, fmt, args);
}

static inline void note_line(struct mote_report *r, const char *fmt, va_list args)
{
  size_t len = strlen(client.lines);
  (void)r;
  vsnprintf(client.lines + len, sizeof client.lines - len, fmt, args);
  len = strlen(client.lines);
  snprintf(client.lines + len, sizeof client.lines - len, "\n");
}

static const struct mote_report_ops report_ops = { .fail = note_failure, .info = note_line };

static inline struct mote_tls_server test_server(const char *host)
{
  return (struct mote_tls_server){mote_slice_of(host), 443};
}

static inline CURLcode client_open(const struct mote_tls_config *cfg, const char *host,
                                   struct mote_session_cache *cache)
{
  CURLcode rc;
  server_accept();
  memset(&client, 0, sizeof client);
  client.report.ops = &report_ops;
  client.report.verbose = true;
  client.env.report = &client.report;
  client.env.account = &client.account;
  rc = mote_tls_connect_new(&client.tls, &wire.stream, &client.env, cfg, test_server(host));
  if(!rc)
    mote_tls_set_cache(client.tls, cache, NULL, NULL);
  return rc;
}

/* Both sides in turns until the client is through or fails. */
static inline CURLcode client_handshake(void)
{
  int turns;
  for(turns = 0; turns < 100000; turns++) {
    bool done = false;
    CURLcode rc = client.tls->ops->handshake(client.tls, &done);
    if(!rc && !done)
      CHECK(client.tls->ops->want(client.tls, MOTE_WANT_IN));
    server_step();
    if(rc || done)
      return rc;
  }
  return CURLE_OPERATION_TIMEDOUT;
}

static inline void client_close(void)
{
  if(client.tls)
    client.tls->ops->close(client.tls);
  client.tls = NULL;
  CHECK_ACCOUNT(&client.account);
}

static inline CURLcode client_connect(const struct mote_tls_config *cfg, const char *host,
                               struct mote_session_cache *cache)
{
  CURLcode rc = client_open(cfg, host, cache);
  return rc ? rc : client_handshake();
}

/* At most cap bytes, over as many calls as it takes; the code of the last call but CURLE_AGAIN's. */
static inline CURLcode client_read(void *buf, size_t cap, size_t *len)
{
  int turns;
  *len = 0;
  for(turns = 0; turns < 1000000 && *len < cap; turns++) {
    size_t n = 0;
    CURLcode rc = client.tls->ops->recv(client.tls, (char *)buf + *len, cap - *len, &n);
    *len += n;
    if(rc == CURLE_AGAIN) {
      if(!to_client.len && !wire.stalled_in && !wire.ended)
        return CURLE_AGAIN;
      continue;
    }
    if(rc || !n)
      return rc;
  }
  return CURLE_OK;
}

static inline CURLcode client_write(const void *bytes, size_t len)
{
  size_t done = 0;
  int turns;
  for(turns = 0; turns < 1000000 && done < len; turns++) {
    size_t n = 0;
    CURLcode rc = client.tls->ops->send(client.tls, (const char *)bytes + done, len - done, &n);
    if(rc && rc != CURLE_AGAIN)
      return rc;
    done += n;
    server_step();
  }
  return CURLE_OK;
}

#endif
