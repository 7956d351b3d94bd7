/* tests/unit/base/test_md5.c: MD5: known values; every length around the blocks'
 * ends, in two pieces. */
#include "base/digest.h"

#include "test.h"

static void digest(const void *bytes, size_t len, size_t cut, uint8_t out[MOTE_MD5_SIZE])
{
  struct mote_digest_state s;
  mote_digest_init(&s, &mote_md5_digest);
  mote_digest_add(&s, bytes, cut);
  mote_digest_add(&s, (const char *)bytes + cut, len - cut);
  mote_digest_end(&s, out);
}

static void is_hex(const uint8_t *out, const char *want)
{
  char text[2 * MOTE_MD5_SIZE + 1];
  int i;
  for(i = 0; i < MOTE_MD5_SIZE; i++)
    snprintf(text + 2 * i, 3, "%02x", out[i]);
  CHECK_STR(text, want);
}

static void expect(const char *text, const char *want)
{
  uint8_t out[MOTE_MD5_SIZE];
  digest(text, strlen(text), 0, out);
  is_hex(out, want);
}

TEST(known_values)
{
  expect("", "d41d8cd98f00b204e9800998ecf8427e");
  expect("abc", "900150983cd24fb0d6963f7d28e17f72");
  expect("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
  expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "8215ef0796a20bcaaae116d3876c664a");
}

/* The digest of the digests of all lengths, as Python's hashlib has it. */
TEST(lengths)
{
  uint8_t bytes[300], out[MOTE_MD5_SIZE];
  struct mote_digest_state all;
  size_t len;
  mote_digest_init(&all, &mote_md5_digest);
  for(len = 0; len < sizeof bytes; len++)
    bytes[len] = (uint8_t)(len * 7 + 3);
  for(len = 0; len < sizeof bytes; len++) {
    digest(bytes, len, len / 3, out);
    mote_digest_add(&all, out, sizeof out);
  }
  mote_digest_end(&all, out);
  is_hex(out, "7822672476780d31feb48545a90bc2ae");
}

int main(void)
{
  TEST_RUN(known_values);
  TEST_RUN(lengths);
  return test_end();
}
