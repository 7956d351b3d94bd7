/* Tests of tls/x509/der.h. links: crypto */
#include "test.h"

#include <openssl/x509.h>

#include "tls/x509/der.h"

/* The DER of a Name with one attribute of this string type; the hash of it. */
static uint32_t hash_of(int type, const char *text, int len)
{
  X509_NAME *name = X509_NAME_new();
  unsigned char *der = NULL;
  uint32_t hash = 0;
  int n;
  X509_NAME_add_entry_by_NID(name, NID_commonName, type, (const unsigned char *)text, len, -1, 0);
  n = i2d_X509_NAME(name, &der);
  CHECK(mote_der_name_hash(der, (size_t)n, &hash));
  OPENSSL_free(der);
  X509_NAME_free(name);
  return hash;
}

TEST(walks_elements)
{
  static const uint8_t bytes[] = { 0x30, 0x05, 0x02, 0x01, 0x07, 0x05, 0x00, 0x04, 0x81, 0x01, 0xff };
  const uint8_t *p = bytes;
  struct mote_der e;
  CHECK(mote_der_next(&p, bytes + sizeof bytes, &e));
  CHECK(e.tag == MOTE_DER_SEQUENCE && e.content_len == 5 && e.whole_len == 7);
  CHECK(mote_der_next(&p, bytes + sizeof bytes, &e));
  CHECK(e.tag == 4 && e.content_len == 1 && e.content[0] == 0xff);
  CHECK(!mote_der_next(&p, bytes + sizeof bytes, &e));
}

TEST(refuses_what_is_cut_off_or_endless)
{
  static const uint8_t bytes[][6] = {
    { 0x30, 0x05, 0x02, 0x01 }, { 0x30, 0x80, 0, 0 }, { 0x30, 0x85, 1, 0, 0, 0 }, { 0x1f, 0x81, 0, 0 },
    { 0x30, 0x84, 0xff, 0xff, 0xff, 0xff }
  };
  size_t i;
  for(i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    const uint8_t *p = bytes[i];
    struct mote_der e;
    CHECK(!mote_der_next(&p, bytes[i] + (i == 0 ? 4 : 6), &e));
    CHECK(p == bytes[i]);
  }
}

TEST(finds_by_a_path)
{
  static const uint8_t bytes[] = {
    0x30, 0x0b, 0xa0, 0x01, 0x55, 0x02, 0x01, 0x07, 0x30, 0x03, 0x02, 0x01, 0x09
  };
  static const uint8_t bits[] = { 0x30, 0x06, 0x03, 0x04, 0x00, 0x02, 0x01, 0x05 };
  static const uint8_t left_over[] = { 0x30, 0x06, 0x03, 0x04, 0x01, 0x02, 0x01, 0x05 };
  static const uint8_t beyond[] = { 0x30, 0x03, 0x02, 0x02, 0x01, 0x07 };
  struct mote_der e;
  CHECK(mote_der_find(bytes, sizeof bytes, "\x02(v", &e) && e.content[0] == 7);
  CHECK(mote_der_find(bytes, sizeof bytes, "\x02(v1(", &e) && e.content[0] == 9);
  CHECK(mote_der_find(bytes, sizeof bytes, "\x02(2(", &e) && e.content[0] == 9);
  CHECK(!mote_der_find(bytes, sizeof bytes, "\x02(v1", &e)); /* another tag */
  CHECK(!mote_der_find(bytes, sizeof bytes, "\x02(v2", &e));
  CHECK(!mote_der_find(bytes, sizeof bytes, "\x02((", &e));
  CHECK(mote_der_find(bits, sizeof bits, "\x02(b", &e) && e.content[0] == 5);
  CHECK(!mote_der_find(left_over, sizeof left_over, "\x02(b", &e));
  CHECK(!mote_der_find(beyond, sizeof beyond, "\x02(", &e));
}

