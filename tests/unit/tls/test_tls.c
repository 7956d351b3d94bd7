/* Tests of tls/tls.h: streams that work. Needs accounts. Needs openssl. */
#include "test.h"

#include "peer.h"
#include "pki.h"

#include "common_tests.h"
#include "layers.h"

TEST(connects_without_a_protocol)
{
  struct mote_tls_config cfg = trusting();
  struct mote_tls_info info;
  size_t len;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_STR(client.text, "");
  check_exchange();
  mote_tls_get_info(client.tls, &info);
  CHECK_STR(info.version, "TLSv1.3");
  CHECK_INT(info.tls_id, 0x0304);
  CHECK_INT(info.verify_result, 0);
  CHECK(!info.resumed && strstr(info.cipher, "TLS_"));
  CHECK(!mote_tls_alpn(client.tls, &len) && !len);
  CHECK(mote_tls_ssl_ptr(client.tls) && SSL_get0_peer_certificate(mote_tls_ssl_ptr(client.tls)));
  CHECK(mote_tls_ctx_ptr(client.tls));
  CHECK(strstr(client.lines, "SSL connection using TLSv1.3 / "));
  CHECK(strstr(client.lines, " subject: O=Mote tests; CN=ignored\n"));
  CHECK(strstr(client.lines, " SSL certificate verify ok.\n"));
  CHECK(!strncmp(mote_tls_version(), "OpenSSL/3.", 10));
  end();
}

TEST(returns_the_name)
{
  struct mote_tls_config cfg = trusting();
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "www.example.com.", NULL), CURLE_OK);
  CHECK_STR(SSL_get_servername(server.ssl, TLSEXT_NAMETYPE_host_name), "www.example.com");
  client_close();
  CHECK_INT(client_connect(&cfg, "127.0.0.1", NULL), CURLE_OK);
  CHECK_STR(SSL_get_servername(server.ssl, TLSEXT_NAMETYPE_host_name), NULL);
  client_close();
  CHECK_INT(client_connect(&cfg, "[::1%25lo]", NULL), CURLE_OK);
  CHECK_STR(SSL_get_servername(server.ssl, TLSEXT_NAMETYPE_host_name), NULL);
  end();
}

TEST(agrees_on_a_protocol)
{
  struct mote_tls_config cfg = trusting();
  const char *chosen;
  size_t len;
  server_open(&leaf, NULL);
  server_alpn("http/1.1");
  cfg.alpn = "h2,http/1.1";
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  chosen = mote_tls_alpn(client.tls, &len);
  CHECK_MEM(chosen, len, "http/1.1", 8);
  CHECK(strstr(client.lines, "ALPN: offers h2,http/1.1\n"));
  CHECK(strstr(client.lines, "ALPN: server accepted http/1.1\n"));
  end();
}

/* The server asks for a certificate when the handshake is over. Returns what reading gives the client. */
static CURLcode ask_for_certificate(const char *protocol)
{
  struct mote_tls_config cfg = trusting();
  CURLcode rc;
  char buf[8];
  size_t len;
  server_open(&leaf, NULL);
  server_alpn(protocol);
  SSL_CTX_set_verify(server.ctx, SSL_VERIFY_PEER | SSL_VERIFY_POST_HANDSHAKE, NULL);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(server.ctx), root.x);
  cfg.alpn = "h2,http/1.1";
  cfg.cert_file = in_dir("client.pem");
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(SSL_verify_client_post_handshake(server.ssl) == 1);
  SSL_do_handshake(server.ssl);
  server_flush();
  rc = client_read(buf, sizeof buf, &len);
  (void)server_read(buf, sizeof buf);
  return rc;
}

TEST(gives_its_certificate_after_the_handshake)
{
  CHECK_INT(ask_for_certificate("http/1.1"), CURLE_AGAIN);
  CHECK(SSL_get0_peer_certificate(server.ssl));
  check_exchange();
  end();
  CHECK_INT(ask_for_certificate("h2"), CURLE_RECV_ERROR);
  CHECK(!SSL_get0_peer_certificate(server.ssl));
  end();
}

TEST(speaks_1_2)
{
  struct mote_tls_config cfg = trusting();
  struct mote_tls_info info;
  server_open(&leaf, NULL);
  cfg.version = CURL_SSLVERSION_MAX_TLSv1_2;
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  mote_tls_get_info(client.tls, &info);
  CHECK_STR(info.version, "TLSv1.2");
  check_exchange();
  end();
}

