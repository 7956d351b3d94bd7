/* Tests of part bearssl_small: its hashes and its PRF against BearSSL's own, and chains of every kind against
 * OpenSSL. The implementations are linked here, whichever the build has.
 * Needs accounts. Needs bearssl. links: ssl crypto
 * needs: src/small/bearssl.c src/small/bearssl_chacha20.c */
#include "test.h"

#include "tls/peer.h"
#include "tls/pki.h"

#include "tls/bearssl/bearssl.h"

static const struct pair {
  const br_hash_class *ours;
  const br_hash_class *theirs;
} pairs[] = {
  {&mote_bearssl_sha256, &br_sha256_vtable},
  {&mote_bearssl_sha384, &br_sha384_vtable},
  {&mote_bearssl_sha512, &br_sha512_vtable},
};
#define PAIRS (sizeof pairs / sizeof *pairs)

/* In a build with several TLS libraries: before the first is used. */
TEST(chosen)
{
  CHECK_INT(mote_tls_select(CURLSSLBACKEND_BEARSSL, NULL), CURLSSLSET_OK);
  CHECK_INT(mote_tls_backend(), CURLSSLBACKEND_BEARSSL);
}

static void fill(uint8_t *bytes, size_t len)
{
  uint32_t x = 1;
  for(; len; len--) {
    x = x * 1664525 + 1013904223;
    *bytes++ = (uint8_t)(x >> 24);
  }
}

/* In pieces of `piece` bytes. */
static void digest(const br_hash_class *class, const uint8_t *bytes, size_t len, size_t piece,
                   uint8_t out[64])
{
  br_hash_compat_context c;
  class->init(&c.vtable);
  while(len) {
    size_t n = len < piece ? len : piece;
    c.vtable->update(&c.vtable, bytes, n);
    bytes += n;
    len -= n;
  }
  c.vtable->out(&c.vtable, out);
}

/* FIPS 180-4: the digests of "abc" begin so. */
TEST(known_digests)
{
  static const uint8_t begin[PAIRS][4] = {
    {0xba, 0x78, 0x16, 0xbf}, {0xcb, 0x00, 0x75, 0x3f}, {0xdd, 0xaf, 0x35, 0xa1}
  };
  uint8_t out[64];
  size_t i;
  for(i = 0; i < PAIRS; i++) {
    digest(pairs[i].ours, (const uint8_t *)"abc", 3, 3, out);
    CHECK_MEM(out, 4, begin[i], 4);
  }
}

TEST(digests_of_every_length)
{
  uint8_t bytes[300];
  uint8_t ours[64];
  uint8_t theirs[64];
  size_t i;
  size_t len;
  fill(bytes, sizeof bytes);
  for(i = 0; i < PAIRS; i++) {
    size_t size = pairs[i].ours->desc >> BR_HASHDESC_OUT_OFF & BR_HASHDESC_OUT_MASK;
    CHECK_INT(pairs[i].ours->desc, pairs[i].theirs->desc);
    CHECK_INT(pairs[i].ours->context_size, pairs[i].theirs->context_size);
    for(len = 0; len <= sizeof bytes; len++) {
      memset(ours, 7, sizeof ours);
      digest(pairs[i].ours, bytes, len, 1 + len % 70, ours);
      digest(pairs[i].theirs, bytes, len, len, theirs);
      CHECK_MEM(ours, size, theirs, size);
      CHECK(size == sizeof ours || ours[size] == 7);
    }
  }
}

/* A state is the same as BearSSL's own, and goes on in a context that nothing was done with. */
TEST(states)
{
  uint8_t bytes[256];
  size_t i;
  fill(bytes, sizeof bytes);
  for(i = 0; i < PAIRS; i++) {
    br_hash_compat_context ours;
    br_hash_compat_context theirs;
    br_hash_compat_context next;
    uint8_t state[2][64] = {{0}};
    uint8_t out[2][64] = {{0}};
    pairs[i].ours->init(&ours.vtable);
    pairs[i].theirs->init(&theirs.vtable);
    ours.vtable->update(&ours.vtable, bytes, 128);
    theirs.vtable->update(&theirs.vtable, bytes, 128);
    CHECK_INT(ours.vtable->state(&ours.vtable, state[0]), 128);
    theirs.vtable->state(&theirs.vtable, state[1]);
    CHECK_MEM(state[0], 64, state[1], 64);
    memset(&next, 0xff, sizeof next);
    pairs[i].ours->set_state(&next.vtable, state[1], 128);
    pairs[i].ours->update(&next.vtable, bytes + 128, 99);
    pairs[i].ours->out(&next.vtable, out[0]);
    theirs.vtable->update(&theirs.vtable, bytes + 128, 99);
    theirs.vtable->out(&theirs.vtable, out[1]);
    CHECK_MEM(out[0], 64, out[1], 64);
  }
}

