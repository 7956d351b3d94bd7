/* Tests of tls/x509/path.h: what no well-made certificate has. The rest is in
 * tests/e2e/test_tls_certificates.py. Needs tls_name_constraints. needs: src/tls/x509/der_key.c
 * src/tls/x509/path.c src/tls/x509/path_names.c links: crypto */
#include "test.h"

#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "tls/x509/der.h"
#include "tls/x509/path.h"

#define SERVER "extendedKeyUsage=serverAuth"
#define IS_CA "basicConstraints=critical,CA:TRUE"

static EVP_PKEY *ec_key(void)
{
  static EVP_PKEY *key;
  if(!key)
    key = EVP_EC_gen("P-256");
  return key;
}

static EVP_PKEY *rsa_key(void)
{
  static EVP_PKEY *key;
  if(!key)
    key = EVP_RSA_gen(2048);
  return key;
}

/* A certificate with these extensions ("name=value", or "oid=DER:hex"); NULL ends them. */
static struct mote_path_cert make(EVP_PKEY *key, const EVP_MD *hash, bool pss, const char *const *extensions)
{
  struct mote_path_cert c = {0};
  X509 *x = X509_new();
  EVP_MD_CTX *sign = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how = NULL;
  unsigned char *der = NULL;
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                             (const unsigned char *)"Some", -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  X509_set_version(x, 2);
  X509_time_adj_ex(X509_getm_notBefore(x), -1, 0, NULL);
  X509_time_adj_ex(X509_getm_notAfter(x), 1, 0, NULL);
  X509_set_pubkey(x, key);
  for(; extensions && *extensions; extensions++) {
    char name[64];
    const char *value = strchr(*extensions, '=');
    X509_EXTENSION *e;
    snprintf(name, sizeof name, "%.*s", (int)(value - *extensions), *extensions);
    e = X509V3_EXT_conf(NULL, NULL, name, value + 1);
    if(!e) {
      BROKEN("an extension");
      break;
    }
    X509_add_ext(x, e, -1);
    X509_EXTENSION_free(e);
  }
  CHECK(EVP_DigestSignInit(sign, &how, hash, NULL, key));
  if(pss)
    CHECK(EVP_PKEY_CTX_set_rsa_padding(how, RSA_PKCS1_PSS_PADDING) > 0);
  CHECK(X509_sign_ctx(x, sign) > 0);
  EVP_MD_CTX_free(sign);
  c.len = (size_t)i2d_X509(x, &der);
  c.der = der;
  X509_free(x);
  return c;
}

static void drop(struct mote_path_cert *c)
{
  OPENSSL_free((void *)(uintptr_t)c->der);
}

/* One certificate at `depth`, above a server's own with these names. */
static enum mote_path_fault check(unsigned depth, const char *first, const char *second, const char *names)
{
  const char *const extensions[] = {first, second, NULL};
  const char *const own[] = {names, NULL};
  struct mote_path_cert c = make(ec_key(), EVP_sha256(), false, extensions);
  struct mote_path_cert below = make(ec_key(), EVP_sha256(), false, names ? own : NULL);
  enum mote_path_fault fault = mote_path_check(&c, depth, &below, depth != 0);
  CHECK_INT(mote_path_strength(&c, false), MOTE_PATH_FINE);
  drop(&c);
  drop(&below);
  return fault;
}

TEST(an_extension_twice)
{
  CHECK_INT(check(0, SERVER, NULL, NULL), MOTE_PATH_FINE);
  CHECK_INT(check(0, SERVER, "extendedKeyUsage=clientAuth", NULL), MOTE_PATH_MALFORMED);
  CHECK_INT(check(1, IS_CA, "basicConstraints=CA:FALSE", NULL), MOTE_PATH_MALFORMED);
}

