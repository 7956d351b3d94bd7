/* Tests of tls/mbedtls/mbedtls.h: streams by mbedTLS, against OpenSSL as the server.
 * Needs accounts. Needs mbedtls. links: ssl crypto */
#include "test.h"

#include <mbedtls/ssl.h>

#include "peer.h"
#include "pki.h"

#include "common_tests.h"
#include "layers.h"

static const struct tested tested = {CURLSSLBACKEND_MBEDTLS, "mbedTLS/2.28", "TLSv1.2", "ECDHE-"};

/* The library's memory, where Debian's comes from: the C library's calloc, which is this one. */
static struct {
  size_t calls;
  size_t fail_at; /* 0: none fails */
  bool failed;
} library;

__attribute__((visibility("default"))) void *calloc(size_t n, size_t each)
{
  static void *(*volatile get)(size_t) = malloc; /* or the compiler makes a calloc of it */
  void *p;
  if(each && n > SIZE_MAX / each)
    return NULL;
  if(++library.calls == library.fail_at) {
    library.failed = true;
    return NULL;
  }
  p = get(n && each ? n * each : 1);
  return p ? memset(p, 0, n * each) : NULL;
}

/* The next to fail: each of the first, then, among the tens of thousands of its arithmetic, some. */
static size_t next_failure(size_t n)
{
  return n + 1 + (n > 400 ? n / 40 : 0);
}

/* Ours: one block while nothing is under way. The library's own are the C library's. */
TEST(takes_little)
{
  struct mote_tls_config cfg = trusting();
  static char bulk[40000];
  static char buf[40000];
  size_t len;
  size_t calls = test_mem.calls;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(test_mem.calls - calls <= 12);
  CHECK(client.account.live <= 2000);
  memset(bulk, 'x', sizeof bulk);
  server_write(bulk, sizeof bulk);
  CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_OK);
  CHECK_MEM(buf, len, bulk, sizeof bulk);
  CHECK(client.account.live <= 2000);
  end();
}

TEST(reports_what_is_pending)
{
  struct mote_tls_config cfg = trusting();
  char buf[8];
  size_t n;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(!client.tls->ops->pending(client.tls));
  server_write("first", 5);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 2, &n), CURLE_OK);
  CHECK_MEM(buf, n, "fi", 2);
  CHECK(client.tls->ops->pending(client.tls));
  CHECK_INT(client.tls->ops->recv(client.tls, buf, 8, &n), CURLE_OK);
  CHECK_MEM(buf, n, "rst", 3);
  CHECK(!client.tls->ops->pending(client.tls));
  end();
}

TEST(looks_at_the_dates_of_a_root)
{
  check_dates_of_a_root("expired", 10, "not yet", 9);
}

TEST(says_what_it_cannot)
{
  check_what_it_cannot(CURLE_NOT_BUILT_IN, "AES256-SHA:NOSUCH");
}

static int accept_all(void *arg, mbedtls_x509_crt *crt, int depth, uint32_t *flags)
{
  (void)arg;
  (void)crt;
  (void)depth;
  *flags = 0;
  return 0;
}

static CURLcode verify_otherwise(CURL *easy, void *conf, void *arg)
{
  (void)easy;
  (void)arg;
  mbedtls_ssl_conf_verify(conf, accept_all, NULL);
  return CURLE_OK;
}

static CURLcode verify_never(CURL *easy, void *conf, void *arg)
{
  (void)easy;
  (void)arg;
  mbedtls_ssl_conf_authmode(conf, MBEDTLS_SSL_VERIFY_NONE);
  return CURLE_OK;
}

/* The application's way to verify chains does not switch off the check of the pinned key. */
TEST(the_pin_is_checked_all_the_same)
{
  static const curl_ssl_ctx_callback ways[] = { verify_otherwise, verify_never };
  struct mote_tls_config cfg = trusting();
  unsigned char *key = NULL;
  int len = i2d_PUBKEY(leaf.key, &key);
  size_t i;
  write_file("pin.der", key, (size_t)len);
  OPENSSL_free(key);
  server_open(&leaf, NULL);
  for(i = 0; i < 2; i++) {
    struct mote_tls_info info;
    cfg.ctx_function = ways[i];
    cfg.pinned_key = in_dir("pin.der");
    CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
    mote_tls_get_info(client.tls, &info);
    CHECK(!info.resumed);
    client_close();
    cfg.pinned_key = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    CHECK_INT(try_connect(&cfg, "localhost"), CURLE_SSL_PINNEDPUBKEYNOTMATCH);
  }
  end();
}

TEST(survives_without_memory)
{
  run_with_failures(life_of_connections);
}

/* The library reports what it runs out of in its own ways: a chain that it cannot verify is refused. */
static void library_scenario(void)
{
  struct mote_tls_config cfg = trusting();
  const struct cert *const chain[] = { &intermediate, NULL };
  char buf[8];
  size_t len;
  CURLcode rc;
  cfg.cert_file = in_dir("client.pem");
  server_open(&deep_leaf, chain);
  rc = client_connect(&cfg, "localhost", NULL);
  CHECK(!rc || library.failed);
  CHECK(!rc || rc == CURLE_OUT_OF_MEMORY || rc == CURLE_PEER_FAILED_VERIFICATION ||
        rc == CURLE_SSL_CONNECT_ERROR || rc == CURLE_SSL_CERTPROBLEM);
  CHECK(!rc || rc == CURLE_OUT_OF_MEMORY || client.text[0]);
  if(!rc) {
    CHECK_INT(client_write("ping", 4), CURLE_OK);
    server_write("pong", 4);
    CHECK_INT(client_read(buf, 4, &len), CURLE_OK);
    CHECK_MEM(buf, len, "pong", 4);
  }
  end();
}

TEST(survives_a_library_without_memory)
{
  size_t n;
  for(n = 1; n < 100000 && !test_state.errors; n = next_failure(n)) {
    library.calls = 0;
    library.failed = false;
    library.fail_at = n;
    library_scenario();
    library.fail_at = 0;
    if(!library.failed)
      break;
  }
  CHECK(n > 100 && n < 100000);
}

/* An untrusted chain stays so, whatever runs out. */
TEST(trusts_no_root_without_memory)
{
  size_t n;
  for(n = 1; n < 100000 && !test_state.errors; n = next_failure(n)) {
    struct mote_tls_config cfg = trusting();
    server_open(&self_signed, NULL);
    library.calls = 0;
    library.failed = false;
    library.fail_at = n;
    CHECK(client_connect(&cfg, "localhost", NULL) != CURLE_OK);
    library.fail_at = 0;
    end();
    if(!library.failed)
      break;
  }
  CHECK(n > 5 && n < 100000);
}

int main(void)
{
  make_dir();
  pki_make();
  run_common_tests();
  TEST_RUN(takes_little);
  TEST_RUN(reports_what_is_pending);
  TEST_RUN(looks_at_the_dates_of_a_root);
  TEST_RUN(says_what_it_cannot);
  TEST_RUN(the_pin_is_checked_all_the_same);
  TEST_RUN(survives_without_memory);
  run_layer_tests();
  TEST_RUN(survives_a_library_without_memory);
  TEST_RUN(trusts_no_root_without_memory);
  pki_free();
  return test_end();
}
