/* Tests of tls/bearssl/bearssl.h: streams by BearSSL, against OpenSSL as the server.
 * Needs accounts. Needs bearssl. links: ssl crypto */
#include "test.h"

#include "peer.h"
#include "pki.h"

#include "common_tests.h"
#include "layers.h"

static const struct tested tested = {CURLSSLBACKEND_BEARSSL, "BearSSL/", "TLSv1.2", "ECDHE-"};

/* A handful of blocks; nothing but the stream's own once nothing is under way. */
TEST(takes_little)
{
  struct mote_tls_config cfg = trusting();
  static char bulk[40000];
  static char buf[40000];
  size_t len;
  size_t calls = test_mem.calls;
  size_t idle;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK(test_mem.calls - calls <= 12);
  CHECK(client.account.peak <= 14000);
  idle = client.account.live;
  CHECK(idle <= 5000);
  memset(bulk, 'x', sizeof bulk);
  server_write(bulk, sizeof bulk);
  CHECK_INT(client_read(buf, sizeof buf, &len), CURLE_OK);
  CHECK_MEM(buf, len, bulk, sizeof bulk);
  CHECK(client.account.peak <= idle + 16384 + 325);
  CHECK_INT(client.tls->ops->recv(client.tls, buf, sizeof buf, &len), CURLE_AGAIN);
  CHECK_INT(client.account.live, idle);
  CHECK_INT(client_write(bulk, sizeof bulk), CURLE_OK);
  CHECK(client.account.live > idle);
  for(len = 0; len < sizeof bulk;)
    len += (size_t)server_read(buf, sizeof buf);
  client.tls->ops->idle(client.tls);
  CHECK_INT(client.account.live, idle);
  check_exchange();
  end();
}

/* What was read along with a record is reported, and taken by nothing but recv. */
TEST(reads_along)
{
  struct mote_tls_config cfg = trusting();
  const struct mote_stream_ops *ops;
  char buf[16];
  size_t len;
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  ops = client.tls->ops;
  CHECK(ops->quiet(client.tls));
  server_write("first", 5);
  server_write("second", 6);
  CHECK(!ops->quiet(client.tls));
  CHECK(!ops->quiet(client.tls));
  CHECK_INT(ops->recv(client.tls, buf, 2, &len), CURLE_OK);
  CHECK_MEM(buf, len, "fi", 2);
  CHECK_INT(ops->recv(client.tls, buf, sizeof buf, &len), CURLE_OK);
  CHECK_MEM(buf, len, "rst", 3);
  CHECK(ops->pending(client.tls)); /* the second was read along */
  CHECK(!ops->quiet(client.tls));
  CHECK_INT(ops->recv(client.tls, buf, sizeof buf, &len), CURLE_OK);
  CHECK_MEM(buf, len, "second", 6);
  CHECK(!ops->pending(client.tls));
  CHECK(ops->quiet(client.tls));
  CHECK_INT(ops->recv(client.tls, buf, sizeof buf, &len), CURLE_AGAIN);
  end();
}

TEST(looks_at_the_dates_of_a_root)
{
  check_dates_of_a_root("expired", 10, "not yet valid", 9);
}

TEST(says_what_it_cannot)
{
  check_what_it_cannot(CURLE_NOT_BUILT_IN, "AES256-SHA:NOSUCH");
}

/* The one that was first in the bundle is not the one that signed. */
TEST(tries_two_roots_of_a_name)
{
  const struct cert_wish wish = { .name = "Twin", .ca = true, .rsa = 4096 };
  struct cert twins[2];
  struct cert signed_by[2];
  const struct cert *const bundle[] = { &twins[0], &twins[1], NULL };
  struct mote_tls_config cfg;
  size_t i;
  for(i = 0; i < 2; i++) {
    cert_make(&twins[i], NULL, &wish);
    cert_make(&signed_by[i], &twins[i], &(struct cert_wish){ .name = "x", .san = "DNS:localhost" });
  }
  write_pem("stranger.pem", bundle, false, NULL);
  cfg = trusting();
  cfg.ca_file = in_dir("stranger.pem");
  for(i = 0; i < 2; i++) {
    server_open(&signed_by[i], NULL);
    CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
    check_exchange();
    end();
  }
  for(i = 0; i < 2; i++) {
    cert_free(&signed_by[i]);
    cert_free(&twins[i]);
  }
}

