/* Tests of tls/wolfssl/wolfssl.h: streams by wolfSSL, against OpenSSL as the server.
 * Needs accounts. Needs wolfssl. links: ssl crypto */
#include "test.h"

#include "peer.h"
#include "pki.h"

#include "common_tests.h"
#include "layers.h"

static const struct tested tested = {CURLSSLBACKEND_WOLFSSL, "wolfSSL/", "TLSv1.3", "AES"};

/* Of the connection's account nothing but the block; of the process's, no record buffers. */
TEST(waits_without_buffers)
{
  struct mote_tls_config cfg = trusting();
  static char bulk[40000];
  static char buf[40000];
  size_t idle;
  size_t len;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(client.account.live < 512);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &len), CURLE_AGAIN); /* tickets */
  idle = mote_mem_process()->live;
  CHECK(idle < 120000);
  memset(bulk, 'x', sizeof bulk);
  server_write(bulk, sizeof bulk);
  CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_OK);
  CHECK_MEM(buf, len, bulk, sizeof bulk);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &len), CURLE_AGAIN);
  CHECK(mote_mem_process()->live <= idle);
  wire.full = true;
  CHECK_INT(client.tls->ops->send(client.tls, bulk, 3000, &len), CURLE_AGAIN);
  CHECK(client.account.live > 3000);
  wire.full = false;
  CHECK_INT(client_write(bulk, sizeof bulk), CURLE_OK);
  CHECK(client.account.live < 512);
  for(len = 0; len < sizeof bulk;)
    len += (size_t)server_read(buf, sizeof buf);
  CHECK(mote_mem_process()->live <= idle);
  check_exchange();
  end();
  CHECK_INT(mote_mem_process()->live, 0);
}

TEST(looks_at_the_dates_of_a_root)
{
  check_dates_of_a_root("expired", 10, "not yet valid", 9);
}

TEST(says_what_it_cannot)
{
  check_what_it_cannot(CURLE_SSL_CIPHER, "NOSUCH");
}

/* ---- what is offered ---- */

static bool is_suite_offered(unsigned id)
{
  return (id >= 0x1301 && id <= 0x1303) || id == 0xc02b || id == 0xc02c || id == 0xc02f || id == 0xc030 ||
         id == 0xcca8 || id == 0xcca9 || id == 0x00ff;
}

/* No SHA-1, no SHA-224, no MD5. */
static bool is_scheme_offered(unsigned id)
{
  return id >> 8 >= 4;
}

/* secp256r1, secp384r1, secp521r1, x25519 */
static bool is_group_offered(unsigned id)
{
  return (id >= 23 && id <= 25) || id == 29;
}

static unsigned check_numbers(const unsigned char *p, size_t len, bool (*is_fine)(unsigned))
{
  size_t i;
  for(i = 0; i + 1 < len; i += 2)
    if(!CHECK(is_fine(p[i] * 256u + p[i + 1])))
      printf("    %02x%02x\n", p[i], p[i + 1]);
  return (unsigned)(len / 2);
}

static int check_hello(SSL *ssl, int *alert, void *arg)
{
  const unsigned char *p;
  size_t len = SSL_client_hello_get0_ciphers(ssl, &p);
  unsigned *lists = arg;
  (void)alert;
  CHECK(check_numbers(p, len, is_suite_offered) >= 3);
  if(CHECK(SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_signature_algorithms, &p, &len)))
    CHECK(check_numbers(p + 2, len - 2, is_scheme_offered) >= 4);
  if(CHECK(SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_supported_groups, &p, &len)))
    CHECK(check_numbers(p + 2, len - 2, is_group_offered) >= 2);
  ++*lists;
  return SSL_CLIENT_HELLO_SUCCESS;
}

/* By itself wolfSSL offers all that it has, suites without encryption and SHA-1 among them. */
TEST(offers_nothing_weak)
{
  static const long versions[] = {0, CURL_SSLVERSION_TLSv1_3, CURL_SSLVERSION_MAX_TLSv1_2};
  unsigned hellos = 0;
  size_t i;
  for(i = 0; i < sizeof versions / sizeof *versions; i++) {
    struct mote_tls_config cfg = trusting();
    cfg.version = versions[i];
    server_open(&leaf, NULL);
    SSL_CTX_set_client_hello_cb(server.ctx, check_hello, &hellos);
    CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
    check_exchange();
    end();
  }
  CHECK_INT(hellos, 3);
}

/* ---- answers that the server does not read ---- */

/* With each KeyUpdate the server asks for one of ours, while it takes nothing in. */
TEST(keeps_few_answers_for_a_server_that_does_not_read)
{
  struct mote_tls_config cfg = trusting();
  CURLcode rc = CURLE_AGAIN;
  char byte;
  size_t n;
  int turns;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  check_exchange();
  wire.full = true;
  for(turns = 0; turns < 6000 && rc == CURLE_AGAIN; turns++) {
    SSL_key_update(server.ssl, SSL_KEY_UPDATE_REQUESTED);
    SSL_do_handshake(server.ssl);
    server_flush();
    rc = client.tls->ops->recv(client.tls, &byte, 1, &n);
    CHECK(client.account.live < 100000);
  }
  CHECK_INT(rc, CURLE_RECV_ERROR);
  CHECK(strstr(client.text, "does not read"));
  end();
}

/* With a client certificate; the second connection resumes. Whatever runs out, the code says so and nothing
 * stays. */
static void scenario(void)
{
  struct mote_account account = { 0 };
  struct mote_session_cache cache;
  struct mote_tls_config cfg = trusting();
  int round;
  mote_session_cache_init(&cache, &account);
  cfg.cert_file = in_dir("client.pem");
  server_open(&leaf, NULL);
  for(round = 0; round < 2 && !test_mem.failed; round++) {
    char buf[64];
    size_t len;
    CURLcode rc = client_connect(&cfg, "localhost", &cache);
    if(!rc)
      rc = client_write("ping", 4);
    if(!rc) {
      server_write("pong", 4);
      rc = client_read(buf, 4, &len);
    }
    CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    client_close();
  }
  mote_session_cache_close(&cache);
  CHECK_ACCOUNT(&account);
  end();
}

/* wolfSSL makes thousands of allocations, one way to which takes milliseconds. */
TEST(survives_without_memory)
{
  CHECK(run_with_failures_forked(scenario) > 1000);
}

int main(void)
{
  make_dir();
  pki_make();
  run_common_tests();
  TEST_RUN(waits_without_buffers);
  TEST_RUN(looks_at_the_dates_of_a_root);
  TEST_RUN(says_what_it_cannot);
  TEST_RUN(offers_nothing_weak);
  TEST_RUN(keeps_few_answers_for_a_server_that_does_not_read);
  TEST_RUN(survives_without_memory);
  run_layer_tests();
  pki_free();
  return test_end();
}
