/* tests/unit/tls/common_tests.h: what a stream by any library must do; after peer.h and pki.h. Those
 * whose trust store is ours (src/tls/common/common.h) pass run_common_tests(); test_<library>.c adds what is
 * its own. */
#ifndef MOTE_TEST_TLS_COMMON_TESTS_H
#define MOTE_TEST_TLS_COMMON_TESTS_H

#include "tls/session.h"

/* The library that is tested: test_<library>.c says what it is and what it chooses with this server. */
static const struct tested {
  curl_sslbackend id;
  const char *version;  /* how mote_tls_version() begins */
  const char *protocol; /* as in struct mote_tls_info */
  const char *cipher;   /* a part of its name */
} tested;

/* The first of all: before the first stream is made. */
static inline void test_is_chosen(void)
{
  CHECK_INT(mote_tls_select(tested.id, NULL), CURLSSLSET_OK);
  CHECK_INT(mote_tls_backend(), tested.id);
  CHECK(!strncmp(mote_tls_version(), tested.version, strlen(tested.version)));
}

static inline void test_connects_and_exchanges(void)
{
  struct mote_tls_config cfg = trusting();
  struct mote_tls_info info;
  size_t len;
  server_open(&leaf, NULL);
  server_alpn("http/1.1");
  cfg.alpn = "h2,http/1.1";
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_STR(client.text, "");
  check_exchange();
  mote_tls_get_info(client.tls, &info);
  CHECK_STR(info.version, tested.protocol);
  CHECK(strstr(info.cipher, tested.cipher));
  CHECK(!info.verify_result && !info.resumed);
  CHECK_STR(SSL_get_servername(server.ssl, TLSEXT_NAMETYPE_host_name), "localhost");
  CHECK_STR(mote_tls_alpn(client.tls, &len), "http/1.1");
  CHECK_INT(len, 8);
  CHECK_INT(mote_tls_backend_of(client.tls), tested.id);
  CHECK(mote_tls_ssl_ptr(client.tls));
  end();
}

/* An idle connection is looked at: tickets are taken in, bytes of the protocol stay where they are. */
static inline void test_looking_takes_nothing(void)
{
  struct mote_tls_config cfg = trusting();
  char buf[16];
  size_t len;
  int i;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(client.tls->ops->quiet(client.tls));
  check_exchange();
  CHECK(client.tls->ops->quiet(client.tls));
  server_write("first", 5);
  server_write("second", 6);
  for(i = 0; i < 3; i++)
    CHECK(!client.tls->ops->quiet(client.tls));
  CHECK_INT(client_read(buf, 11, &len), CURLE_OK);
  CHECK_MEM(buf, len, "firstsecond", 11);
  CHECK(client.tls->ops->quiet(client.tls));
  end();
}

/* One byte per call and every other call stalled, both ways. */
static inline void test_goes_on_at_every_byte(void)
{
  struct mote_tls_config cfg = trusting();
  const struct cert *const chain[] = { &intermediate, NULL };
  server_open(&deep_leaf, chain);
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  wire.chunk = 1;
  wire.stall = true;
  CHECK_INT(client_handshake(), CURLE_OK);
  check_exchange();
  end();
}

static inline void test_idle_keeps_half_a_record(void)
{
  struct mote_tls_config cfg = trusting();
  size_t cut;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  for(cut = 1; cut < 32; cut++) {
    char buf[64];
    size_t n;
    (void)client.tls->ops->recv(client.tls, buf, 64, &n); /* tickets */
    server_write("0123456789", 10);
    wire.gate = cut;
    CHECK_INT(client.tls->ops->recv(client.tls, buf, 64, &n), CURLE_AGAIN);
    client.tls->ops->idle(client.tls);
    wire.gate = SIZE_MAX;
    CHECK_INT(client.tls->ops->recv(client.tls, buf, 64, &n), CURLE_OK);
    if(!CHECK(n == 10 && !memcmp(buf, "0123456789", 10)))
      break;
    client.tls->ops->idle(client.tls);
  }
  end();
}