/* The bundle has the server's own certificate and not who issued it. */
TEST(trusts_a_certificate_itself)
{
  const struct cert *const bundle[] = { &leaf, NULL };
  struct mote_tls_config cfg = trusting();
  write_pem("stranger.pem", bundle, false, NULL);
  cfg.ca_file = in_dir("stranger.pem");
  server_open(&leaf, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  server_close();
  server_open(&expired, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_PEER_FAILED_VERIFICATION);
  end();
}

/* Every certificate of a chain costs a signature, and a server can send thousands. */
TEST(long_chain_is_refused)
{
  enum { MANY = 17 }; /* one more than are verified */
  static const char *const names[MANY] = { "0", "1", "2", "3", "4", "5", "6", "7", "8",
                                           "9", "10", "11", "12", "13", "14", "15", "16" };
  struct mote_tls_config cfg = trusting();
  struct cert certs[MANY];
  const struct cert *chain[MANY] = { 0 }; /* above the server's own */
  const struct cert *const top[] = { &certs[MANY - 1], NULL };
  int i;
  for(i = MANY - 1; i >= 0; i--)
    cert_make(&certs[i], i < MANY - 1 ? &certs[i + 1] : &root,
              &(struct cert_wish){ .name = names[i], .ca = i != 0, .serial = 20 + i,
                                   .san = i ? NULL : "DNS:localhost" });
  for(i = 1; i < MANY; i++)
    chain[i - 1] = &certs[i];
  server_open(&certs[0], chain);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_PEER_FAILED_VERIFICATION);
  CHECK(strstr(client.text, "chain too long"));
  end();
  write_pem("top.pem", top, false, NULL);
  cfg.ca_file = in_dir("top.pem");
  chain[MANY - 2] = NULL;
  server_open(&certs[0], chain);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  end();
  unlink(in_dir("top.pem"));
  for(i = 0; i < MANY; i++)
    cert_free(&certs[i]);
}

/* What a call of the handshake has left of what it read is not in the descriptor any more. */
TEST(interrupted_handshake_is_pending)
{
  static const unsigned char hello_request[] = { 22, 3, 3, 0, 4, 0, 0, 0, 0 };
  struct mote_tls_config cfg = trusting();
  bool done = false;
  server_open(&leaf, NULL);
  CHECK_INT(client_open(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(client.tls->ops->handshake(client.tls, &done), CURLE_OK);
  CHECK(!client.tls->ops->pending(client.tls));
  for(; to_client.len < 2000;)
    append(&to_client, hello_request, sizeof hello_request);
  CHECK_INT(client.tls->ops->handshake(client.tls, &done), CURLE_OK);
  CHECK(!to_client.len && client.tls->ops->pending(client.tls));
  while(client.tls->ops->pending(client.tls))
    CHECK_INT(client.tls->ops->handshake(client.tls, &done), CURLE_OK);
  end();
}

/* Names may be as long as certificates are. */
TEST(long_names)
{
  static char name[65];
  struct cert top;
  struct cert own;
  const struct cert *const bundle[] = { &top, NULL };
  struct mote_tls_config cfg;
  unsigned more;
  memset(name, 'n', 64);
  for(more = 0; more < 12; more += 11) {
    unsigned i;
    cert_make(&top, NULL, &(struct cert_wish){ .name = "Long", .ca = true });
    cert_make(&own, &top, &(struct cert_wish){ .name = "x", .san = "DNS:localhost" });
    for(i = 0; i < more; i++)
      X509_NAME_add_entry_by_txt(X509_get_subject_name(top.x), "OU", MBSTRING_ASC, (unsigned char *)name, -1,
                                 -1, 0);
    X509_set_issuer_name(top.x, X509_get_subject_name(top.x));
    X509_set_issuer_name(own.x, X509_get_subject_name(top.x));
    CHECK(X509_sign(top.x, top.key, EVP_sha256()) > 0);
    CHECK(X509_sign(own.x, top.key, EVP_sha256()) > 0);
    write_pem("stranger.pem", bundle, false, NULL);
    cfg = trusting();
    cfg.ca_file = in_dir("stranger.pem");
    server_open(&own, NULL);
    CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
    end();
    cert_free(&own);
    cert_free(&top);
  }
}

TEST(survives_without_memory)
{
  run_with_failures(life_of_connections);
}

int main(void)
{
  make_dir();
  pki_make();
  run_common_tests();
  TEST_RUN(takes_little);
  TEST_RUN(reads_along);
  TEST_RUN(looks_at_the_dates_of_a_root);
  TEST_RUN(says_what_it_cannot);
  TEST_RUN(tries_two_roots_of_a_name);
  TEST_RUN(trusts_a_certificate_itself);
  TEST_RUN(long_chain_is_refused);
  TEST_RUN(interrupted_handshake_is_pending);
  TEST_RUN(long_names);
  TEST_RUN(survives_without_memory);
  run_layer_tests();
  pki_free();
  return test_end();
}
