/* SHA-256: the examples of FIPS 180-2 appendix B and NIST's short messages; every cut of the input. */
#include "base/digest/sha256.h"
#include "test.h"

static void expect(const uint8_t digest[MOTE_SHA256_SIZE], const char *want)
{
  char text[2 * MOTE_SHA256_SIZE + 1];
  int i;
  for(i = 0; i < MOTE_SHA256_SIZE; i++)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
  CHECK_STR(text, want);
}

TEST(vectors)
{
  static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  uint8_t digest[MOTE_SHA256_SIZE];
  struct mote_sha256 s;
  int i;
  mote_sha256("", 0, digest);
  expect(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  mote_sha256("abc", 3, digest);
  expect(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  mote_sha256(two, strlen(two), digest);
  expect(digest, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  mote_sha256_init(&s);
  for(i = 0; i < 100000; i++)
    mote_sha256_add(&s, "aaaaaaaaaa", 10);
  mote_sha256_end(&s, digest);
  expect(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* All lengths around the block's ends, in two and in many pieces, are the same as in one. */
TEST(cuts)
{
  uint8_t bytes[200];
  size_t len;
  size_t cut;
  for(len = 0; len < sizeof bytes; len++)
    bytes[len] = (uint8_t)test_random();
  for(len = 0; len < sizeof bytes; len++) {
    uint8_t whole[MOTE_SHA256_SIZE];
    uint8_t parts[MOTE_SHA256_SIZE];
    struct mote_sha256 s;
    mote_sha256(bytes, len, whole);
    for(cut = 0; cut <= len; cut++) {
      mote_sha256_init(&s);
      mote_sha256_add(&s, bytes, cut);
      mote_sha256_add(&s, bytes + cut, len - cut);
      mote_sha256_end(&s, parts);
      CHECK(!memcmp(whole, parts, sizeof whole));
    }
    mote_sha256_init(&s);
    for(cut = 0; cut < len; cut++)
      mote_sha256_add(&s, bytes + cut, 1);
    mote_sha256_end(&s, parts);
    CHECK(!memcmp(whole, parts, sizeof whole));
  }
}

/* One digest over the digests of all lengths from 0 to 199 of the bytes 0, 1, 2, ...; the digest is another
 * implementation's. */
TEST(all_lengths)
{
  uint8_t bytes[200];
  uint8_t digest[MOTE_SHA256_SIZE];
  struct mote_sha256 all;
  size_t len;
  mote_sha256_init(&all);
  for(len = 0; len < sizeof bytes; len++) {
    bytes[len] = (uint8_t)len;
    mote_sha256(bytes, len, digest);
    mote_sha256_add(&all, digest, sizeof digest);
  }
  mote_sha256_end(&all, digest);
  expect(digest, "ba7b0fcea7d10c06b855b43d2b4dce1e3e842fff6be0acefb0faf4f2dd05bb47");
}

int main(void)
{
  TEST_RUN(vectors);
  TEST_RUN(cuts);
  TEST_RUN(all_lengths);
  return test_end();
}
