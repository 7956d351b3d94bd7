/* tests/unit/api/test_utility.c: the functions without a handle. curl_strequal() and curl_strnequal() as
 * libcurl 7.88.1 answered when it was watched; how dates are read is tested in base/test_date.c.
 * Needs dates. */
#include <curl/curl.h>
#include <mote/mote.h>

#include "test.h"

TEST(strequal)
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

TEST(strnequal)
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

TEST(getdate)
{
  time_t unused = 5;
  CHECK_INT(curl_getdate("Sun, 06 Nov 1994 08:49:37 GMT", NULL), 784111777);
  CHECK_INT(curl_getdate("06-Nov-94", &unused), 784080000);
  CHECK_INT(curl_getdate("Wed, 31-Dec-1969 23:59:58 GMT", NULL), -2);
  CHECK_INT(curl_getdate("31 Dec 1582", NULL), -1);
  CHECK_INT(curl_getdate("hello", NULL), -1);
  CHECK_INT(curl_getdate("", NULL), -1);
  CHECK_INT(curl_getdate(NULL, NULL), -1);
  CHECK_INT(test_mem.calls, 0);
}

TEST(the_last_second_before_1970_is_a_date)
{
  CHECK_INT(curl_getdate("Wed, 31 Dec 1969 23:59:59 GMT", NULL), 0);
  CHECK_INT(curl_getdate("Thu, 01 Jan 1970 00:59:59 +0100", NULL), 0);
  CHECK_INT(curl_getdate("Thu, 01 Jan 1970 00:00:00 GMT", NULL), 0);
}

TEST(free_takes_null)
{
  curl_free(NULL);
}

TEST(version)
{
  char text[30];
  CHECK_STR(mote_version(), MOTE_VERSION);
  snprintf(text, sizeof text, "%d.%d.%d", MOTE_VERSION_MAJOR, MOTE_VERSION_MINOR, MOTE_VERSION_PATCH);
  CHECK_STR(mote_version(), text);
}

int main(void)
{
  TEST_RUN(strequal);
  TEST_RUN(strnequal);
  TEST_RUN(getdate);
  TEST_RUN(the_last_second_before_1970_is_a_date);
  TEST_RUN(free_takes_null);
  TEST_RUN(version);
  return test_end();
}