/* One byte per call and every other call stalled, both ways, both versions. */
TEST(goes_on_at_every_byte_of_each_version)
{
  const long versions[] = { 0, CURL_SSLVERSION_MAX_TLSv1_2 };
  size_t i;
  for(i = 0; i < 2; i++) {
    struct mote_tls_config cfg = trusting();
    char buf[64];
    size_t len;
    bool done;
    server_open(&leaf, NULL);
    cfg.version = versions[i];
    CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
    wire.chunk = 1;
    wire.stall = true;
    CHECK_INT(client_handshake(), CURLE_OK);
    check_exchange();
    SSL_shutdown(server.ssl);
    server_flush();
    CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_OK);
    CHECK_INT(len, 0);
    CHECK(!mote_tls_truncated(client.tls));
    do
      CHECK_INT(client.tls->ops->shutdown(client.tls, &done), CURLE_OK);
    while(!done);
    server_read(buf, sizeof buf);
    CHECK(SSL_get_shutdown(server.ssl) & SSL_RECEIVED_SHUTDOWN);
    end();
  }
}

/* Megabytes both ways, in pieces that never fit. */
TEST(carries_bulk)
{
  static unsigned char sent[100000];
  static unsigned char got[100000];
  struct mote_tls_config cfg = trusting();
  size_t i;
  size_t len;
  size_t have = 0;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  for(i = 0; i < sizeof sent; i++)
    sent[i] = (unsigned char)test_random();
  wire.chunk = 1777;
  server_write(sent, sizeof sent);
  CHECK_INT(client_read(got, sizeof got, &len), CURLE_OK);
  CHECK_MEM(got, len, sent, sizeof sent);
  memset(got, 0, sizeof got);
  CHECK_INT(client_write(sent, sizeof sent), CURLE_OK);
  for(;;) {
    int n = server_read(got + have, sizeof got - have);
    if(n <= 0)
      break;
    have += (size_t)n;
  }
  CHECK_MEM(got, have, sent, sizeof sent);
  end();
}

/* The server speaks first: a record has come with the end of the handshake when a long send follows. */
TEST(sends_while_a_record_is_waiting)
{
  static unsigned char sent[60000];
  static unsigned char got[60000];
  struct mote_tls_config cfg = trusting();
  bool done = false;
  size_t have = 0;
  size_t len;
  int n;
  server_open(&leaf, NULL);
  cfg.version = CURL_SSLVERSION_MAX_TLSv1_2;
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  while(!done && !client.tls->ops->handshake(client.tls, &done)) {
    server_step();
    if(SSL_is_init_finished(server.ssl) && !done)
      server_write("hello", 5);
  }
  CHECK(client.tls->ops->pending(client.tls));
  CHECK_INT(client_write(sent, sizeof sent), CURLE_OK);
  while((n = server_read(got + have, sizeof got - have)) > 0)
    have += (size_t)n;
  CHECK_INT(have, sizeof sent);
  CHECK_INT(client_read(got, 5, &len), CURLE_OK);
  CHECK_MEM(got, len, "hello", 5);
  CHECK_INT(client_write(sent, sizeof sent), CURLE_OK);
  for(have = 0; (n = server_read(got + have, sizeof got - have)) > 0;)
    have += (size_t)n;
  CHECK_INT(have, sizeof sent);
  end();
}

/* What was read ahead of a small recv is reported by pending. */
TEST(reports_bytes_inside)
{
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t n;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_AGAIN); /* tickets */
  CHECK(!client.tls->ops->pending(client.tls));
  server_write("0123456789", 10);
  server_write("abc", 3);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_OK);
  CHECK_INT(n, 8);
  CHECK(client.tls->ops->pending(client.tls));
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_OK);
  CHECK_INT(n, 2);
  CHECK(client.tls->ops->pending(client.tls)); /* the second record */
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_OK);
  CHECK_INT(n, 3);
  CHECK(!client.tls->ops->pending(client.tls));
  end();
}

/* A server may send tickets without end: one recv takes in some of them, whatever follows. */
TEST(tickets_are_taken_in_turns)
{
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t n;
  int i;
  CURLcode rc;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_AGAIN);
  for(i = 0; i < 400; i++) {
    CHECK_INT(SSL_new_session_ticket(server.ssl), 1);
    CHECK_INT(SSL_do_handshake(server.ssl), 1);
  }
  server_write("data", 4);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_AGAIN);
  CHECK(!client.tls->ops->quiet(client.tls)); /* there is more, whatever it is */
  for(i = 0; i < 400; i++) {
    rc = client.tls->ops->recv(client.tls, buf, 8, &n);
    if(rc != CURLE_AGAIN)
      break;
  }
  CHECK_INT(rc, CURLE_OK);
  CHECK_MEM(buf, n, "data", 4);
  end();
}