/* The beginning of a header, read along with the record before it. */
static inline void test_idle_keeps_half_a_header(void)
{
  struct mote_tls_config cfg = trusting();
  size_t cut;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  for(cut = 0; cut < 10; cut++) {
    static const char second[600] = "second";
    char buf[600];
    size_t n;
    (void)client.tls->ops->recv(client.tls, buf, sizeof buf, &n); /* tickets */
    server_write("first", 5);
    wire.gate = to_client.len + cut;
    server_write(second, sizeof second);
    CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &n), CURLE_OK);
    CHECK_MEM(buf, n, "first", 5);
    CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &n), CURLE_AGAIN);
    client.tls->ops->idle(client.tls);
    wire.gate = SIZE_MAX;
    CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &n), CURLE_OK);
    CHECK_MEM(buf, n, second, sizeof second);
    client.tls->ops->idle(client.tls);
  }
  end();
}

static inline void test_reports_how_the_connection_ended(void)
{
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t len;
  bool done;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  SSL_shutdown(server.ssl);
  server_flush();
  CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_OK);
  CHECK(!len && !mote_tls_truncated(client.tls));
  client_close();
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  wire.ended = true;
  CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_RECV_ERROR);
  CHECK(mote_tls_truncated(client.tls));
  CHECK_STR(client.text, ""); /* whether it is a failure is decided above */
  CHECK(strstr(client.lines, "unexpected eof"));
  client_close();
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(client.tls->ops->shutdown(client.tls, &done), CURLE_OK);
  CHECK(done);
  server_step();
  CHECK_INT(SSL_read(server.ssl, buf, sizeof buf), 0);
  CHECK(SSL_get_shutdown(server.ssl) & SSL_RECEIVED_SHUTDOWN);
  end();
}

/* What the transport could not take goes with the next call, whichever it is. */
static inline void test_sends_when_it_can(void)
{
  struct mote_tls_config cfg = trusting();
  char buf[64];
  size_t n;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  wire.full = true;
  CHECK_INT(client.tls->ops->send(client.tls, "hello", 5, &n), CURLE_AGAIN);
  CHECK_INT(client.tls->ops->want(client.tls, MOTE_WANT_IN), MOTE_WANT_IN | MOTE_WANT_OUT);
  CHECK_INT(client.tls->ops->send(client.tls, "hello", 5, &n), CURLE_AGAIN);
  wire.full = false;
  CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &n), CURLE_AGAIN);
  CHECK_INT(client.tls->ops->want(client.tls, MOTE_WANT_IN), MOTE_WANT_IN);
  CHECK_INT(client.tls->ops->send(client.tls, "hello", 5, &n), CURLE_OK);
  CHECK_INT(n, 5);
  CHECK_INT(server_read(buf, sizeof buf), 5);
  CHECK_INT(server_read(buf, sizeof buf), -1); /* once only */
  end();
}

/* A caller that offers less after CURLE_AGAIN passes the rest later; a byte of the record goes only once. */
static inline void test_sends_less_after_again(void)
{
  struct mote_tls_config cfg = trusting();
  char buf[64];
  size_t n;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  wire.full = true;
  CHECK_INT(client.tls->ops->send(client.tls, "hello", 5, &n), CURLE_AGAIN);
  wire.full = false;
  CHECK_INT(client.tls->ops->send(client.tls, "he", 2, &n), CURLE_OK);
  CHECK_INT(n, 2);
  CHECK_INT(client.tls->ops->send(client.tls, "l", 1, &n), CURLE_OK);
  CHECK_INT(n, 1);
  CHECK_INT(client.tls->ops->send(client.tls, "lo, server", 10, &n), CURLE_OK);
  CHECK_INT(n, 10);
  CHECK_INT(server_read(buf, 5), 5);
  CHECK_MEM(buf, 5, "hello", 5);
  CHECK_INT(server_read(buf, sizeof buf), 8);
  CHECK_MEM(buf, 8, ", server", 8);
  CHECK_INT(server_read(buf, sizeof buf), -1);
  end();
}

