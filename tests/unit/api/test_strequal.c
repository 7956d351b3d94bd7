/* tests/unit/api/test_strequal.c: as libcurl 7.88.1 answered when it was watched. */
#include <curl/curl.h>

#include "test.h"

TEST(whole)
{
  CHECK(curl_strequal("a", "A"));
  CHECK(curl_strequal("", ""));
  CHECK(!curl_strequal("a", ""));
  CHECK(!curl_strequal("ab", "a"));
  CHECK(!curl_strequal("@[`{", "`{@["));
  CHECK(!curl_strequal("\xe9", "\xc9"));
  CHECK(curl_strequal(NULL, NULL));
  CHECK(!curl_strequal("a", NULL));
  CHECK(!curl_strequal(NULL, "a"));
}

TEST(first_bytes)
{
  CHECK(curl_strnequal("abc", "ABd", 2));
  CHECK(!curl_strnequal("abc", "ABd", 3));
  CHECK(curl_strnequal("abc", "ABC", 30));
  CHECK(!curl_strnequal("abc", "ABCD", 30));
  CHECK(curl_strnequal("a", "b", 0));
  CHECK(curl_strnequal(NULL, NULL, 3));
  CHECK(!curl_strnequal(NULL, NULL, 0));
  CHECK(!curl_strnequal("a", NULL, 0));
  CHECK(!curl_strnequal("a", NULL, 3));
}

int main(void)
{
  TEST_RUN(whole);
  TEST_RUN(first_bytes);
  return test_end();
}
