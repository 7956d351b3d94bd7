/* Tests of tls/tls.h: what a configuration may ask for: client certificates, versions, algorithms.
 * Needs openssl. */
#include "test.h"

#include "base/digest/sha256.h"
#include "peer.h"
#include "pki.h"

static void expect(const struct mote_tls_config *cfg, CURLcode code, const char *text)
{
  CHECK_INT(client_connect(cfg, "localhost", NULL), code);
  if(!strstr(client.text, text))
    CHECK_STR(client.text, text);
  client_close();
}

/* A server that insists on a certificate signed by root. */
static void strict_server(void)
{
  server_open(&leaf, NULL);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(server.ctx), root.x);
  SSL_CTX_set_verify(server.ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
}

/* The server saw our certificate. */
static void expect_client(const struct mote_tls_config *cfg)
{
  char buf[8];
  CHECK_INT(client_connect(cfg, "localhost", NULL), CURLE_OK);
  CHECK_STR(client.text, "");
  if(client.tls && !client.text[0]) {
    CHECK_INT(client_write("x", 1), CURLE_OK);
    CHECK_INT(server_read(buf, sizeof buf), 1);
    CHECK(SSL_get0_peer_certificate(server.ssl) && !X509_cmp(SSL_get0_peer_certificate(server.ssl),
                                                             client_cert.x));
  }
  client_close();
}

static struct mote_slice read_whole(const char *name, char *buf, size_t cap)
{
  struct mote_slice s = { buf, 0 };
  FILE *f = fopen(in_dir(name), "rb");
  if(CHECK(f)) {
    s.len = fread(buf, 1, cap, f);
    fclose(f);
  }
  return s;
}

static void write_der_and_p12(void)
{
  unsigned char *der = NULL;
  int len = i2d_X509(client_cert.x, &der);
  char password[] = "sesame";
  char name[] = "client";
  PKCS12 *p12 = PKCS12_create(password, name, client_cert.key, client_cert.x, NULL, 0, 0, 0, 0, 0);
  write_file("client.der", der, (size_t)len);
  OPENSSL_free(der);
  der = NULL;
  len = i2d_PrivateKey(client_cert.key, &der);
  write_file("key.der", der, (size_t)len);
  OPENSSL_free(der);
  der = NULL;
  len = i2d_PKCS12(p12, &der);
  write_file("client.p12", der, (size_t)len);
  OPENSSL_free(der);
  PKCS12_free(p12);
}

TEST(client_certificates)
{
  struct mote_tls_config cfg = trusting();
  strict_server();
  cfg.cert_file = in_dir("client.pem");
  expect_client(&cfg);
  cfg.key_file = in_dir("client.pem");
  expect_client(&cfg);
  cfg.key_file = NULL;
  cfg.cert_file = in_dir("locked.pem");
  cfg.key_password = "sesame";
  expect_client(&cfg);
  write_der_and_p12();
  cfg.cert_file = in_dir("client.p12");
  cfg.cert_type = "p12";
  expect_client(&cfg);
  cfg.cert_file = in_dir("client.der");
  cfg.cert_type = "DER";
  cfg.key_file = in_dir("key.der");
  cfg.key_type = "DER";
  cfg.key_password = NULL;
  expect_client(&cfg);
  end();
}

TEST(client_certificates_in_memory)
{
  struct mote_tls_config cfg = trusting();
  char pem[8192];
  char p12[8192];
  strict_server();
  write_der_and_p12();
  cfg.cert_blob = read_whole("client.pem", pem, sizeof pem);
  expect_client(&cfg);
  cfg.key_blob = cfg.cert_blob;
  expect_client(&cfg);
  cfg.key_blob.ptr = NULL;
  cfg.cert_blob = read_whole("client.p12", p12, sizeof p12);
  cfg.cert_type = "P12";
  cfg.key_password = "sesame";
  expect_client(&cfg);
  end();
}

TEST(client_certificates_that_are_no_good)
{
  struct mote_tls_config cfg = trusting();
  strict_server();
  write_der_and_p12();
  cfg.cert_file = in_dir("missing.pem");
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "could not load client certificate from ");
  cfg.cert_file = in_dir("bad.pem");
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "could not load PEM client certificate");
  cfg.cert_file = in_dir("ca.pem");
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "unable to set private key file");
  cfg.key_file = in_dir("client.pem");
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "");
  cfg.key_file = NULL;
  cfg.cert_file = in_dir("locked.pem");
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "unable to set private key file");
  cfg.key_password = "wrong";
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "unable to set private key file");
  cfg.cert_type = "P12";
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "PKCS12");
  cfg.cert_file = in_dir("client.p12");
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "check password");
  cfg.cert_type = "ENG";
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "crypto engine not set, can't load certificate");
  cfg.cert_type = NULL;
  cfg.cert_file = in_dir("client.pem");
  cfg.key_type = "PROV";
  expect(&cfg, CURLE_SSL_CERTPROBLEM, "not supported file type 'PROV'");
  end();
}

