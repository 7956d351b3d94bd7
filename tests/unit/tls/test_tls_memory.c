/* Tests of tls/tls.h: what the TLS library holds for a stream: no record buffers while nothing is sent.
 * Needs openssl. */
#include "test.h"

#include "peer.h"
#include "pki.h"

/* Bytes that the library may hold for a waiting stream besides the SSL's 8,400. From OpenSSL 3.2 on, the keys
 * of each direction take 4,400 more; from 3.5 on, the ML-KEM key of the handshake stays, with 7,700. */
#define STREAM_MAX (OPENSSL_VERSION_NUMBER < 0x30200000L ? 12000u : 28000u)
#define RECORD 16384     /* more than this on top is a record buffer */

/* The library's allocator: blocks that were made while `ours` is set are counted. */
struct header {
  size_t size;
  size_t ours;
};

static bool ours;
static size_t held;

static void *crypto_malloc(size_t size, const char *file, int line)
{
  struct header *h = malloc(sizeof *h + size);
  (void)file;
  (void)line;
  if(!h)
    return NULL;
  h->size = size;
  h->ours = ours;
  held += ours ? size : 0;
  return h + 1;
}

static void crypto_free(void *p, const char *file, int line)
{
  struct header *h = p;
  (void)file;
  (void)line;
  if(!p)
    return;
  h--;
  held -= h->ours ? h->size : 0;
  free(h);
}

static void *crypto_realloc(void *p, size_t size, const char *file, int line)
{
  struct header *old = p;
  bool was = ours;
  void *fresh;
  if(p)
    ours = (--old)->ours;
  fresh = crypto_malloc(size, file, line);
  ours = was;
  if(fresh && p) {
    memcpy(fresh, p, old->size < size ? old->size : size);
    crypto_free(p, file, line);
  }
  return fresh;
}

static CURLcode receive(char *buf, size_t cap, size_t *n)
{
  CURLcode rc;
  ours = true;
  rc = client.tls->ops->recv(client.tls, buf, cap, n);
  ours = false;
  return rc;
}

/* A connection of which what the client's handshake leaves is counted. */
static void connect_counted(const struct mote_tls_config *cfg)
{
  bool done = false;
  CURLcode rc = client_open(cfg, "localhost", NULL);
  while(!rc && !done) {
    ours = true;
    rc = client.tls->ops->handshake(client.tls, &done);
    ours = false;
    server_step();
  }
  CHECK_INT(rc, CURLE_OK);
}

TEST(a_waiting_stream_holds_no_buffers)
{
  const long versions[] = { 0, CURL_SSLVERSION_MAX_TLSv1_2 };
  static char bulk[50000];
  static char buf[RECORD];
  size_t i;
  for(i = 0; i < 2; i++) {
    struct mote_tls_config cfg = trusting();
    size_t n;
    size_t before;
    size_t base;
    cfg.version = versions[i];
    server_open(&leaf, NULL);
    connect_counted(&cfg); /* the first makes what all share */
    client_close();
    before = held;
    connect_counted(&cfg);
    CHECK_INT(receive(buf, sizeof buf, &n), CURLE_AGAIN);
    base = held;
    CHECK(base - before < STREAM_MAX);
    server_write("hello", 5);
    CHECK_INT(receive(buf, sizeof buf, &n), CURLE_OK); /* all there was: given back without another call */
    CHECK_INT(held, base);
    server_write(bulk, sizeof bulk);
    CHECK_INT(receive(buf, 100, &n), CURLE_OK);
    CHECK(held > base + RECORD); /* a record is under way */
    while(!receive(buf, sizeof buf, &n))
      ;
    CHECK_INT(held, base);
    ours = true;
    CHECK_INT(client.tls->ops->send(client.tls, "hello", 5, &n), CURLE_OK);
    ours = false;
    CHECK_INT(held, base);
    ours = true;
    CHECK_INT(client.tls->ops->send(client.tls, bulk, sizeof bulk, &n), CURLE_OK);
    client.tls->ops->idle(client.tls);
    ours = false;
    CHECK_INT(held, base);
    end();
  }
}

/* Much goes in full records, little takes a small buffer. */
TEST(records_are_as_large_as_they_may_be)
{
  static char bulk[60000];
  struct mote_tls_config cfg = trusting();
  size_t before;
  size_t n;
  char buf[8];
  server_open(&leaf, NULL);
  connect_counted(&cfg);
  CHECK_INT(receive(buf, sizeof buf, &n), CURLE_AGAIN);
  CHECK_INT(client.tls->ops->send(client.tls, bulk, sizeof bulk, &n), CURLE_OK);
  CHECK_INT(n, RECORD);
  CHECK(to_server.len > RECORD && to_server.len < RECORD + 100);
  to_server.len = 0;
  CHECK_INT(client.tls->ops->send(client.tls, bulk, 2000, &n), CURLE_OK);
  CHECK_INT(n, 2000);
  before = held;
  wire.full = true;
  ours = true;
  CHECK_INT(client.tls->ops->send(client.tls, bulk, 2000, &n), CURLE_AGAIN);
  ours = false;
  CHECK(held - before < 4000);
  end();
}

/* The certificates above the peer's own are not kept. */
TEST(a_long_chain_costs_no_more)
{
  const struct cert *const chain[] = { &intermediate, &root, NULL };
  struct mote_tls_config cfg = trusting();
  size_t before;
  size_t alone;
  size_t n;
  char buf[8];
  server_open(&leaf, NULL);
  connect_counted(&cfg);
  client_close();
  before = held;
  connect_counted(&cfg);
  (void)receive(buf, sizeof buf, &n);
  alone = held - before;
  client_close();
  server_close();
  server_open(&deep_leaf, chain);
  before = held;
  connect_counted(&cfg);
  (void)receive(buf, sizeof buf, &n);
  CHECK(held - before < alone + 1000);
  end();
}

int main(void)
{
  CHECK(CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free));
  make_dir();
  pki_make();
  TEST_RUN(a_waiting_stream_holds_no_buffers);
  TEST_RUN(records_are_as_large_as_they_may_be);
  TEST_RUN(a_long_chain_costs_no_more);
  pki_free();
  return test_end();
}
