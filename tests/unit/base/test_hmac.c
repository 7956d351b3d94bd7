/* HMAC with SHA-256, SHA-1 and MD5: test cases of RFC 4231 and RFC 2202; every cut of the input. PBKDF2:
 * those of RFC 6070 and RFC 7914 section 11.
 *
 * needs: src/base/digest/sha1.c src/base/digest/md5.c */
#include "base/digest/hmac.h"
#include "test.h"

static void expect_hex(const uint8_t *bytes, size_t len, const char *want)
{
  char text[2 * MOTE_HMAC_SIZE + 1];
  size_t i;
  for(i = 0; i < len; i++)
    snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  CHECK_STR(text, want);
}

static void expect(const void *key, size_t key_len, const void *bytes, size_t len, const char *want)
{
  uint8_t out[MOTE_SHA256_SIZE], parts[MOTE_SHA256_SIZE];
  size_t cut;
  mote_hmac(&mote_sha256_digest, (struct mote_slice){key, key_len}, (struct mote_slice){bytes, len}, out);
  expect_hex(out, sizeof out, want);
  for(cut = 0; cut <= len; cut++) {
    struct mote_hmac h;
    mote_hmac_init(&h, &mote_sha256_digest, key, key_len);
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
  const struct mote_slice by = {(const char *)key, sizeof key};
  memset(key, 7, sizeof key);
  mote_hmac(&mote_sha256_digest, by, mote_slice_of("x"), want);
  mote_hmac(&mote_sha256_digest, by, mote_slice_of("x"), key);
  CHECK(!memcmp(key, want, sizeof key));
}

static void with(const struct mote_digest *digest, const char *key, const char *text, const char *want)
{
  uint8_t out[MOTE_HMAC_SIZE];
  mote_hmac(digest, mote_slice_of(key), mote_slice_of(text), out);
  expect_hex(out, digest->size, want);
}

TEST(other_digests)
{
  char eighty[81] = "";
  static const char first[] = "Test Using Larger Than Block-Size Key - Hash Key First";
  memset(eighty, 0xaa, 80);
  with(&mote_sha1_digest, "Jefe", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
  with(&mote_sha1_digest, eighty, first, "aa4ae5e15272d00e95705637ce8a3b55ed402112");
  with(&mote_md5_digest, "Jefe", "what do ya want for nothing?", "750c783e6ab0b503eaa86e310a5db738");
  with(&mote_md5_digest, eighty, first, "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd");
}

static void derived(const struct mote_digest *digest, const char *key, const char *salt, size_t salt_len,
                    uint32_t rounds, const char *want)
{
  uint8_t out[MOTE_HMAC_SIZE];
  mote_hmac_pbkdf2(digest, mote_slice_of(key), (struct mote_slice){salt, salt_len}, rounds, out);
  expect_hex(out, digest->size, want);
}

TEST(pbkdf2)
{
  derived(&mote_sha1_digest, "password", "salt", 4, 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6");
  derived(&mote_sha1_digest, "password", "salt", 4, 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957");
  derived(&mote_sha1_digest, "password", "salt", 4, 4096, "4b007901b765489abead49d926f721d065a429c1");
  derived(&mote_sha256_digest, "passwd", "salt", 4, 1,
          "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc");
  derived(&mote_sha256_digest, "Password", "NaCl", 4, 80000,
          "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56");
}

int main(void)
{
  TEST_RUN(vectors);
  TEST_RUN(result_over_the_key);
  TEST_RUN(other_digests);
  TEST_RUN(pbkdf2);
  return test_end();
}
