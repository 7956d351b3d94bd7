/* Tests of mote_der_key() and mote_der_validity() of tls/x509/der.h.
 * needs: src/tls/x509/der_key.c
 * links: crypto */
#include "test.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "tls/x509/der.h"

#define YEAR (365L * 86400)

struct made {
  unsigned char *der;
  int len;
};

/* A certificate of this key; basic: basicConstraints, or NULL; until: seconds from now. */
static struct made make(EVP_PKEY *key, const char *basic, long until)
{
  struct made m = { NULL, 0 };
  X509 *x = X509_new();
  const EVP_MD *hash = EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 ? NULL : EVP_sha256();
  X509_NAME *name = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"Root", -1, -1, 0);
  X509_set_version(x, 2);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  X509_time_adj_ex(X509_getm_notBefore(x), -20 * 365, 0, NULL);
  X509_time_adj_ex(X509_getm_notAfter(x), (int)(until / 86400), 0, NULL);
  X509_set_pubkey(x, key);
  if(basic) {
    X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints, basic);
    X509_add_ext(x, e, -1);
    X509_EXTENSION_free(e);
  }
  CHECK(X509_sign(x, key, hash) > 0);
  m.len = i2d_X509(x, &m.der);
  X509_free(x);
  return m;
}

/* One key for all tests of its kind. */
static EVP_PKEY *rsa_key(void)
{
  static EVP_PKEY *key;
  if(!key)
    key = EVP_RSA_gen(2048);
  return key;
}

static void check_digits(const EVP_PKEY *key, const char *name, const uint8_t *digits, size_t len)
{
  BIGNUM *want = NULL;
  unsigned char bytes[600];
  CHECK(EVP_PKEY_get_bn_param(key, name, &want));
  CHECK_INT(BN_bn2bin(want, bytes), len);
  CHECK(!memcmp(bytes, digits, len));
  BN_free(want);
}

TEST(reads_an_rsa_key)
{
  struct made m = make(rsa_key(), "critical,CA:TRUE", YEAR);
  struct mote_der_key k;
  if(CHECK(mote_der_key(m.der, (size_t)m.len, &k))) {
    CHECK_INT(k.curve, 0);
    check_digits(rsa_key(), OSSL_PKEY_PARAM_RSA_N, k.bytes, k.len);
    check_digits(rsa_key(), OSSL_PKEY_PARAM_RSA_E, k.exponent, k.exponent_len);
  }
  OPENSSL_free(m.der);
}

TEST(reads_points_of_three_curves)
{
  static const char *const names[] = { "P-256", "P-384", "P-521", "secp256k1" };
  int i;
  for(i = 0; i < 4; i++) {
    EVP_PKEY *key = EVP_EC_gen(names[i]);
    struct made m = make(key, "CA:TRUE,pathlen:3", YEAR);
    unsigned char point[200];
    size_t len = 0;
    struct mote_der_key k;
    CHECK(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &len));
    CHECK(mote_der_key(m.der, (size_t)m.len, &k) == (i < 3));
    if(i < 3) {
      CHECK_INT(k.curve, 23 + i);
      CHECK(k.len == len && !memcmp(k.bytes, point, len));
      CHECK(!k.exponent);
    }
    OPENSSL_free(m.der);
    EVP_PKEY_free(key);
  }
}

TEST(refuses_other_keys)
{
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
  struct made m = make(key, "CA:TRUE", YEAR);
  struct mote_der_key k;
  CHECK(!mote_der_key(m.der, (size_t)m.len, &k));
  OPENSSL_free(m.der);
  EVP_PKEY_free(key);
}

static unsigned char *search(const struct made *m, const char *bytes, size_t len)
{
  int i;
  for(i = 0; i + (int)len <= m->len; i++)
    if(!memcmp(m->der + i, bytes, len))
      return m->der + i;
  BROKEN("the bytes are in it");
  return m->der;
}

/* The key's own identifier says what it is: RSASSA-PSS, Diffie-Hellman on a curve. */
TEST(refuses_keys_for_something_else)
{
  EVP_PKEY *key = EVP_EC_gen("P-256");
  struct made m = make(rsa_key(), "CA:TRUE", YEAR);
  struct mote_der_key k;
  search(&m, "\x86\xf7\x0d\x01\x01\x01", 6)[5] = 10;
  CHECK(!mote_der_key(m.der, (size_t)m.len, &k));
  OPENSSL_free(m.der);
  m = make(key, "CA:TRUE", YEAR);
  search(&m, "\x86\x48\xce\x3d\x02\x01", 6)[5] = 2;
  CHECK(!mote_der_key(m.der, (size_t)m.len, &k));
  OPENSSL_free(m.der);
  EVP_PKEY_free(key);
}

static void check_time(const ASN1_TIME *want, const struct mote_der_time *t)
{
  ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
  int days = -1;
  int seconds = -1;
  CHECK(ASN1_TIME_diff(&days, &seconds, epoch, want));
  /* a time before the epoch has both negative */
  CHECK_INT((int64_t)t->day * 86400 + t->second, (int64_t)days * 86400 + seconds);
  ASN1_TIME_free(epoch);
}

