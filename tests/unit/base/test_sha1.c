/* SHA-1: the examples of FIPS 180-2 and RFC 3174, a million letters, every cut of the input. */
#include "base/digest.h"
#include "test.h"

static void expect(struct mote_digest_state *s, const char *want)
{
  uint8_t out[MOTE_SHA1_SIZE];
  char text[2 * MOTE_SHA1_SIZE + 1];
  int i;
  mote_digest_end(s, out);
  for(i = 0; i < MOTE_SHA1_SIZE; i++)
    snprintf(text + 2 * i, 3, "%02x", out[i]);
  CHECK_STR(text, want);
}

static void cut(const char *text, const char *want)
{
  size_t len = strlen(text), i;
  for(i = 0; i <= len; i++) {
    struct mote_digest_state s;
    mote_digest_init(&s, &mote_sha1_digest);
    mote_digest_add(&s, text, i);
    mote_digest_add(&s, text + i, len - i);
    expect(&s, want);
  }
}

TEST(vectors)
{
  cut("", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  cut("abc", "a9993e364706816aba3e25717850c26c9cd0d89d");
  cut("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

TEST(a_million)
{
  static char letters[1000];
  struct mote_digest_state s;
  int i;
  memset(letters, 'a', sizeof letters);
  mote_digest_init(&s, &mote_sha1_digest);
  for(i = 0; i < 1000; i++)
    mote_digest_add(&s, letters, sizeof letters);
  expect(&s, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

int main(void)
{
  TEST_RUN(vectors);
  TEST_RUN(a_million);
  return test_end();
}