/* One handshake; text NULL: there is none to report. */
static inline void expect(const struct mote_tls_config *cfg, const struct cert *c, const char *host,
                          CURLcode code, const char *text, long result)
{
  struct mote_tls_info info = { .verify_result = -1 };
  server_open(c, NULL);
  CHECK_INT(client_connect(cfg, host, NULL), code);
  if(client.tls)
    mote_tls_get_info(client.tls, &info);
  CHECK_INT(info.verify_result, result);
  if(!CHECK(text ? strstr(client.text, text) != NULL : !client.text[0]))
    printf("    %s\n", client.text);
  end();
}

static inline void test_refuses(void)
{
  struct mote_tls_config cfg = trusting();
  expect(&cfg, &leaf, "localhost", CURLE_OK, NULL, 0);
  expect(&cfg, &leaf, "[::1%25lo]", CURLE_OK, NULL, 0);
  expect(&cfg, &leaf, "LOCALHOST.", CURLE_OK, NULL, 0);
  expect(&cfg, &expired, "localhost", CURLE_PEER_FAILED_VERIFICATION, "expired", 10);
  expect(&cfg, &self_signed, "localhost", CURLE_PEER_FAILED_VERIFICATION, "local issuer", 20);
  expect(&cfg, &deep_leaf, "localhost", CURLE_PEER_FAILED_VERIFICATION, "local issuer", 20);
  expect(&cfg, &leaf, "127.0.0.2", CURLE_PEER_FAILED_VERIFICATION, "'127.0.0.2'", 1);
  expect(&cfg, &leaf, "other.test", CURLE_PEER_FAILED_VERIFICATION, "'other.test'", 1);
  expect(&cfg, &no_san, "localhost", CURLE_PEER_FAILED_VERIFICATION, "'localhost'", 1);
  cfg.verify_peer = false;
  expect(&cfg, &expired, "localhost", CURLE_OK, NULL, 20);
  expect(&cfg, &no_san, "localhost", CURLE_PEER_FAILED_VERIFICATION, "'localhost'", 1);
  expect(&cfg, &leaf, "127.0.0.2", CURLE_PEER_FAILED_VERIFICATION, "'127.0.0.2'", 1);
  cfg.verify_host = false;
  expect(&cfg, &no_san, "anything", CURLE_OK, NULL, 20);
  cfg.verify_peer = true;
  expect(&cfg, &no_san, "anything", CURLE_OK, NULL, 0);
}

/* A root whose time is over, or has not come: what is said of it, and the verify result. */
static inline void check_dates_of_a_root(const char *over, long over_result, const char *early,
                                         long early_result)
{
  static const int days[][2] = { { -20, 20 }, { -20, -10 }, { 10, 20 } };
  size_t i;
  for(i = 0; i < 3; i++) {
    struct mote_tls_config cfg = trusting();
    struct cert old = { 0 };
    struct cert its = { 0 };
    const struct cert *const bundle[] = { &old, NULL };
    cert_make(&old, NULL, &(struct cert_wish){ .name = "Old Root", .ca = true, .from = days[i][0] * 86400,
              .until = days[i][1] * 86400 });
    cert_make(&its, &old, &(struct cert_wish){ .name = "its", .serial = 9, .san = "DNS:localhost" });
    write_pem("old.pem", bundle, false, NULL);
    cfg.ca_file = in_dir("old.pem");
    if(i)
      expect(&cfg, &its, "localhost", CURLE_PEER_FAILED_VERIFICATION, i == 1 ? over : early,
             i == 1 ? over_result : early_result);
    else
      expect(&cfg, &its, "localhost", CURLE_OK, NULL, 0);
    unlink(in_dir("old.pem"));
    cert_free(&old);
    cert_free(&its);
  }
}

/* OpenSSL's trust settings, which follow a certificate in a bundle, may reject it for TLS servers. A library
 * that does not read them trusts no certificate that has some. */
