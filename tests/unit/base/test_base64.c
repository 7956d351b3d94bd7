/* Base 64: the vectors of RFC 4648 section 10, digits, all one- and two-byte inputs, and what is refused. */
#include "base/digest/base64.h"
#include "test.h"

TEST(vectors)
{
  static const char *const rows[][2] = {
    { "", "" },           { "f", "Zg==" },         { "fo", "Zm8=" },         { "foo", "Zm9v" },
    { "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" },
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[20];
    char back[20];
    size_t len = 99;
    CHECK_INT(mote_base64_encode(text, rows[i][0], strlen(rows[i][0])), strlen(rows[i][1]));
    CHECK_STR(text, rows[i][1]);
    CHECK(mote_base64_decode(mote_slice_of(text), back, &len));
    CHECK_MEM(back, len, rows[i][0], strlen(rows[i][0]));
  }
}

TEST(the_last_digits)
{
  char text[MOTE_BASE64_SIZE(4)];
  mote_base64_encode(text, "\xfb\xff\xfe\xff", 4);
  CHECK_STR(text, "+//+/w==");
}

/* Each of the 256 characters. */
TEST(digits)
{
  static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int c;
  for(c = 0; c < 256; c++) {
    const char *at = c ? strchr(all, c) : NULL;
    CHECK_INT(mote_base64_digit((char)c), at ? at - all : -1);
  }
}

TEST(random_round_trip)
{
  int i;
  for(i = 0; i < 3000; i++) {
    size_t n = test_random() % 100;
    size_t room = MOTE_BASE64_SIZE(n);
    unsigned char bytes[100];
    char *text = malloc(room);
    size_t len = 0;
    size_t k;
    if(!CHECK(text))
      return;
    for(k = 0; k < n; k++)
      bytes[k] = (unsigned char)test_random();
    CHECK_INT(mote_base64_encode(text, bytes, n), room - 1);
    CHECK_INT(strlen(text), room - 1);
    CHECK(MOTE_BASE64_BYTES(room - 1) >= n);
    CHECK(mote_base64_decode(mote_slice_of(text), text, &len)); /* in place */
    CHECK_MEM(text, len, bytes, n);
    free(text);
  }
}

TEST(refuses)
{
  static const char *const rows[] = {
    "Z",     "Zg",    "Zg=",   "Zg===", "=",    "====",  "Z===",     "=g==",  "Zg=a",
    "Zh==",  "Zm9=",  "Zm9v\n", "Zm 9", "Zm-_", "Zg==Zg==", "Zm8=Zm9v", "Zm9v====",
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    char out[20];
    size_t len = 99;
    if(mote_base64_decode(mote_slice_of(rows[i]), out, &len) || len != 99)
      test_check(false, rows[i], __FILE__, __LINE__);
  }
  {
    char out[4];
    size_t len = 99;
    CHECK(!mote_base64_decode((struct mote_slice){ "Zm\0v", 4 }, out, &len));
    CHECK(!mote_base64_decode((struct mote_slice){ "Zm\xff" "v", 4 }, out, &len));
  }
}

/* Whatever is accepted is what encoding gives back. */
TEST(canonical)
{
  static const char letters[] = "AQgw4+/=\n-";
  int i;
  for(i = 0; i < 200000; i++) {
    char text[9] = { 0 };
    char out[9];
    char again[20];
    size_t len;
    size_t k;
    for(k = 0; k < 4 + 4 * (test_random() % 2); k++)
      text[k] = letters[test_random() % (sizeof letters - 1)];
    if(!mote_base64_decode(mote_slice_of(text), out, &len))
      continue;
    mote_base64_encode(again, out, len);
    CHECK_STR(again, text);
  }
}

int main(void)
{
  TEST_RUN(vectors);
  TEST_RUN(the_last_digits);
  TEST_RUN(digits);
  TEST_RUN(random_round_trip);
  TEST_RUN(refuses);
  TEST_RUN(canonical);
  return test_end();
}