TEST(passes_on_what_breaks_below)
{
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t len;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  wire.broken = CURLE_RECV_ERROR;
  CHECK_INT(client_read(buf, 8, &len), CURLE_RECV_ERROR);
  CHECK(!mote_tls_truncated(client.tls));
  CHECK_STR(client.text, ""); /* the stream below reports it */
  end();
}

static bool resumes(const struct mote_tls_config *cfg, const char *host, struct mote_session_cache *cache)
{
  struct mote_tls_info info = { .resumed = false };
  char buf[8];
  size_t n;
  if(CHECK_INT(client_connect(cfg, host, cache), CURLE_OK)) {
    (void)client.tls->ops->recv(client.tls, buf, sizeof buf, &n); /* tickets */
    check_exchange();
    mote_tls_get_info(client.tls, &info);
    CHECK_INT(info.verify_result, 0);
  }
  client_close();
  return info.resumed;
}

TEST(resumes_sessions_of_its_own_kind)
{
  const long versions[] = { 0, CURL_SSLVERSION_MAX_TLSv1_2 };
  size_t i;
  for(i = 0; i < 2; i++) {
    struct mote_account account = { 0 };
    struct mote_session_cache cache;
    struct mote_tls_config cfg = trusting();
    mote_session_cache_init(&cache, &account);
    cfg.version = versions[i];
    server_open(&leaf, NULL);
    CHECK(!resumes(&cfg, "localhost", &cache));
    CHECK(cache.count);
    CHECK(account.live < 1400 * cache.count);
    CHECK(resumes(&cfg, "localhost", &cache));
    CHECK(!resumes(&cfg, "www.example.com", &cache)); /* another name */
    cfg.verify_host = false;
    CHECK(!resumes(&cfg, "localhost", &cache));       /* verified otherwise */
    cfg.verify_host = true;
    cfg.session_cache = false;
    CHECK(!resumes(&cfg, "localhost", &cache));
    cfg.session_cache = true;
    cfg.certinfo = true;
    CHECK(!resumes(&cfg, "localhost", &cache));
    mote_session_cache_close(&cache);
    CHECK_ACCOUNT(&account);
    end();
  }
}

static int locked;

static void lock_cache(void *arg)
{
  CHECK(arg == &locked && !locked++);
}

static void unlock_cache(void *arg)
{
  CHECK(arg == &locked && locked-- == 1);
}

/* A share's cache is locked around each use, and forgotten by an idle connection. */
TEST(guards_the_cache)
{
  const struct mote_session_guard guard = { .lock = lock_cache, .unlock = unlock_cache };
  struct mote_account account = { 0 };
  struct mote_session_cache cache;
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t n;
  mote_session_cache_init(&cache, &account);
  server_open(&leaf, NULL);
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  mote_tls_set_cache(client.tls, &cache, &guard, &locked);
  CHECK_INT(client_handshake(), CURLE_OK);
  client.tls->ops->idle(client.tls);
  (void)client.tls->ops->recv(client.tls, buf, sizeof buf, &n); /* tickets */
  CHECK_INT(cache.count, 0);
  client_close();
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  mote_tls_set_cache(client.tls, &cache, &guard, &locked);
  CHECK_INT(client_handshake(), CURLE_OK);
  (void)client.tls->ops->recv(client.tls, buf, sizeof buf, &n);
  CHECK(cache.count > 0 && !locked);
  mote_session_cache_close(&cache);
  CHECK_ACCOUNT(&account);
  end();
}

/* A peer that failed a check after the handshake leaves no session in the cache. */
TEST(keeps_no_session_of_a_bad_peer)
{
  const long versions[] = { 0, CURL_SSLVERSION_MAX_TLSv1_2 };
  size_t i;
  for(i = 0; i < 2; i++) {
    struct mote_account account = { 0 };
    struct mote_session_cache cache;
    struct mote_tls_config cfg = trusting();
    mote_session_cache_init(&cache, &account);
    cfg.version = versions[i];
    cfg.pinned_key = "sha256//AAAA";
    server_open(&leaf, NULL);
    CHECK_INT(client_connect(&cfg, "localhost", &cache), CURLE_SSL_PINNEDPUBKEYNOTMATCH);
    client_close();
    CHECK_INT(cache.count, 0);
    end();
  }
}

