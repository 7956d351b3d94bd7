/* Tests of tls/tls.h: contexts and trust indexes that several threads use and drop at once. Needs openssl. */
#include "test.h"

#include <pthread.h>

#include "peer.h"
#include "pki.h"

#define THREADS 4
#define ROUNDS 12

/* Each thread with its own server; the configurations come and go so that contexts crowd each other out. */
static void *connect_often(void *arg)
{
  unsigned number = *(unsigned *)arg;
  unsigned i;
  for(i = 0; i < ROUNDS; i++) {
    struct mote_tls_config cfg = trusting();
    struct mote_session_cache cache;
    struct mote_account account = { 0 };
    mote_session_cache_init(&cache, &account);
    server_open(&leaf, NULL);
    cfg.ca_cache_timeout = 0;
    cfg.certinfo = (number + i) % 2;
    cfg.verify_host = (number + i) % 3;
    CHECK_INT(client_connect(&cfg, "localhost", &cache), CURLE_OK);
    client_close();
    if(i % 4 == number)
      mote_tls_cleanup();
    server_close();
    mote_session_cache_close(&cache);
    CHECK_ACCOUNT(&account);
  }
  return NULL;
}

TEST(threads_share_contexts)
{
  unsigned numbers[THREADS];
  pthread_t threads[THREADS];
  unsigned i;
  test_mem.threads = true;
  for(i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(!pthread_create(&threads[i], NULL, connect_often, &numbers[i]));
  }
  for(i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  mote_tls_cleanup();
  CHECK_ACCOUNT(mote_mem_process());
}

int main(void)
{
  make_dir();
  pki_make();
  TEST_RUN(threads_share_contexts);
  pki_free();
  return test_end();
}