TEST(equal_names_have_equal_hashes)
{
  static const char bmp[] = "\0E\0x\0a\0m\0p\0l\0e\0 \0C\0A";
  uint32_t h = hash_of(V_ASN1_UTF8STRING, "Example CA", -1);
  CHECK(h == hash_of(V_ASN1_PRINTABLESTRING, "EXAMPLE  ca ", -1));
  CHECK(h == hash_of(V_ASN1_T61STRING, "example CA", -1));
  CHECK(h == hash_of(V_ASN1_BMPSTRING, bmp, sizeof bmp - 1));
  CHECK(h != hash_of(V_ASN1_UTF8STRING, "Example CB", -1));
  CHECK(h != hash_of(V_ASN1_UTF8STRING, "Example CA2", -1));
}

/* What X509_NAME_cmp() calls equal must have one hash, whatever the strings. */
TEST(agrees_with_the_library)
{
  static const char letters[] = "abcABC012 .-\xc3\xa9";
  int round;
  for(round = 0; round < 3000; round++) {
    char a[9] = "";
    char b[9] = "";
    X509_NAME *x = X509_NAME_new();
    X509_NAME *y = X509_NAME_new();
    int len = (int)(test_random() % 4) + 1;
    int i;
    for(i = 0; i < len; i++) {
      a[i] = letters[test_random() % 12];
      b[i] = test_random() % 4 ? a[i] : letters[test_random() % 12];
    }
    X509_NAME_add_entry_by_NID(x, NID_commonName, V_ASN1_UTF8STRING, (unsigned char *)a, len, -1, 0);
    X509_NAME_add_entry_by_NID(y, NID_commonName, V_ASN1_PRINTABLESTRING, (unsigned char *)b, len, -1, 0);
    if(!X509_NAME_cmp(x, y))
      CHECK(hash_of(V_ASN1_UTF8STRING, a, len) == hash_of(V_ASN1_PRINTABLESTRING, b, len));
    X509_NAME_free(x);
    X509_NAME_free(y);
  }
}

/* Bytes that are no Name are refused or hashed, never read beyond. */
TEST(survives_any_bytes)
{
  int round;
  for(round = 0; round < 20000; round++) {
    size_t len = test_random() % 40;
    uint8_t *p = malloc(len + !len);
    struct mote_der subject;
    uint32_t hash;
    size_t i;
    for(i = 0; i < len; i++)
      p[i] = test_random() % 3 ? (uint8_t)(test_random() % 64) : (uint8_t)test_random();
    if(len)
      p[0] = 0x30;
    (void)mote_der_name_hash(p, len, &hash);
    (void)mote_der_subject(p, len, &subject);
    (void)mote_der_drop(p, &len, 0x02);
    free(p);
  }
}

TEST(drops_an_element)
{
  uint8_t small[] = { 0x30, 0x08, 0x02, 0x01, 0x07, 0xa3, 0x01, 0x55, 0x05, 0x00 };
  static const uint8_t left[] = { 0x30, 0x05, 0x02, 0x01, 0x07, 0x05, 0x00 };
  size_t len = sizeof small;
  uint8_t *p = mote_der_drop(small, &len, 0xa3);
  CHECK(p && len == sizeof left && !memcmp(p, left, len));
  p = mote_der_drop(p, &len, 0xa3);
  CHECK(p && len == sizeof left && !memcmp(p, left, len));
}

/* A length of two octets becomes one of one. */
TEST(drops_from_a_long_sequence)
{
  uint8_t bytes[300];
  size_t len = 3 + 3 + 140;
  uint8_t *p;
  memset(bytes, 0, sizeof bytes);
  bytes[0] = 0x30;
  bytes[1] = 0x81;
  bytes[2] = 143;
  bytes[3] = 0x02;
  bytes[4] = 0x01;
  bytes[5] = 0x07;
  bytes[6] = 0xa3;
  bytes[7] = 0x81;
  bytes[8] = 137;
  p = mote_der_drop(bytes, &len, 0xa3);
  CHECK(p && len == 5 && !memcmp(p, "\x30\x03\x02\x01\x07", 5));
}

int main(void)
{
  TEST_RUN(walks_elements);
  TEST_RUN(refuses_what_is_cut_off_or_endless);
  TEST_RUN(finds_by_a_path);
  TEST_RUN(equal_names_have_equal_hashes);
  TEST_RUN(agrees_with_the_library);
  TEST_RUN(survives_any_bytes);
  TEST_RUN(drops_an_element);
  TEST_RUN(drops_from_a_long_sequence);
  return test_end();
}
