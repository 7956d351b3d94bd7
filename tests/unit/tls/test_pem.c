/* Tests of tls/x509/pem.h. */
#include "test.h"

#include "tls/x509/pem.h"

/* "abc", "defg", "h" */
static const char text[] =
  "some words\n"
  "-----BEGIN CERTIFICATE-----\n"
  "YWJj\n"
  "-----END CERTIFICATE-----\n"
  "-----BEGIN RSA PRIVATE KEY-----\nYWJj\n-----END RSA PRIVATE KEY-----\n"
  "-----BEGIN TRUSTED CERTIFICATE-----\r\n"
  "ZG\r\nVmZw==\r\n"
  "-----END TRUSTED CERTIFICATE-----\r\n"
  "-----BEGIN CERTIFICATE-----\n"
  "!!!!\n"
  "-----END CERTIFICATE-----\n"
  "-----BEGIN X509 CERTIFICATE-----\n"
  "aA==\n"
  "-----END X509 CERTIFICATE-----";

static void check_all(const char *in, size_t len, size_t step)
{
  static const char *const want[] = { "abc", "defg", "h" };
  unsigned char der[16];
  struct mote_pem pem;
  size_t found = 0;
  size_t at = 0;
  mote_pem_init(&pem, NULL, der, sizeof der);
  while(at < len) {
    size_t n = len - at < step ? len - at : step;
    size_t used;
    bool ended = mote_pem_feed(&pem, in + at, n, &used);
    at += used;
    CHECK(pem.pos == at);
    if(!ended)
      continue;
    if(!CHECK(found < 2))
      return;
    CHECK(pem.der_len == strlen(want[found]) && !memcmp(der, want[found], pem.der_len));
    CHECK(pem.trusted == (found == 1));
    CHECK(!memcmp(in + pem.start, "-----BEGIN", 10));
    CHECK(in[pem.pos - 1] == '\n');
    found++;
  }
  CHECK(found == 2);
  CHECK(mote_pem_end(&pem) && pem.der_len == 1 && der[0] == 'h');
}

TEST(finds_blocks_whole_and_in_pieces)
{
  size_t step;
  for(step = 1; step <= sizeof text; step++)
    check_all(text, sizeof text - 1, step);
}

/* The mark is no part of the first block, which may be read again by its offset. */
TEST(skips_a_byte_order_mark)
{
  static const char marked[] = "\xef\xbb\xbf-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n";
  unsigned char der[16];
  struct mote_pem pem;
  size_t step;
  for(step = 1; step < sizeof marked; step++) {
    size_t at = 0;
    size_t used;
    bool ended = false;
    mote_pem_init(&pem, NULL, der, sizeof der);
    while(!ended && at < sizeof marked - 1) {
      size_t left = sizeof marked - 1 - at;
      ended = mote_pem_feed(&pem, marked + at, left < step ? left : step, &used);
      at += used;
    }
    CHECK(ended && pem.start == 3 && pem.der_len == 3 && !memcmp(der, "abc", 3));
  }
}

/* Only as much as fits is decoded, the block still ends where it ends. */
TEST(decodes_a_prefix)
{
  unsigned char der[2];
  struct mote_pem pem;
  size_t used;
  mote_pem_init(&pem, NULL, der, sizeof der);
  CHECK(mote_pem_feed(&pem, text, sizeof text - 1, &used));
  CHECK(pem.der_len == 2 && !memcmp(der, "ab", 2));
  CHECK(!memcmp(text + used, "-----BEGIN RSA", 14));
}

TEST(finds_by_label)
{
  unsigned char der[16];
  struct mote_pem pem;
  size_t used;
  mote_pem_init(&pem, "RSA PRIVATE KEY", der, sizeof der);
  CHECK(mote_pem_feed(&pem, text, sizeof text - 1, &used));
  CHECK(pem.der_len == 3 && !memcmp(der, "abc", 3));
  CHECK(!mote_pem_feed(&pem, text + used, sizeof text - 1 - used, &used));
  CHECK(!mote_pem_end(&pem));
}

TEST(an_unfinished_block_is_none)
{
  static const char cut[] = "-----BEGIN CERTIFICATE-----\nYWJj\n";
  unsigned char der[16];
  struct mote_pem pem;
  size_t used;
  mote_pem_init(&pem, NULL, der, sizeof der);
  CHECK(!mote_pem_feed(&pem, cut, sizeof cut - 1, &used));
  CHECK(!mote_pem_end(&pem));
}

int main(void)
{
  TEST_RUN(finds_blocks_whole_and_in_pieces);
  TEST_RUN(skips_a_byte_order_mark);
  TEST_RUN(decodes_a_prefix);
  TEST_RUN(finds_by_label);
  TEST_RUN(an_unfinished_block_is_none);
  return test_end();
}
