/* Tests of tls/tls.h: peers that must be refused, and those that need more than the usual trust.
 * Needs openssl. */
#include "test.h"

#include "base/digest/base64.h"
#include "base/digest/sha256.h"
#include "peer.h"
#include "pki.h"

static long verify_result(void)
{
  struct mote_tls_info info;
  mote_tls_get_info(client.tls, &info);
  return info.verify_result;
}

/* One handshake that must fail like this. */
static void expect(const struct mote_tls_config *cfg, const char *host, CURLcode code, const char *text)
{
  CHECK_INT(client_connect(cfg, host, NULL), code);
  if(!strstr(client.text, text))
    CHECK_STR(client.text, text);
  client_close();
}

TEST(wrong_names)
{
  static const char *const bad[] = {
    "otherhost", "example.com", "a.b.example.com", "localhost.localdomain", "127.0.0.2", "::2", "ignored", "*"
  };
  static const char *const good[] = {
    "localhost", "LocalHost", "www.example.com", "a_b.example.com", "127.0.0.1", "[::1]", "::1"
  };
  struct mote_tls_config cfg = trusting();
  char text[128];
  size_t i;
  server_open(&leaf, NULL);
  for(i = 0; i < sizeof bad / sizeof *bad; i++) {
    snprintf(text, sizeof text, "no alternative certificate subject name matches target host name '%s'",
             bad[i]);
    expect(&cfg, bad[i], CURLE_PEER_FAILED_VERIFICATION, text);
  }
  for(i = 0; i < sizeof good / sizeof *good; i++)
    CHECK_INT(try_connect(&cfg, good[i]), CURLE_OK);
  cfg.verify_host = false;
  CHECK_INT(try_connect(&cfg, "otherhost"), CURLE_OK);
  end();
}

/* The server gets the reason. */
TEST(the_alert_says_so)
{
  struct mote_tls_config cfg = trusting();
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "otherhost", NULL), CURLE_PEER_FAILED_VERIFICATION);
  CHECK_INT(verify_result(), 1);
  CHECK(!SSL_is_init_finished(server.ssl));
  end();
}

TEST(common_names_are_not_looked_at)
{
  struct mote_tls_config cfg = trusting();
  server_open(&no_san, NULL);
  expect(&cfg, "localhost", CURLE_PEER_FAILED_VERIFICATION, "no alternative certificate subject name");
  end();
}