TEST(odd_basic_constraints)
{
  static const struct {
    const char *value;
    enum mote_path_fault fault;
  } cases[] = {
    {"2.5.29.19=DER:30:03:01:01:FF", MOTE_PATH_FINE},
    {"2.5.29.19=DER:30:03:01:01:01", MOTE_PATH_FINE},
    {"2.5.29.19=DER:30:03:01:01:00", MOTE_PATH_NO_CA},
    {"2.5.29.19=DER:30:02:01:00", MOTE_PATH_NO_CA},
    {"2.5.29.19=DER:30:00", MOTE_PATH_NO_CA},
    {"2.5.29.19=DER:30:03:02:01:FF", MOTE_PATH_NO_CA},
    {"2.5.29.19=DER:01:01:FF", MOTE_PATH_NO_CA},
    {"2.5.29.19=DER:30:06:01:01:FF:02:01:01", MOTE_PATH_FINE},
    {"2.5.29.19=DER:30:06:01:01:FF:02:01:00", MOTE_PATH_TOO_LONG},
    {"2.5.29.19=DER:30:06:01:01:FF:02:01:FF", MOTE_PATH_MALFORMED},
    {"2.5.29.19=DER:30:05:01:01:FF:02:00", MOTE_PATH_MALFORMED},
    {"2.5.29.19=DER:30:06:01:01:FF:04:01:05", MOTE_PATH_MALFORMED},
    {"2.5.29.19=DER:30:07:01:01:FF:02:02:01:00", MOTE_PATH_FINE},
  };
  size_t i;
  for(i = 0; i < sizeof cases / sizeof *cases; i++)
    if(!CHECK_INT(check(2, cases[i].value, NULL, NULL), cases[i].fault))
      printf("    %s\n", cases[i].value);
}

TEST(odd_usages)
{
  CHECK_INT(check(0, "2.5.29.15=DER:03:02:07:80", NULL, NULL), MOTE_PATH_FINE);
  CHECK_INT(check(0, "2.5.29.15=DER:03:01:00", NULL, NULL), MOTE_PATH_PURPOSE);
  CHECK_INT(check(0, "2.5.29.15=DER:04:02:07:80", NULL, NULL), MOTE_PATH_PURPOSE);
  CHECK_INT(check(0, "2.5.29.37=DER:30:00", NULL, NULL), MOTE_PATH_PURPOSE);
  CHECK_INT(check(0, "2.5.29.37=DER:06:08:2B:06:01:05:05:07:03:01", NULL, NULL), MOTE_PATH_PURPOSE);
}

