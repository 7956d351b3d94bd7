/* tests/unit/base/test_sha512.c: SHA-512/256: known values; every length around the blocks'
 * ends, in two pieces. */
#include "base/digest.h"

#include "test.h"

static void digest(const void *bytes, size_t len, size_t cut, uint8_t out[MOTE_SHA512_256_SIZE])
{
  struct mote_digest_state s;
  mote_digest_init(&s, &mote_sha512_256_digest);
  mote_digest_add(&s, bytes, cut);
  mote_digest_add(&s, (const char *)bytes + cut, len - cut);
  mote_digest_end(&s, out);
}

static void is_hex(const uint8_t *out, const char *want)
{
  char text[2 * MOTE_SHA512_256_SIZE + 1];
  int i;
  for(i = 0; i < MOTE_SHA512_256_SIZE; i++)
    snprintf(text + 2 * i, 3, "%02x", out[i]);
  CHECK_STR(text, want);
}

static void expect(const char *text, const char *want)
{
  uint8_t out[MOTE_SHA512_256_SIZE];
  digest(text, strlen(text), 0, out);
  is_hex(out, want);
}

TEST(known_values)
{
  expect("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a");
  expect("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23");
  expect("message digest", "0cf471fd17ed69d990daf3433c89b16d63dec1bb9cb42a6094604ee5d7b4e9fb");
  expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "bde8e1f9f19bb9fd3406c90ec6bc47bd36d8ada9f11880dbc8a22a7078b6a461");
}

/* The digest of the digests of all lengths, as Python's hashlib has it. */
TEST(lengths)
{
  uint8_t bytes[300], out[MOTE_SHA512_256_SIZE];
  struct mote_digest_state all;
  size_t len;
  mote_digest_init(&all, &mote_sha512_256_digest);
  for(len = 0; len < sizeof bytes; len++)
    bytes[len] = (uint8_t)(len * 7 + 3);
  for(len = 0; len < sizeof bytes; len++) {
    digest(bytes, len, len / 3, out);
    mote_digest_add(&all, out, sizeof out);
  }
  mote_digest_end(&all, out);
  is_hex(out, "3cd8ea2e05ed3ce84c2f35292050bf8a4c3740efc43bac541d42c6ac602e20ae");
}

int main(void)
{
  TEST_RUN(known_values);
  TEST_RUN(lengths);
  return test_end();
}