TEST(shares_contexts)
{
  struct mote_tls_config cfg = trusting();
  void *first;
  server_open(&leaf, NULL);
  CHECK_INT(mote_tls_prepare(&cfg, NULL), CURLE_OK);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  first = mote_tls_ctx_ptr(client.tls);
  client_close();
  CHECK_INT(client_connect(&cfg, "www.example.com", NULL), CURLE_OK);
  CHECK(mote_tls_ctx_ptr(client.tls) == first);
  client_close();
  cfg.verify_host = false;
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(mote_tls_ctx_ptr(client.tls) != first);
  end();
  CHECK_ACCOUNT(mote_mem_process());
}

static CURLcode note_ctx(CURL *easy, void *ssl_ctx, void *arg)
{
  *(void **)arg = ssl_ctx;
  return easy ? CURLE_ABORTED_BY_CALLBACK : CURLE_OK;
}

TEST(calls_the_application)
{
  struct mote_tls_config cfg = trusting();
  void *seen = NULL;
  int easy;
  server_open(&leaf, NULL);
  cfg.ctx_function = note_ctx;
  cfg.ctx_data = &seen;
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(seen && mote_tls_ctx_ptr(client.tls) == seen);
  client_close();
  CHECK_INT(client_connect(&cfg, "otherhost", NULL), CURLE_PEER_FAILED_VERIFICATION);
  client_close();
  cfg.easy = &easy;
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_ABORTED_BY_CALLBACK);
  CHECK(!client.tls);
  end();
}

static int always(X509_STORE_CTX *store_ctx, void *arg)
{
  (void)store_ctx;
  (void)arg;
  return 1;
}

static CURLcode verify_otherwise(CURL *easy, void *ssl_ctx, void *arg)
{
  (void)easy;
  (void)arg;
  SSL_CTX_set_cert_verify_callback(ssl_ctx, always, NULL);
  return CURLE_OK;
}

static CURLcode verify_never(CURL *easy, void *ssl_ctx, void *arg)
{
  (void)easy;
  (void)arg;
  SSL_CTX_set_verify(ssl_ctx, SSL_VERIFY_NONE, NULL);
  return CURLE_OK;
}

/* The application's way to verify chains does not switch off the check of the name, nor verify_peer. */
TEST(the_name_is_checked_all_the_same)
{
  struct mote_tls_config cfg = trusting();
  server_open(&self_signed, NULL);
  cfg.ctx_function = verify_otherwise;
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  CHECK_INT(try_connect(&cfg, "otherhost"), CURLE_PEER_FAILED_VERIFICATION);
  cfg.ctx_function = verify_never;
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_PEER_FAILED_VERIFICATION);
  end();
}

static const char *find_line(const struct curl_slist *list, const char *begin)
{
  for(; list; list = list->next)
    if(!strncmp(list->data, begin, strlen(begin)))
      return list->data;
  return NULL;
}

TEST(lists_certificates)
{
  const struct cert *const chain[] = { &intermediate, NULL };
  struct mote_tls_config cfg = trusting();
  struct curl_certinfo *info;
  server_open(&deep_leaf, chain);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(mote_tls_certinfo(client.tls, &client.account, &info), CURLE_OK);
  CHECK(!info);
  client_close();
  cfg.certinfo = true;
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(mote_tls_certinfo(client.tls, &client.account, &info), CURLE_OK);
  if(CHECK(info) && CHECK_INT(info->num_of_certs, 2)) {
    CHECK_STR(find_line(info->certinfo[0], "Subject:"), "Subject:O = Mote tests, CN = deep");
    CHECK_STR(find_line(info->certinfo[1], "Subject:"), "Subject:O = Mote tests, CN = Test Intermediate");
    CHECK_STR(find_line(info->certinfo[0], "Serial Number:"), "Serial Number:04");
    CHECK_STR(find_line(info->certinfo[0], "X509v3 Subject Alternative Name:"),
              "X509v3 Subject Alternative Name:DNS:localhost");
    CHECK(find_line(info->certinfo[1], "Cert:-----BEGIN CERTIFICATE-----\n"));
  }
  mote_tls_certinfo_free(&client.account, info);
  end();
}