/* Constraints that are none are those that nothing passes. */
TEST(odd_name_constraints)
{
  static const struct {
    const char *value;
    const char *names;
    bool fine;
  } cases[] = {
    {"nameConstraints=permitted;DNS:a.test", "subjectAltName=DNS:a.test", true},
    {"nameConstraints=permitted;DNS:a.test", "subjectAltName=DNS:b.test", false},
    {"nameConstraints=permitted;DNS:a.test", "subjectAltName=DNS:test", false},
    {"nameConstraints=permitted;DNS:a.test", NULL, true},
    {"2.5.29.30=DER:30:06:A0:04:30:02:82:00", "subjectAltName=DNS:a.test", true},
    {"2.5.29.30=DER:30:06:A1:04:30:02:82:00", "subjectAltName=DNS:a.test", false},
    {"nameConstraints=excluded;DNS:a.b.test", "subjectAltName=DNS:*.b.test", false},
    {"nameConstraints=excluded;DNS:c.b.test", "subjectAltName=DNS:a.b.test", true},
    {"nameConstraints=permitted;otherName:1.2.3;UTF8:x", "subjectAltName=DNS:a.test", true},
    {"nameConstraints=permitted;URI:a.test", "subjectAltName=URI:http://a.test/", false},
    {"nameConstraints=excluded;URI:b.test", "subjectAltName=URI:http://a.test/", false},
    {"2.5.29.30=DER:30:00", "subjectAltName=DNS:a.test", true},
    {"2.5.29.30=DER:30:02:05:00", "subjectAltName=DNS:a.test", false},
    {"2.5.29.30=DER:31:00", "subjectAltName=DNS:a.test", false},
    {"2.5.29.30=DER:04:00", "subjectAltName=DNS:a.test", false},
    /* a subtree with a minimum, one that is no SEQUENCE, one without a base */
    {"2.5.29.30=DER:30:0A:A0:08:30:06:82:01:61:80:01:00", "subjectAltName=DNS:a", false},
    {"2.5.29.30=DER:30:07:A0:05:31:03:82:01:61", "subjectAltName=DNS:a", false},
    {"2.5.29.30=DER:30:04:A1:02:30:00", "subjectAltName=DNS:a", false},
    /* 10.0.0.0/8 without a mask; /8 of an address with an octet too many */
    {"2.5.29.30=DER:30:0A:A0:08:30:06:87:04:0A:00:00:00", "subjectAltName=IP:10.0.0.1", false},
    {"2.5.29.30=DER:30:0A:A1:08:30:06:87:04:0B:00:00:00", "subjectAltName=IP:10.0.0.1", false},
    {"nameConstraints=permitted;IP:10.0.0.0/255.0.0.0", "subjectAltName=IP:10.1.2.3", true},
    {"nameConstraints=permitted;IP:10.0.0.0/255.0.0.0", "subjectAltName=IP:11.1.2.3", false},
    {"nameConstraints=permitted;IP:10.0.0.0/255.0.0.0", "2.5.29.17=DER:30:07:87:05:0A:01:02:03:04", false},
    /* names that are none */
    {"nameConstraints=excluded;DNS:a.test", "2.5.29.17=DER:30:05:82:09:61:61:61", false},
    {"nameConstraints=excluded;DNS:a.test", "2.5.29.17=DER:04:01:61", false},
    {"2.5.29.30=DER:30:08:A0:06:30:04:A4:02:30:00", NULL, true},  /* every folder */
    {"2.5.29.30=DER:30:08:A1:06:30:04:A4:02:30:00", NULL, false},
    {"2.5.29.30=DER:30:08:A0:06:30:04:A4:02:30:05", NULL, false},
  };
  size_t i;
  for(i = 0; i < sizeof cases / sizeof *cases; i++)
    if(!CHECK_INT(check(1, IS_CA, cases[i].value, cases[i].names),
                  cases[i].fine ? MOTE_PATH_FINE : MOTE_PATH_NAMES))
      printf("    %s for %s\n", cases[i].value, cases[i].names ? cases[i].names : "none");
}

TEST(signatures)
{
  static const struct {
    const char *hash;
    bool rsa;
    bool pss;
    enum mote_path_fault fault;
  } cases[] = {
    {"SHA256", true, false, MOTE_PATH_FINE}, {"SHA384", true, false, MOTE_PATH_FINE},
    {"SHA512", true, false, MOTE_PATH_FINE}, {"SHA224", true, false, MOTE_PATH_WEAK_HASH},
    {"SHA1", true, false, MOTE_PATH_WEAK_HASH}, {"MD5", true, false, MOTE_PATH_WEAK_HASH},
    {"SHA256", true, true, MOTE_PATH_FINE}, {"SHA512", true, true, MOTE_PATH_FINE},
    {"SHA1", true, true, MOTE_PATH_WEAK_HASH}, {"SHA224", true, true, MOTE_PATH_WEAK_HASH},
    {"SHA256", false, false, MOTE_PATH_FINE}, {"SHA512", false, false, MOTE_PATH_FINE},
    {"SHA1", false, false, MOTE_PATH_WEAK_HASH}, {"SHA224", false, false, MOTE_PATH_WEAK_HASH},
    {"SHA3-256", false, false, MOTE_PATH_WEAK_HASH},
  };
  size_t i;
  for(i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct mote_path_cert c =
      make(cases[i].rsa ? rsa_key() : ec_key(), EVP_get_digestbyname(cases[i].hash), cases[i].pss, NULL);
    if(!CHECK_INT(mote_path_strength(&c, false), cases[i].fault))
      printf("    %s\n", cases[i].hash);
    CHECK_INT(mote_path_strength(&c, true), MOTE_PATH_FINE);
    drop(&c);
  }
}