TEST(prf)
{
  static const size_t secrets[] = {0, 1, 48, 63, 64, 65, 200};
  uint8_t secret[200];
  uint8_t seeds[77];
  br_tls_prf_seed_chunk seed[2] = {{seeds, 32}, {seeds + 32, 45}};
  uint8_t ours[130];
  uint8_t theirs[130];
  size_t i;
  size_t len;
  fill(secret, sizeof secret);
  fill(seeds, sizeof seeds);
  for(i = 0; i < sizeof secrets / sizeof *secrets; i++)
    for(len = 0; len < sizeof ours; len += 13) {
      memset(ours, 7, sizeof ours);
      memset(theirs, 7, sizeof theirs);
      mote_bearssl_prf(ours, len, secret, secrets[i], "key expansion", i % 3, seed);
      br_tls12_sha256_prf(theirs, len, secret, secrets[i], "key expansion", i % 3, seed);
      CHECK_MEM(ours, sizeof ours, theirs, sizeof theirs);
    }
}

TEST(ghash)
{
  uint8_t h[16];
  uint8_t data[70];
  uint8_t ours[16];
  uint8_t theirs[16];
  size_t len;
  fill(data, sizeof data);
  memcpy(h, data + 20, sizeof h);
  for(len = 0; len <= sizeof data; len++) {
    memset(ours, (int)len, sizeof ours);
    memset(theirs, (int)len, sizeof theirs);
    mote_bearssl_ghash(ours, h, data, len);
    br_ghash_ctmul(theirs, h, data, len);
    CHECK_MEM(ours, sizeof ours, theirs, sizeof theirs);
    h[len % 16]++;
  }
}

/* ---- chains ---- */

static const struct chain {
  struct cert_wish top;
  struct cert_wish leaf;
} chains[] = {
  {{.rsa = 2048}, {.rsa = 2048}},
  {{.rsa = 4096}, {.rsa = 3072}},
  {{.rsa = 2048}, {.curve = "P-384"}},
  {{.curve = "P-256"}, {.curve = "P-256"}},
  {{.curve = "P-384"}, {.curve = "P-256"}},
  {{.curve = "P-384"}, {.curve = "P-384"}},
  {{.curve = "P-521"}, {.curve = "P-521"}},
  {{.curve = "P-256"}, {.rsa = 2048}},
};

/* A server with that chain, its root in chain.pem. */
static void connect_by(const struct chain *c, const EVP_MD *md, const char *suites, const char *groups)
{
  struct cert top;
  struct cert own;
  struct cert_wish wish = c->top;
  const struct cert *const bundle[] = {&top, NULL};
  struct mote_tls_config cfg = trusting();
  char ca[128];
  wish.name = "Top";
  wish.ca = true;
  cert_make(&top, NULL, &wish);
  wish = c->leaf;
  wish.name = "own";
  wish.san = "DNS:localhost";
  wish.digest = md;
  cert_make(&own, &top, &wish);
  write_pem("ca.pem", bundle, false, NULL);
  snprintf(ca, sizeof ca, "%s", in_dir("ca.pem"));
  cfg.ca_file = ca;
  server_open(&own, NULL);
  if(suites)
    CHECK(SSL_CTX_set_cipher_list(server.ctx, suites));
  if(groups)
    CHECK(SSL_CTX_set1_groups_list(server.ctx, groups));
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_STR(client.text, "");
  check_exchange();
  client_close();
  cfg.verify_peer = false; /* our own reading of the key */
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  check_exchange();
  end();
  cert_free(&own);
  cert_free(&top);
}

TEST(chains_of_every_kind)
{
  const EVP_MD *const digests[] = {EVP_sha256(), EVP_sha384(), EVP_sha512()};
  size_t i;
  for(i = 0; i < sizeof chains / sizeof *chains; i++)
    connect_by(&chains[i], digests[i % 3], NULL, NULL);
}

TEST(curves_of_the_key_exchange)
{
  connect_by(&chains[3], EVP_sha256(), NULL, "P-256");
  connect_by(&chains[3], EVP_sha384(), NULL, "P-384");
  connect_by(&chains[3], EVP_sha512(), NULL, "P-521");
}

/* No X25519; and a signature that is not the root's. */
TEST(refuses)
{
  struct mote_tls_config cfg;
  struct cert top;
  struct cert forged;
  const struct cert *const bundle[] = {&top, NULL};
  cert_make(&top, NULL, &(struct cert_wish){.name = "Stranger", .ca = true});
  cert_make(&forged, &stranger, &(struct cert_wish){.name = "own", .san = "DNS:localhost"});
  write_pem("ca.pem", bundle, false, NULL);
  cfg = trusting();
  server_open(&forged, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_PEER_FAILED_VERIFICATION);
  CHECK(strstr(client.text, "unable to get local issuer certificate (server certificate CN=own, depth 0)"));
  server_close();
  cfg.verify_peer = false;
  server_open(&forged, NULL);
  SSL_CTX_set1_groups_list(server.ctx, "X25519");
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_SSL_CONNECT_ERROR);
  end();
  cert_free(&forged);
  cert_free(&top);
}

int main(void)
{
  make_dir();
  pki_make();
  TEST_RUN(chosen);
  TEST_RUN(known_digests);
  TEST_RUN(digests_of_every_length);
  TEST_RUN(states);
  TEST_RUN(prf);
  TEST_RUN(ghash);
  TEST_RUN(chains_of_every_kind);
  TEST_RUN(curves_of_the_key_exchange);
  TEST_RUN(refuses);
  pki_free();
  return test_end();
}