static inline void test_rejected_root_is_no_root(void)
{
  struct mote_tls_config cfg = trusting();
  X509 *rejected = X509_dup(root.x);
  FILE *f = fopen(in_dir("rejected.pem"), "wb");
  CHECK(X509_add1_reject_object(rejected, OBJ_nid2obj(NID_server_auth)));
  CHECK(f && PEM_write_X509_AUX(f, rejected));
  fclose(f);
  cfg.ca_file = in_dir("rejected.pem");
  server_open(&leaf, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_PEER_FAILED_VERIFICATION);
  unlink(in_dir("rejected.pem"));
  X509_free(rejected);
  end();
}

/* ---- records without end ---- */

#define CALL_MOST 600   /* pieces that a call may take from below */
#define FLOOD_MOST 2000 /* where a call that takes more is stopped */

/* A server that repeats one record. */
static struct {
  const unsigned char *record;
  size_t len;
  size_t at;
  size_t calls;
} flood;

static inline CURLcode flood_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  (void)s;
  *n = 0;
  if(++flood.calls > FLOOD_MOST)
    return CURLE_RECV_ERROR;
  for(; *n < cap; (*n)++)
    ((unsigned char *)buf)[*n] = flood.record[flood.at++ % flood.len];
  return CURLE_OK;
}

static const struct mote_stream_ops flood_ops = { .recv = flood_recv, .send = wire_send };

/* Each call returns, so that a caller can look at its deadlines; the library may also refuse the server. */
static inline void check_flood_in_the_handshake(const unsigned char *record, size_t len)
{
  struct mote_tls_config cfg = trusting();
  bool done = false;
  CURLcode rc;
  int i;
  server_open(&leaf, NULL);
  rc = client_open(&cfg, "localhost", NULL);
  CHECK_INT(rc, CURLE_OK);
  wire.stream.ops = &flood_ops;
  flood.record = record;
  flood.len = len;
  flood.at = 0;
  for(i = 0; i < 3 && !rc; i++) {
    flood.calls = 0;
    rc = client.tls->ops->handshake(client.tls, &done);
    CHECK(!done);
    CHECK(flood.calls <= CALL_MOST);
  }
  end();
}

static inline void test_flood_of_records_in_the_handshake(void)
{
  static const unsigned char no_renegotiation[] = { 21, 3, 3, 0, 2, 1, 100 };
  static const unsigned char user_canceled[] = { 21, 3, 3, 0, 2, 1, 90 };
  static const unsigned char unrecognized_name[] = { 21, 3, 3, 0, 2, 1, 112 };
  static const unsigned char hello_request[] = { 22, 3, 3, 0, 4, 0, 0, 0, 0 };
  check_flood_in_the_handshake(no_renegotiation, sizeof no_renegotiation);
  check_flood_in_the_handshake(user_canceled, sizeof user_canceled);
  check_flood_in_the_handshake(unrecognized_name, sizeof unrecognized_name);
  check_flood_in_the_handshake(hello_request, sizeof hello_request);
}

/* The same; the library may refuse these, too. */
static inline void test_flood_of_requests_to_renegotiate(void)
{
  struct mote_tls_config cfg = trusting();
  CURLcode rc = CURLE_AGAIN;
  char buf[16];
  size_t n;
  int i;
  server_open(&leaf, NULL);
  SSL_CTX_set_max_proto_version(server.ctx, TLS1_2_VERSION);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  for(i = 0; i < 2000; i++) {
    SSL_renegotiate(server.ssl);
    SSL_do_handshake(server.ssl);
  }
  server_flush();
  CHECK(to_client.len > 2000 * 30);
  for(i = 0; i < 3 && rc == CURLE_AGAIN; i++) {
    wire.calls = 0;
    rc = client.tls->ops->recv(client.tls, buf, sizeof buf, &n);
    CHECK(rc == CURLE_AGAIN || rc == CURLE_RECV_ERROR);
    CHECK(wire.calls && wire.calls <= CALL_MOST);
    CHECK(!client.tls->ops->quiet(client.tls));
  }
  CHECK(to_client.len);
  end();
}

/* An option that is refused when the stream is made, with a reason. */
static inline void cannot(struct mote_tls_config cfg, size_t option, const char *value, CURLcode code)
{
  memcpy((char *)&cfg + option, &value, sizeof value);
  server_open(&leaf, NULL);
  CHECK_INT(client_open(&cfg, "localhost", NULL), code);
  CHECK(client.text[0]);
  end();
}
#define CANNOT(field, value, code) cannot(cfg, offsetof(struct mote_tls_config, field), value, code)