TEST(chains_that_end_nowhere)
{
  struct mote_tls_config cfg = trusting();
  server_open(&expired, NULL);
  expect(&cfg, "localhost", CURLE_PEER_FAILED_VERIFICATION,
         "SSL certificate problem: certificate has expired");
  server_close();
  server_open(&self_signed, NULL);
  expect(&cfg, "localhost", CURLE_PEER_FAILED_VERIFICATION,
         "SSL certificate problem: self-signed certificate");
  server_close();
  server_open(&deep_leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_PEER_FAILED_VERIFICATION);
  CHECK(strstr(client.text, "unable to get local issuer certificate (server certificate CN=deep, depth 0)"));
  CHECK_INT(verify_result(), X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
  end();
}

TEST(an_unverified_chain_is_reported)
{
  struct mote_tls_config cfg = trusting();
  server_open(&self_signed, NULL);
  cfg.verify_peer = false;
  cfg.ca_file = "/nonexistent";
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(verify_result(), X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT);
  CHECK(strstr(client.lines, "continuing anyway"));
  client_close();
  expect(&cfg, "otherhost", CURLE_PEER_FAILED_VERIFICATION, "otherhost"); /* the name is, all the same */
  end();
}

TEST(chains_with_intermediates)
{
  const struct cert *const chain[] = { &intermediate, NULL };
  const struct cert *const too_many[] = { &intermediate, &root, &stranger, NULL };
  struct mote_tls_config cfg = trusting();
  server_open(&deep_leaf, chain);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  CHECK_INT(sk_X509_num(SSL_get_peer_cert_chain(mote_tls_ssl_ptr(client.tls))), 1); /* the rest was dropped */
  client_close();
  server_close();
  server_open(&deep_leaf, too_many);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  end();
}

TEST(a_trusted_intermediate_is_enough)
{
  struct mote_tls_config cfg = trusting();
  char ca[128];
  snprintf(ca, sizeof ca, "%s", in_dir("intermediate.pem"));
  cfg.ca_file = ca;
  server_open(&deep_leaf, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  cfg.options = CURLSSLOPT_NO_PARTIALCHAIN;
  expect(&cfg, "localhost", CURLE_PEER_FAILED_VERIFICATION, "unable to get issuer certificate");
  server_close();
  snprintf(ca, sizeof ca, "%s", in_dir("self.pem"));
  server_open(&self_signed, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  end();
}

TEST(other_sources_of_trust)
{
  struct mote_tls_config cfg = trusting();
  char link[160];
  char blob[4096];
  FILE *f = fopen(in_dir("ca.pem"), "rb");
  server_open(&leaf, NULL);
  cfg.ca_file = "";
  expect(&cfg, "localhost", CURLE_PEER_FAILED_VERIFICATION, "unable to get local issuer certificate");
  cfg.ca_blob.ptr = blob;
  cfg.ca_blob.len = fread(blob, 1, sizeof blob, f);
  fclose(f);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  cfg.ca_blob.ptr = "nothing";
  cfg.ca_blob.len = 7;
  expect(&cfg, "localhost", CURLE_SSL_CACERT_BADFILE, "blob");
  cfg.ca_blob.ptr = NULL;
  snprintf(link, sizeof link, "%s/%08lx.0", test_dir, X509_NAME_hash_ex(X509_get_subject_name(root.x), NULL,
           NULL, NULL));
  CHECK(!symlink("ca.pem", link));
  cfg.ca_path = test_dir;
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  unlink(link);
  cfg.ca_path = "";
  cfg.ca_file = in_dir("missing.pem");
  expect(&cfg, "localhost", CURLE_SSL_CACERT_BADFILE, "error setting certificate file: ");
  cfg.ca_file = in_dir("bad.pem");
  expect(&cfg, "localhost", CURLE_SSL_CACERT_BADFILE, "bad.pem");
  end();
}

/* A bundle that changes is looked at after the time that was set. */
TEST(a_new_bundle_is_seen)
{
  struct mote_tls_config cfg = trusting();
  const struct cert *const both[] = { &stranger, &root, NULL };
  const struct cert *const wrong[] = { &stranger, NULL };
  char ca[128];
  snprintf(ca, sizeof ca, "%s", in_dir("crl.pem"));
  cfg.ca_file = ca;
  cfg.ca_cache_timeout = 0;
  write_pem("crl.pem", wrong, false, NULL);
  server_open(&leaf, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_PEER_FAILED_VERIFICATION);
  write_pem("crl.pem", both, false, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  write_pem("crl.pem", wrong, false, NULL);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_PEER_FAILED_VERIFICATION);
  end();
}

/* crl.pem: of root, with this serial number revoked unless it is 0. */
static void write_crl(long serial)
{
  X509_CRL *crl = X509_CRL_new();
  ASN1_TIME *t = ASN1_TIME_adj(NULL, time(NULL), 0, -60);
  FILE *f = fopen(in_dir("crl.pem"), "wb");
  X509_CRL_set_version(crl, 1);
  X509_CRL_set_issuer_name(crl, X509_get_subject_name(root.x));
  X509_CRL_set1_lastUpdate(crl, t);
  ASN1_TIME_adj(t, time(NULL), 1, 0);
  X509_CRL_set1_nextUpdate(crl, t);
  if(serial) {
    X509_REVOKED *r = X509_REVOKED_new();
    ASN1_INTEGER *n = ASN1_INTEGER_new();
    ASN1_INTEGER_set(n, serial);
    X509_REVOKED_set_serialNumber(r, n);
    ASN1_TIME_adj(t, time(NULL), 0, -30);
    X509_REVOKED_set_revocationDate(r, t);
    X509_CRL_add0_revoked(crl, r);
    ASN1_INTEGER_free(n);
  }
  ASN1_TIME_free(t);
  CHECK(X509_CRL_sign(crl, root.key, EVP_sha256()) > 0);
  PEM_write_X509_CRL(f, crl);
  fclose(f);
  X509_CRL_free(crl);
}

TEST(revoked_certificates)
{
  struct mote_tls_config cfg = trusting();
  char crl[128];
  snprintf(crl, sizeof crl, "%s", in_dir("crl.pem"));
  cfg.crl_file = crl;
  server_open(&leaf, NULL);
  write_crl(99);
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  write_crl(3); /* seen at once */
  expect(&cfg, "localhost", CURLE_PEER_FAILED_VERIFICATION, "SSL certificate problem: certificate revoked");
  cfg.crl_file = in_dir("bad.pem");
  expect(&cfg, "localhost", CURLE_SSL_CRL_BADFILE, "error loading CRL file: ");
  end();
}

TEST(issuers)
{
  struct mote_tls_config cfg = trusting();
  server_open(&leaf, NULL);
  cfg.issuer_file = in_dir("ca.pem");
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  cfg.issuer_file = in_dir("intermediate.pem");
  expect(&cfg, "localhost", CURLE_SSL_ISSUER_ERROR, "issuer check failed");
  cfg.issuer_file = in_dir("missing.pem");
  expect(&cfg, "localhost", CURLE_SSL_ISSUER_ERROR, "missing.pem");
  end();
}

static void write_pins(char list[256])
{
  unsigned char *spki = NULL;
  int len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(leaf.x), &spki);
  uint8_t digest[32];
  char text[64];
  FILE *f = fopen(in_dir("pin.pem"), "wb");
  mote_sha256(spki, (size_t)len, digest);
  mote_base64_encode(text, digest, sizeof digest);
  snprintf(list, 256, "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;sha256//%s", text);
  write_file("pin.der", spki, (size_t)len);
  PEM_write_PUBKEY(f, leaf.key);
  fclose(f);
  OPENSSL_free(spki);
}

TEST(pinned_keys)
{
  struct mote_tls_config cfg = trusting();
  const char *const bad[] = { "", "sha256//", "sha256//AAAA", in_dir("missing.pem"), in_dir("ca.pem") };
  char list[256];
  size_t i;
  write_pins(list);
  server_open(&leaf, NULL);
  cfg.pinned_key = list;
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  cfg.pinned_key = in_dir("pin.der");
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  cfg.pinned_key = in_dir("pin.pem");
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  cfg.verify_peer = false;
  cfg.verify_host = false;
  CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
  for(i = 0; i < sizeof bad / sizeof *bad; i++) {
    cfg.pinned_key = bad[i];
    expect(&cfg, "localhost", CURLE_SSL_PINNEDPUBKEYNOTMATCH, "public key does not match pinned public key");
  }
  end();
}

/* A response about the leaf, signed by root (or a stranger), good from `from` to `until` seconds from now. */
static void make_staple(int status, const struct cert *signer, long from, long until)
{
  OCSP_BASICRESP *basic = OCSP_BASICRESP_new();
  OCSP_CERTID *id = OCSP_cert_to_id(EVP_sha1(), leaf.x, root.x);
  ASN1_TIME *a = X509_gmtime_adj(NULL, from);
  ASN1_TIME *b = X509_gmtime_adj(NULL, until);
  OCSP_RESPONSE *response;
  static unsigned char der[4096];
  unsigned char *p = der;
  OCSP_basic_add1_status(basic, id, status, 0, status == V_OCSP_CERTSTATUS_REVOKED ? a : NULL, a, b);
  CHECK(OCSP_basic_sign(basic, signer->x, signer->key, EVP_sha256(), NULL, 0));
  response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic);
  server.staple_len = (size_t)i2d_OCSP_RESPONSE(response, &p);
  server.staple = der;
  OCSP_RESPONSE_free(response);
  ASN1_TIME_free(a);
  ASN1_TIME_free(b);
  OCSP_CERTID_free(id);
  OCSP_BASICRESP_free(basic);
}

TEST(stapled_status)
{
  const long versions[] = { 0, CURL_SSLVERSION_MAX_TLSv1_2 };
  size_t i;
  for(i = 0; i < 2; i++) {
    struct mote_tls_config cfg = trusting();
    server_open(&leaf, NULL);
    cfg.version = versions[i];
    cfg.verify_status = true;
    expect(&cfg, "localhost", CURLE_SSL_INVALIDCERTSTATUS, "No OCSP response received");
    make_staple(V_OCSP_CERTSTATUS_GOOD, &root, -60, 3600);
    CHECK_INT(try_connect(&cfg, "localhost"), CURLE_OK);
    make_staple(V_OCSP_CERTSTATUS_REVOKED, &root, -60, 3600);
    expect(&cfg, "localhost", CURLE_SSL_INVALIDCERTSTATUS, "revoked");
    make_staple(V_OCSP_CERTSTATUS_UNKNOWN, &root, -60, 3600);
    expect(&cfg, "localhost", CURLE_SSL_INVALIDCERTSTATUS, "unknown");
    make_staple(V_OCSP_CERTSTATUS_GOOD, &root, -7200, -3600);
    expect(&cfg, "localhost", CURLE_SSL_INVALIDCERTSTATUS, "expired");
    make_staple(V_OCSP_CERTSTATUS_GOOD, &stranger, -60, 3600);
    expect(&cfg, "localhost", CURLE_SSL_INVALIDCERTSTATUS, "OCSP response verification failed");
    server.staple = (const unsigned char *)"nonsense";
    server.staple_len = 8;
    expect(&cfg, "localhost", CURLE_SSL_INVALIDCERTSTATUS, "Invalid OCSP response");
    server.staple_len = 0;
    end();
  }
}

/* Whatever runs out, a bad peer is never taken for a good one. */
static void scenario(void)
{
  struct mote_tls_config cfg = trusting();
  CURLcode rc;
  server_open(&leaf, NULL);
  cfg.issuer_file = in_dir("ca.pem");
  cfg.pinned_key = in_dir("pin.pem");
  rc = client_connect(&cfg, "localhost", NULL);
  CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  client_close();
  rc = client_connect(&cfg, "otherhost", NULL);
  CHECK(rc == CURLE_PEER_FAILED_VERIFICATION || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  end();
}

TEST(survives_without_memory)
{
  char list[256];
  write_pins(list);
  run_with_failures(scenario);
}

int main(void)
{
  make_dir();
  pki_make();
  TEST_RUN(wrong_names);
  TEST_RUN(the_alert_says_so);
  TEST_RUN(common_names_are_not_looked_at);
  TEST_RUN(chains_that_end_nowhere);
  TEST_RUN(an_unverified_chain_is_reported);
  TEST_RUN(chains_with_intermediates);
  TEST_RUN(a_trusted_intermediate_is_enough);
  TEST_RUN(other_sources_of_trust);
  TEST_RUN(a_new_bundle_is_seen);
  TEST_RUN(revoked_certificates);
  TEST_RUN(issuers);
  TEST_RUN(pinned_keys);
  TEST_RUN(stapled_status);
  TEST_RUN(survives_without_memory);
  pki_free();
  return test_end();
}