TEST(logs_secrets_when_asked)
{
  struct mote_tls_config cfg = trusting();
  char buf[2000] = "";
  FILE *f;
  server_open(&leaf, NULL);
  setenv("SSLKEYLOGFILE", in_dir("keys.log"), 1);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  unsetenv("SSLKEYLOGFILE");
  f = fopen(in_dir("keys.log"), "r");
  if(CHECK(f)) {
    buf[fread(buf, 1, sizeof buf - 1, f)] = 0;
    fclose(f);
  }
  CHECK(strstr(buf, "CLIENT_HANDSHAKE_TRAFFIC_SECRET ") && strstr(buf, "\nSERVER_TRAFFIC_SECRET_0 "));
  end();
}

/* A whole life of a connection. Whatever runs out, the code says so and nothing stays. */
static void scenario(void)
{
  struct mote_account account = { 0 };
  struct mote_session_cache cache;
  struct mote_tls_config cfg = trusting();
  int round;
  mote_session_cache_init(&cache, &account);
  server_open(&leaf, NULL);
  cfg.certinfo = false;
  cfg.pinned_key = NULL;
  for(round = 0; round < 2; round++) {
    struct curl_certinfo *info = NULL;
    CURLcode rc = client_connect(&cfg, "localhost", &cache);
    CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    if(!rc) {
      check_exchange();
      rc = mote_tls_certinfo(client.tls, &client.account, &info);
      CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
      mote_tls_certinfo_free(&client.account, info);
    }
    client_close();
    cfg.certinfo = true;
  }
  mote_session_cache_close(&cache);
  CHECK_ACCOUNT(&account);
  end();
}

TEST(survives_without_memory)
{
  run_with_failures(scenario);
}

/* What was read ahead with the goodbye would be lost: it is refused, and the goodbye alone is not. */
TEST(data_after_the_goodbye_is_refused)
{
  const long versions[] = { 0, CURL_SSLVERSION_MAX_TLSv1_2 };
  size_t i;
  for(i = 0; i < 2; i++) {
    struct mote_tls_config cfg = trusting();
    struct mote_conn *c;
    struct mote_stream *tls;
    cfg.version = versions[i];
    server_open(&leaf, NULL);
    c = layers_open();
    CHECK_INT(mote_tls_connect_new(&tls, c->top, &c->env, &cfg, test_server("localhost")), CURLE_OK);
    CHECK_INT(mote_conn_push(c, tls), CURLE_OK);
    CHECK_INT(layers_handshake(c), CURLE_OK);
    CHECK_INT(mote_conn_pop(c, true), CURLE_AGAIN);
    SSL_shutdown(server.ssl);
    server_flush();
    append(&to_client, "220 bare\r\n", 10);
    CHECK_INT(mote_conn_pop(c, true), CURLE_WEIRD_SERVER_REPLY);
    CHECK(strstr(client.text, "after the end of TLS"));
    layers_end(c);
    end();
  }
}

int main(void)
{
  make_dir();
  pki_make();
  TEST_RUN(looking_takes_nothing);
  TEST_RUN(connects_without_a_protocol);
  TEST_RUN(returns_the_name);
  TEST_RUN(agrees_on_a_protocol);
  TEST_RUN(gives_its_certificate_after_the_handshake);
  TEST_RUN(speaks_1_2);
  TEST_RUN(goes_on_at_every_byte_of_each_version);
  TEST_RUN(carries_bulk);
  TEST_RUN(sends_while_a_record_is_waiting);
  TEST_RUN(reports_bytes_inside);
  TEST_RUN(tickets_are_taken_in_turns);
  TEST_RUN(idle_keeps_half_a_record);
  TEST_RUN(idle_keeps_half_a_header);
  TEST_RUN(reports_how_the_connection_ended);
  TEST_RUN(passes_on_what_breaks_below);
  TEST_RUN(resumes_sessions_of_its_own_kind);
  TEST_RUN(guards_the_cache);
  TEST_RUN(keeps_no_session_of_a_bad_peer);
  TEST_RUN(shares_contexts);
  TEST_RUN(calls_the_application);
  TEST_RUN(the_name_is_checked_all_the_same);
  TEST_RUN(lists_certificates);
  TEST_RUN(logs_secrets_when_asked);
  TEST_RUN(survives_without_memory);
  TEST_RUN(data_after_the_goodbye_is_refused);
  run_layer_tests();
  pki_free();
  return test_end();
}