/* In TLS 1.3 the server says so after our handshake is done. */
TEST(a_certificate_is_required)
{
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t len;
  strict_server();
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_SSL_CLIENTCERT);
  CHECK(strstr(client.text, "certificate required"));
  client_close();
  cfg.version = CURL_SSLVERSION_MAX_TLSv1_2;
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_SSL_CONNECT_ERROR);
  CHECK(strstr(client.text, "alert handshake failure"));
  end();
}

/* A renewed certificate under the same name is used by the next connection. */
TEST(a_renewed_certificate_is_seen)
{
  const struct cert *const other[] = { &self_signed, NULL };
  const struct cert *const own[] = { &client_cert, NULL };
  struct mote_tls_config cfg = trusting();
  strict_server();
  cfg.cert_file = in_dir("client.pem");
  expect_client(&cfg);
  write_pem("client.pem", other, true, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(!SSL_is_init_finished(server.ssl)); /* the server does not take it */
  client_close();
  write_pem("client.pem", own, true, NULL);
  end();
}

TEST(versions)
{
  struct mote_tls_config cfg = trusting();
  server_open(&leaf, NULL);
  cfg.version = CURL_SSLVERSION_TLSv1_3 | CURL_SSLVERSION_MAX_TLSv1_2;
  expect(&cfg, CURLE_SSL_CONNECT_ERROR, "CURL_SSLVERSION_MAX incompatible with CURL_SSLVERSION");
  cfg.version = CURL_SSLVERSION_SSLv3;
  expect(&cfg, CURLE_NOT_BUILT_IN, "SSLv3");
  cfg.version = CURL_SSLVERSION_SSLv2;
  expect(&cfg, CURLE_NOT_BUILT_IN, "SSLv2");
  cfg.version = 99;
  expect(&cfg, CURLE_SSL_CONNECT_ERROR, "CURLOPT_SSLVERSION");
  cfg.version = CURL_SSLVERSION_TLSv1_3;
  SSL_CTX_set_max_proto_version(server.ctx, TLS1_2_VERSION);
  expect(&cfg, CURLE_SSL_CONNECT_ERROR, "protocol version");
  cfg.version = CURL_SSLVERSION_TLSv1_0 | CURL_SSLVERSION_MAX_TLSv1_2;
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  end();
}

TEST(algorithms)
{
  struct mote_tls_config cfg = trusting();
  struct mote_tls_info info;
  server_open(&leaf, NULL);
  cfg.ciphers = "NOSUCH";
  expect(&cfg, CURLE_SSL_CIPHER, "failed setting cipher list: NOSUCH");
  cfg.ciphers = NULL;
  cfg.ciphers13 = "NOSUCH";
  expect(&cfg, CURLE_SSL_CIPHER, "failed setting TLS 1.3 cipher suite: NOSUCH");
  cfg.ciphers13 = NULL;
  cfg.curves = "nosuch";
  expect(&cfg, CURLE_SSL_CIPHER, "failed setting curves list: 'nosuch'");
  cfg.curves = NULL;
  cfg.sigalgs = "nosuch";
  expect(&cfg, CURLE_SSL_CIPHER, "failed setting signature algorithms: 'nosuch'");
  cfg.sigalgs = "ECDSA+SHA256:RSA+SHA256";
  cfg.curves = "P-256";
  cfg.ciphers13 = "TLS_CHACHA20_POLY1305_SHA256";
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  mote_tls_get_info(client.tls, &info);
  CHECK_STR(info.cipher, "TLS_CHACHA20_POLY1305_SHA256");
  client_close();
  cfg.version = CURL_SSLVERSION_MAX_TLSv1_2;
  cfg.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256";
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  mote_tls_get_info(client.tls, &info);
  CHECK_STR(info.cipher, "ECDHE-ECDSA-AES128-GCM-SHA256");
  end();
}

TEST(srp_is_not_built_in)
{
  struct mote_tls_config cfg = trusting();
  server_open(&leaf, NULL);
  cfg.srp_user = "me";
  expect(&cfg, CURLE_NOT_BUILT_IN, "SRP");
  end();
}

/* A peer that does not speak TLS, one that hangs up, one that breaks off at each byte. */
TEST(peers_that_are_none)
{
  struct mote_tls_config cfg = trusting();
  size_t cut;
  size_t whole;
  server_open(&leaf, NULL);
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  append(&to_client, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
  CHECK_INT(client_handshake(), CURLE_SSL_CONNECT_ERROR);
  CHECK(strstr(client.text, "wrong version number"));
  client_close();
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  wire.broken = CURLE_SEND_ERROR;
  CHECK_INT(client_handshake(), CURLE_SEND_ERROR);
  client_close();
  for(cut = 0, whole = 1; cut < whole; cut += 7) {
    bool done;
    CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
    CHECK_INT(client.tls->ops->handshake(client.tls, &done), CURLE_OK);
    server_step();
    whole = to_client.len; /* a signature has one byte more or less than the last one */
    to_client.len = cut < whole ? cut : whole - 1;
    wire.ended = true;
    CHECK_INT(client_handshake(), CURLE_SSL_CONNECT_ERROR);
    CHECK(strstr(client.text, "unexpected eof in connection to localhost:443"));
    CHECK_INT(client.tls->ops->handshake(client.tls, &done), CURLE_SSL_CONNECT_ERROR);
    CHECK_INT(client.tls->ops->shutdown(client.tls, &done), CURLE_OK);
    CHECK(done);
    client_close();
  }
  CHECK(whole > 500);
  end();
}

/* Any byte of the server's first flight turned: an error, never a connection, never a crash. */
TEST(broken_handshakes)
{
  struct mote_tls_config cfg = trusting();
  size_t at;
  size_t whole;
  server_open(&leaf, NULL);
  for(at = 0, whole = 1; at < whole; at += 3) {
    bool done;
    CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
    CHECK_INT(client.tls->ops->handshake(client.tls, &done), CURLE_OK);
    server_step();
    whole = to_client.len; /* signatures differ in length */
    if(at < whole) {
      to_client.bytes[at] ^= 0x55;
      wire.ended = true;
      CHECK(client_handshake() != CURLE_OK || at == 2); /* the first record's minor version is not read */
    }
    client_close();
  }
  end();
}

static CURLcode a_callback(CURL *easy, void *ssl_ctx, void *arg)
{
  (void)easy;
  (void)ssl_ctx;
  (void)arg;
  return CURLE_OK;
}

static void identity(const struct mote_tls_config *cfg, uint8_t out[32])
{
  struct mote_sha256 h;
  mote_sha256_init(&h);
  mote_tls_config_feed(cfg, &h);
  mote_sha256_end(&h, out);
}

static bool differs(const struct mote_tls_config *a, const struct mote_tls_config *b)
{
  uint8_t x[32];
  uint8_t y[32];
  identity(a, x);
  identity(b, y);
  return memcmp(x, y, 32) != 0;
}

TEST(identity_of_a_configuration)
{
  struct mote_tls_config a;
  struct mote_tls_config b;
  mote_tls_config_init(&a);
  b = a;
  CHECK(!differs(&a, &b));
  b.alpn = "h2";
  b.ca_cache_timeout = 1;
  b.session_cache = false;
  b.easy = &b;
  CHECK(!differs(&a, &b));
  b.verify_host = false;
  CHECK(differs(&a, &b));
  b = a;
  b.cert_file = "x";
  CHECK(differs(&a, &b));
  a.key_file = "x"; /* the same value in another place */
  CHECK(differs(&a, &b));
  b = a;
  b.ciphers = "";
  CHECK(differs(&a, &b));
  b = a;
  b.ctx_function = a_callback;
  CHECK(differs(&a, &b));
  a = b;
  b.ctx_data = &b;
  CHECK(differs(&a, &b));
}

static void scenario(void)
{
  struct mote_tls_config cfg = trusting();
  CURLcode rc;
  strict_server();
  cfg.cert_file = in_dir("locked.pem");
  cfg.key_password = "sesame";
  rc = client_connect(&cfg, "localhost", NULL);
  CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  client_close();
  cfg.key_password = "wrong";
  rc = client_connect(&cfg, "localhost", NULL);
  CHECK(rc == CURLE_SSL_CERTPROBLEM || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  end();
}

TEST(survives_without_memory)
{
  run_with_failures(scenario);
}

int main(void)
{
  make_dir();
  pki_make();
  TEST_RUN(client_certificates);
  TEST_RUN(client_certificates_in_memory);
  TEST_RUN(client_certificates_that_are_no_good);
  TEST_RUN(a_certificate_is_required);
  TEST_RUN(a_renewed_certificate_is_seen);
  TEST_RUN(versions);
  TEST_RUN(algorithms);
  TEST_RUN(srp_is_not_built_in);
  TEST_RUN(peers_that_are_none);
  TEST_RUN(broken_handshakes);
  TEST_RUN(identity_of_a_configuration);
  TEST_RUN(survives_without_memory);
  pki_free();
  return test_end();
}
