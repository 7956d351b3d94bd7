/* tests/unit/api/test_getenv.c */
#include <curl/curl.h>

#include "test.h"

static void scenario(void)
{
  char *value = curl_getenv("MOTE_TEST_VARIABLE");
  if(!test_mem.failed)
    CHECK_STR(value, "some text");
  else
    CHECK(!value);
  curl_free(value);
}

TEST(set)
{
  CHECK(!setenv("MOTE_TEST_VARIABLE", "some text", 1));
  run_with_failures(scenario);
}

TEST(not_set)
{
  CHECK(!unsetenv("MOTE_TEST_VARIABLE"));
  CHECK(!curl_getenv("MOTE_TEST_VARIABLE"));
  CHECK(!setenv("MOTE_TEST_VARIABLE", "", 1));
  CHECK(!curl_getenv("MOTE_TEST_VARIABLE"));
  CHECK_INT(test_mem.calls, 0);
}

int main(void)
{
  TEST_RUN(set);
  TEST_RUN(not_set);
  return test_end();
}
