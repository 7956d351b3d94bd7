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
  TEST_RUN(survives_without_memory);
  run_layer_tests();
  pki_free();
  return test_end();
}
