/* tests/unit/api/test_escape.c: as libcurl 7.88.1 answered when it was watched. */
#include <curl/curl.h>

#include "test.h"

static void escapes(const char *in, int length, const char *expected)
{
  char *out = curl_easy_escape(NULL, in, length);
  CHECK_STR(out, expected);
  CHECK_INT(test_mem.calls, expected ? 1 : 0);
  curl_free(out);
  test_mem.calls = 0;
  out = curl_escape(in, length);
  CHECK_STR(out, expected);
  curl_free(out);
  test_mem.calls = 0;
}

static void unescapes(const char *in, int length, const char *expected, int expected_length)
{
  int len = -7;
  char *out = curl_easy_unescape(NULL, in, length, &len);
  CHECK_INT(len, expected_length);
  if(expected)
    CHECK(out && !memcmp(out, expected, (size_t)expected_length + 1));
  else
    CHECK(!out);
  curl_free(out);
  out = curl_easy_unescape(NULL, in, length, NULL);
  CHECK(!out == !expected);
  curl_free(out);
  out = curl_unescape(in, length);
  CHECK(!out == !expected);
  curl_free(out);
}

TEST(escape)
{
  escapes("a b/~-._", 0, "a%20b%2F~-._");
  escapes("", 0, "");
  escapes("abc", 2, "ab");
  escapes("a\0b", 3, "a%00b");
  escapes("abc", -1, NULL);
  escapes(NULL, 0, NULL);
  escapes("\xff\x80\n", 0, "%FF%80%0A");
  escapes("+%", 0, "%2B%25");
}

/* Three times as many bytes are more than 32 bits count. What is refused is not read. */
TEST(escape_refuses_what_is_too_long)
{
  CHECK(!curl_easy_escape(NULL, "x", 1431655766));
}

TEST(unescape)
{
  unescapes("a%20b", 0, "a b", 3);
  unescapes("%", 0, "%", 1);
  unescapes("%4", 0, "%4", 2);
  unescapes("%zz%41", 0, "%zzA", 4);
  unescapes("%00a", 0, "\0a", 2);
  unescapes("abc%41", 4, "abc%", 4);
  unescapes("abc%41", 5, "abc%4", 5);
  unescapes("%4%41", 0, "%4A", 3);
  unescapes("a+b", 0, "a+b", 3);
  unescapes("%c3%A9", 0, "\xc3\xa9", 2);
  unescapes("", 0, "", 0);
  unescapes("abc", -1, NULL, -7);
  unescapes(NULL, 0, NULL, -7);
}

TEST(every_byte)
{
  char in[256];
  int i, len;
  char *out, *back;
  for(i = 0; i < 256; i++)
    in[i] = (char)i;
  out = curl_easy_escape(NULL, in, 256);
  if(!CHECK(out))
    return;
  CHECK_INT(strlen(out), 66 + 190 * 3);
  back = curl_easy_unescape(NULL, out, 0, &len);
  CHECK_INT(len, 256);
  CHECK(back && !memcmp(back, in, 256));
  curl_free(out);
  curl_free(back);
}

static void scenario(void)
{
  char *a = curl_easy_escape(NULL, "a b", 0);
  char *b = curl_easy_unescape(NULL, "a%20b", 0, NULL);
  CHECK((a && b) || test_mem.failed);
  curl_free(a);
  curl_free(b);
}

TEST(out_of_memory)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(escape);
  TEST_RUN(escape_refuses_what_is_too_long);
  TEST_RUN(unescape);
  TEST_RUN(every_byte);
  TEST_RUN(out_of_memory);
  return test_end();
}
