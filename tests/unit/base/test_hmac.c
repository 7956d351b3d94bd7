/* HMAC with SHA-256: the test cases of RFC 4231; every cut of the input. */
#include "base/hmac.h"
#include "test.h"

static void expect(const void *key, size_t key_len, const void *bytes, size_t len, const char *want)
{
  uint8_t out[MOTE_SHA256_SIZE], parts[MOTE_SHA256_SIZE];
  char text[2 * MOTE_SHA256_SIZE + 1];
  size_t cut;
  int i;
  mote_hmac(key, key_len, bytes, len, out);
  for(i = 0; i < MOTE_SHA256_SIZE; i++)
    snprintf(text + 2 * i, 3, "%02x", out[i]);
  CHECK_STR(text, want);
  for(cut = 0; cut <= len; cut++) {
    struct mote_hmac h;
    mote_hmac_init(&h, key, key_len);
    mote_hmac_add(&h, bytes, cut);
    mote_hmac_add(&h, (const char *)bytes + cut, len - cut);
    mote_hmac_end(&h, parts);
    CHECK(!memcmp(parts, out, sizeof out));
  }
}

TEST(vectors)
{
  uint8_t key[131], data[50];
  static const char large[] = "Test Using Larger Than Block-Size Key - Hash Key First";
  static const char both[] = "This is a test using a larger than block-size key and a larger than "
                             "block-size data. The key needs to be hashed before being used by the "
                             "HMAC algorithm.";
  size_t i;
  memset(key, 0x0b, 20);
  expect(key, 20, "Hi There", 8, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  expect("Jefe", 4, "what do ya want for nothing?", 28,
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  memset(key, 0xaa, sizeof key);
  memset(data, 0xdd, sizeof data);
  expect(key, 20, data, 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  expect(key, 131, large, strlen(large),
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  expect(key, 131, both, strlen(both),
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
  for(i = 0; i < 25; i++)
    key[i] = (uint8_t)(i + 1);
  memset(data, 0xcd, sizeof data);
  expect(key, 25, data, 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
}

/* The key of a chain of keys is the result of the step before. */
TEST(result_over_the_key)
{
  uint8_t key[MOTE_SHA256_SIZE], want[MOTE_SHA256_SIZE];
  memset(key, 7, sizeof key);
  mote_hmac(key, sizeof key, "x", 1, want);
  mote_hmac(key, sizeof key, "x", 1, key);
  CHECK(!memcmp(key, want, sizeof key));
}

int main(void)
{
  TEST_RUN(vectors);
  TEST_RUN(result_over_the_key);
  return test_end();
}