/* The algorithm outside of what is signed is another than the one inside. */
TEST(two_algorithms)
{
  struct mote_path_cert c = make(ec_key(), EVP_sha256(), false, NULL);
  uint8_t *p = (uint8_t *)(uintptr_t)c.der + c.len - 8;
  while(memcmp(p, "\x2a\x86\x48\xce\x3d\x04\x03\x02", 8) != 0)
    p--;
  p[7] = 3;
  CHECK_INT(mote_path_strength(&c, false), MOTE_PATH_WEAK_HASH);
  drop(&c);
}

TEST(keys)
{
  static const char *const kinds[] = {"ED25519", "ED448"};
  EVP_PKEY *small = EVP_RSA_gen(1024);
  EVP_PKEY *odd = EVP_EC_gen("secp256k1");
  struct mote_path_cert c = make(small, EVP_sha256(), false, NULL);
  size_t i;
  CHECK_INT(mote_path_strength(&c, true), MOTE_PATH_WEAK_KEY);
  drop(&c);
  c = make(odd, EVP_sha256(), false, NULL);
  CHECK_INT(mote_path_strength(&c, true), MOTE_PATH_WEAK_KEY);
  drop(&c);
  for(i = 0; i < 2; i++) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, kinds[i]);
    c = make(key, NULL, false, NULL);
    CHECK_INT(mote_path_strength(&c, false), MOTE_PATH_FINE);
    drop(&c);
    EVP_PKEY_free(key);
  }
  EVP_PKEY_free(small);
  EVP_PKEY_free(odd);
}

/* Cut off, longer than it is, or with any octets wrong: nothing is read beyond. */
TEST(survives_hostile_bytes)
{
  const char *const extensions[] = {IS_CA, SERVER, "keyUsage=keyCertSign",
    "nameConstraints=permitted;DNS:a.test,excluded;IP:10.0.0.0/255.0.0.0", NULL};
  const char *const names[] = {"subjectAltName=DNS:a.test,IP:11.0.0.1,email:a@b.test", NULL};
  struct mote_path_cert ca = make(rsa_key(), EVP_sha256(), true, extensions);
  struct mote_path_cert own = make(ec_key(), EVP_sha256(), false, names);
  int round;
  CHECK_INT(mote_path_check_all(&ca, 1, false, &own, 1), MOTE_PATH_FINE);
  for(round = 0; round < 20000; round++) {
    struct mote_path_cert bad[2] = {ca, own};
    int i;
    for(i = 0; i < 2; i++) {
      size_t len = bad[i].len - (round % 7 ? 0 : test_random() % bad[i].len);
      uint8_t *copy = malloc(len + !len);
      unsigned changes = test_random() % 4;
      memcpy(copy, bad[i].der, len);
      while(len && changes--)
        copy[test_random() % len] = (uint8_t)(test_random() % 2 ? test_random() : 0x80 | test_random() % 6);
      bad[i] = (struct mote_path_cert){copy, len};
    }
    (void)mote_path_check_all(&bad[0], 1, false, &bad[1], 1);
    (void)mote_path_check_all(&bad[1], 0, false, NULL, 0);
    free((void *)(uintptr_t)bad[0].der);
    free((void *)(uintptr_t)bad[1].der);
  }
  drop(&ca);
  drop(&own);
  EVP_PKEY_free(rsa_key());
  EVP_PKEY_free(ec_key());
}

int main(void)
{
  TEST_RUN(an_extension_twice);
  TEST_RUN(odd_basic_constraints);
  TEST_RUN(odd_usages);
  TEST_RUN(odd_name_constraints);
  TEST_RUN(signatures);
  TEST_RUN(two_algorithms);
  TEST_RUN(keys);
  TEST_RUN(survives_hostile_bytes);
  return test_end();
}