/* What such a library cannot do is refused; `otherwise` is of lists of curves and signature algorithms. */
static inline void check_what_it_cannot(CURLcode otherwise, const char *ciphers)
{
  struct mote_tls_config cfg = trusting();
  CANNOT(crl_file, "x", CURLE_NOT_BUILT_IN);
  CANNOT(issuer_file, "x", CURLE_NOT_BUILT_IN);
  CANNOT(curves, "NOSUCH", otherwise);
  CANNOT(sigalgs, "NOSUCH", otherwise);
  CANNOT(srp_user, "x", CURLE_NOT_BUILT_IN);
  CANNOT(ciphers, ciphers, CURLE_SSL_CIPHER);
  CANNOT(cert_file, "/nowhere", CURLE_SSL_CERTPROBLEM);
  CANNOT(ca_file, "/nowhere", CURLE_SSL_CACERT_BADFILE);
  cfg.cert_file = in_dir("client.pem");
  CANNOT(cert_type, "P12", CURLE_SSL_CERTPROBLEM);
  CANNOT(key_type, "ENG", CURLE_SSL_CERTPROBLEM);
  cfg.verify_status = true;
  CANNOT(alpn, NULL, CURLE_NOT_BUILT_IN);
}

static inline void test_resumes_sessions(void)
{
  struct mote_account account = { 0 };
  struct mote_session_cache cache;
  struct mote_tls_config cfg = trusting();
  struct mote_tls_info info;
  int round;
  mote_session_cache_init(&cache, &account);
  server_open(&leaf, NULL);
  for(round = 0; round < 3; round++) {
    CHECK_INT(client_connect(&cfg, "localhost", &cache), CURLE_OK);
    check_exchange();
    mote_tls_get_info(client.tls, &info);
    CHECK_INT(info.resumed, round == 1);
    CHECK_INT(info.verify_result, 0);
    /* A server keeps no session of a connection that was not ended. */
    SSL_set_shutdown(server.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    client_close();
    if(round == 1)
      cfg.verify_host = false; /* another configuration */
  }
  mote_session_cache_close(&cache);
  CHECK_ACCOUNT(&account);
  end();
}

/* A whole life of connections. Whatever runs out, the code says so and nothing stays. */
static inline void life_of_connections(void)
{
  struct mote_account account = { 0 };
  struct mote_session_cache cache;
  struct mote_tls_config cfg = trusting();
  static char bulk[20000];
  static char buf[20000];
  int round;
  mote_session_cache_init(&cache, &account);
  server_open(&leaf, NULL);
  for(round = 0; round < 3; round++) {
    size_t len;
    CURLcode rc = client_connect(&cfg, round == 1 ? "127.0.0.1" : "localhost", &cache);
    CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    if(!rc) {
      CHECK_INT(client_write(bulk, sizeof bulk), CURLE_OK);
      server_write(bulk, sizeof bulk);
      rc = client_read(buf, sizeof buf, &len);
      CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    }
    client_close();
    cfg.cert_file = in_dir("client.pem");
  }
  mote_session_cache_close(&cache);
  CHECK_ACCOUNT(&account);
  end();
}

static inline void run_common_tests(void)
{
  TEST_RUN(is_chosen);
  TEST_RUN(connects_and_exchanges);
  TEST_RUN(looking_takes_nothing);
  TEST_RUN(goes_on_at_every_byte);
  TEST_RUN(idle_keeps_half_a_record);
  TEST_RUN(idle_keeps_half_a_header);
  TEST_RUN(reports_how_the_connection_ended);
  TEST_RUN(sends_when_it_can);
  TEST_RUN(sends_less_after_again);
  TEST_RUN(refuses);
  TEST_RUN(rejected_root_is_no_root);
  TEST_RUN(flood_of_records_in_the_handshake);
  TEST_RUN(flood_of_requests_to_renegotiate);
  TEST_RUN(resumes_sessions);
}

#endif
