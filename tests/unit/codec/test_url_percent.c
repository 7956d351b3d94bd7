/* Unit tests of codec/url/percent.c. Needs !plain_urls. */
#include "base/text.h"
#include "codec/url/percent.h"

#include "test.h"

static void check_decode(const char *in, unsigned flags, const char *want, size_t want_len)
{
  char out[100];
  struct mote_slice same = { out, strlen(in) };
  size_t len = 0;
  size_t cap;
  CHECK_INT(mote_percent_decode(mote_slice_of(in), flags, out, sizeof out, &len), CURLE_OK);
  CHECK_MEM(out, len, want, want_len);
  for(cap = 0; cap < want_len; cap++)
    CHECK_INT(mote_percent_decode(mote_slice_of(in), flags, out, cap, &len), CURLE_TOO_LARGE);
  memcpy(out, in, strlen(in));
  CHECK_INT(mote_percent_decode(same, flags, out, same.len, &len), CURLE_OK);
  CHECK_MEM(out, len, want, want_len); /* in place */
}

TEST(decode)
{
  size_t len = 1;
  char out[10];
  check_decode("", 0, "", 0);
  CHECK_INT(mote_percent_decode((struct mote_slice){NULL, 0}, 0, out, 10, &len), CURLE_OK);
  CHECK_INT(len, 0);
  check_decode("abc", 0, "abc", 3);
  check_decode("%41%4a%4A", 0, "AJJ", 3);
  check_decode("%", 0, "%", 1);
  check_decode("%4", 0, "%4", 2);
  check_decode("%4g%zz", 0, "%4g%zz", 6);
  check_decode("%2541", 0, "%41", 3);
  check_decode("a+b%2b", 0, "a+b+", 4);
  check_decode("a+b%2b", MOTE_PERCENT_PLUS, "a b+", 4);
  check_decode("%00x", 0, "\0x", 2);
  check_decode("%7f%80%ff", MOTE_PERCENT_REJECT_CTRL, "\x7f\x80\xff", 3);
  CHECK_INT(mote_percent_decode(mote_slice_of("a%00"), MOTE_PERCENT_REJECT_NUL, out, 10, &len),
            CURLE_URL_MALFORMAT);
  CHECK_INT(mote_percent_decode(mote_slice_of("a%1f"), MOTE_PERCENT_REJECT_NUL, out, 10, &len), CURLE_OK);
  CHECK_INT(mote_percent_decode(mote_slice_of("a%1f"), MOTE_PERCENT_REJECT_CTRL, out, 10, &len),
            CURLE_URL_MALFORMAT);
}

static void check_encode(const char *in, unsigned flags, const char *keep, const char *want)
{
  char out[100];
  size_t cap;
  CHECK_INT(mote_percent_encode(mote_slice_of(in), flags, keep, out, sizeof out), strlen(want));
  CHECK_MEM(out, strlen(want), want, strlen(want));
  for(cap = 0; cap < strlen(want); cap++) {
    out[cap] = '\x7f';
    CHECK_INT(mote_percent_encode(mote_slice_of(in), flags, keep, out, cap), strlen(want));
    CHECK(out[cap] == '\x7f');
  }
}

TEST(encode)
{
  check_encode("", 0, NULL, "");
  check_encode("aZ09-._~", 0, NULL, "aZ09-._~");
  check_encode("a b/\xc3\xa9?", 0, NULL, "a%20b%2F%C3%A9%3F");
  check_encode("a b/\xc3\xa9?", 0, "/", "a%20b/%C3%A9%3F");
  check_encode("a b+", MOTE_PERCENT_PLUS, NULL, "a+b%2B");
  check_encode("a b\"\x01\x7f\xff%", MOTE_PERCENT_LENIENT, NULL, "a%20b\"%01%7F%FF%");
  check_encode("%af%2e%Zz%a", MOTE_PERCENT_LENIENT, NULL, "%AF%2E%Zz%a");
}

TEST(has_control)
{
  static const struct mote_slice nul = {"a\0b", 3};
  CHECK(!mote_percent_has_control(mote_slice_of(""), true));
  CHECK(!mote_percent_has_control(mote_slice_of(" \x7f\xff%20%7F%"), true));
  CHECK(!mote_percent_has_control(mote_slice_of("a%1f"), false));
  CHECK(mote_percent_has_control(mote_slice_of("a%1f"), true));
  CHECK(mote_percent_has_control(mote_slice_of("%00a"), true));
  CHECK(mote_percent_has_control(mote_slice_of("a\n"), true));
  CHECK(mote_percent_has_control(mote_slice_of("\ta"), false));
  CHECK(mote_percent_has_control(nul, false));
}

int main(void)
{
  TEST_RUN(has_control);
  TEST_RUN(decode);
  TEST_RUN(encode);
  return test_end();
}