/* UTCTime until 2049, then GeneralizedTime; every month, leap days, turns of centuries. */
TEST(counts_as_the_library)
{
  static const char *const times[] = {
    "500101000000Z", "491231235959Z", "700101000000Z", "991231235959Z", "000229120000Z", "240228000000Z",
    "240229000000Z", "240301000000Z", "20500101000000Z", "21000228000000Z", "21000301000000Z",
    "99991231235959Z"
  };
  struct made m = make(rsa_key(), NULL, 40 * YEAR);
  const unsigned char *p = m.der;
  X509 *x = d2i_X509(NULL, &p, m.len);
  size_t i;
  for(i = 0; i < sizeof times / sizeof *times; i++) {
    unsigned char *der = NULL;
    struct mote_der_time from;
    struct mote_der_time until;
    int len;
    CHECK(ASN1_TIME_set_string(X509_getm_notAfter(x), times[i]));
    len = i2d_re_X509_tbs(x, &der) < 0 ? -1 : i2d_X509(x, NULL);
    OPENSSL_free(der);
    der = NULL;
    CHECK(len > 0 && i2d_X509(x, &der) == len);
    if(CHECK(mote_der_validity(der, (size_t)len, &from, &until))) {
      check_time(X509_get0_notBefore(x), &from);
      check_time(X509_get0_notAfter(x), &until);
    }
    OPENSSL_free(der);
  }
  X509_free(x);
  OPENSSL_free(m.der);
}

/* What is no date in the form of RFC 5280: no seconds, no Z, another character. */
TEST(refuses_other_dates)
{
  static const char *const bad[] = {"490101000000+", "49010100000:Z", " 90101000000Z"};
  size_t i;
  for(i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct made m = make(rsa_key(), NULL, YEAR);
    struct mote_der_time from;
    struct mote_der_time until;
    CHECK(mote_der_validity(m.der, (size_t)m.len, &from, &until));
    memcpy(search(&m, "\x17\x0d", 2) + 17, bad[i], 13);
    CHECK(!mote_der_validity(m.der, (size_t)m.len, &from, &until));
    OPENSSL_free(m.der);
  }
}

/* Cut anywhere: nothing is read beyond. */
TEST(survives_a_cut)
{
  struct made m = make(rsa_key(), "CA:TRUE", YEAR);
  struct mote_der_key k;
  struct mote_der_time from;
  struct mote_der_time until;
  size_t len;
  for(len = 0; len < (size_t)m.len; len++) {
    uint8_t *copy = malloc(len + !len);
    memcpy(copy, m.der, len);
    (void)mote_der_key(copy, len, &k);
    (void)mote_der_validity(copy, len, &from, &until);
    free(copy);
  }
  CHECK(!mote_der_key(m.der, 20, &k));
  OPENSSL_free(m.der);
}

static bool inside(const uint8_t *p, size_t len, const uint8_t *cert, size_t cert_len)
{
  return !len || (p >= cert && len <= cert_len && (size_t)(p - cert) <= cert_len - len);
}

/* Any octet wrong, and many: what is found still lies inside the certificate. */
static void check_hostile(const struct made *m)
{
  int round;
  for(round = 0; round < 30000; round++) {
    size_t len = (size_t)m->len;
    uint8_t *copy = malloc(len);
    unsigned changes = test_random() % 4 + 1;
    struct mote_der_key k;
    memcpy(copy, m->der, len);
    while(changes--)
      copy[test_random() % len] = (uint8_t)(test_random() % 2 ? test_random() : 0x80 | test_random() % 6);
    if(mote_der_key(copy, len, &k)) {
      CHECK(k.bytes && k.len && inside(k.bytes, k.len, copy, len));
      CHECK(inside(k.exponent, k.exponent_len, copy, len));
      CHECK(k.curve ? !k.exponent : k.exponent && k.exponent_len && *k.bytes && *k.exponent);
    }
    free(copy);
  }
}

TEST(survives_hostile_bytes)
{
  EVP_PKEY *key = EVP_EC_gen("P-384");
  struct made m = make(rsa_key(), "CA:TRUE", YEAR);
  check_hostile(&m);
  OPENSSL_free(m.der);
  m = make(key, "CA:TRUE", YEAR);
  check_hostile(&m);
  OPENSSL_free(m.der);
  EVP_PKEY_free(key);
}

int main(void)
{
  TEST_RUN(reads_an_rsa_key);
  TEST_RUN(reads_points_of_three_curves);
  TEST_RUN(refuses_other_keys);
  TEST_RUN(refuses_keys_for_something_else);
  TEST_RUN(counts_as_the_library);
  TEST_RUN(survives_a_cut);
  TEST_RUN(refuses_other_dates);
  TEST_RUN(survives_hostile_bytes);
  EVP_PKEY_free(rsa_key());
  return test_end();
}
