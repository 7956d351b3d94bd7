/* The digests of base/digest/digest.h: the examples of RFC 1321, RFC 3174, FIPS 180-2 and NIST at every cut
 * of the input; every length around the blocks' ends. */
#include "base/digest/digest.h"
#include "test.h"

static void expect(const uint8_t *out, size_t size, const char *want)
{
  char text[MOTE_DIGEST_HEX_MAX + 1];
  text[mote_digest_hex(out, size, text).len] = 0;
  CHECK_STR(text, want);
}

static void digest_of(const struct mote_digest *d, const void *bytes, size_t len, size_t cut, uint8_t *out)
{
  struct mote_digest_state s;
  mote_digest_init(&s, d);
  mote_digest_add(&s, bytes, cut);
  mote_digest_add(&s, (const char *)bytes + cut, len - cut);
  mote_digest_end(&s, out);
}

static void at_every_cut(const struct mote_digest *d, const char *text, const char *want)
{
  uint8_t out[MOTE_DIGEST_HEX_MAX / 2];
  size_t len = strlen(text), cut;
  for(cut = 0; cut <= len; cut++) {
    digest_of(d, text, len, cut, out);
    expect(out, d->size, want);
  }
}

static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

TEST(known_values)
{
  const struct mote_digest *d = &mote_md5_digest;
  at_every_cut(d, "", "d41d8cd98f00b204e9800998ecf8427e");
  at_every_cut(d, "abc", "900150983cd24fb0d6963f7d28e17f72");
  at_every_cut(d, "message digest", "f96b697d7cb7938d525a2f31aaf161d0");
  at_every_cut(d, two, "8215ef0796a20bcaaae116d3876c664a");
  d = &mote_sha1_digest;
  at_every_cut(d, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  at_every_cut(d, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d");
  at_every_cut(d, two, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  d = &mote_sha256_digest;
  at_every_cut(d, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  at_every_cut(d, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  d = &mote_sha512_256_digest;
  at_every_cut(d, "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a");
  at_every_cut(d, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23");
  at_every_cut(d, "message digest", "0cf471fd17ed69d990daf3433c89b16d63dec1bb9cb42a6094604ee5d7b4e9fb");
  at_every_cut(d, two, "bde8e1f9f19bb9fd3406c90ec6bc47bd36d8ada9f11880dbc8a22a7078b6a461");
}

/* The digest of the digests of all lengths, as Python's hashlib has it. */
static void all_lengths(const struct mote_digest *d, const char *want)
{
  uint8_t bytes[300], out[MOTE_DIGEST_HEX_MAX / 2];
  struct mote_digest_state all;
  size_t len;
  mote_digest_init(&all, d);
  for(len = 0; len < sizeof bytes; len++)
    bytes[len] = (uint8_t)(len * 7 + 3);
  for(len = 0; len < sizeof bytes; len++) {
    digest_of(d, bytes, len, len / 3, out);
    mote_digest_add(&all, out, d->size);
  }
  mote_digest_end(&all, out);
  expect(out, d->size, want);
}

TEST(lengths)
{
  all_lengths(&mote_md5_digest, "7822672476780d31feb48545a90bc2ae");
  all_lengths(&mote_sha1_digest, "ca9349a03c700fe25e6c2cde997aa96ac2227d8a");
  all_lengths(&mote_sha256_digest, "7b074096cabb18dd0d1b468a173cb2f97f80e952525bca29542e606fd6d0753a");
  all_lengths(&mote_sha512_256_digest, "3cd8ea2e05ed3ce84c2f35292050bf8a4c3740efc43bac541d42c6ac602e20ae");
}

TEST(a_million)
{
  static char letters[1000];
  uint8_t out[MOTE_SHA1_SIZE];
  struct mote_digest_state s;
  int i;
  memset(letters, 'a', sizeof letters);
  mote_digest_init(&s, &mote_sha1_digest);
  for(i = 0; i < 1000; i++)
    mote_digest_add(&s, letters, sizeof letters);
  mote_digest_end(&s, out);
  expect(out, sizeof out, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

/* As Digest has them, with colons between (RFC 7616 section 3.4). */
TEST(pieces)
{
  const struct mote_slice pieces[] = { mote_slice_of("a"), mote_slice_of(""), mote_slice_of("bc") };
  char hex[MOTE_DIGEST_HEX_MAX];
  struct mote_slice text = mote_digest_pieces_hex(&mote_md5_digest, pieces, 3, hex);
  CHECK_MEM(text.ptr, text.len, "b5fd2ad0009a3f55685c6a6a57d16109", (size_t)32);
  text = mote_digest_pieces_hex(&mote_sha256_digest, pieces, 1, hex);
  CHECK_MEM(text.ptr, text.len, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
            (size_t)64);
}

int main(void)
{
  TEST_RUN(known_values);
  TEST_RUN(lengths);
  TEST_RUN(a_million);
  TEST_RUN(pieces);
  return test_end();
}
