/* tests/unit/api/test_push.c: the fields of a pushed request by number and by name. Needs h2. */
#include <curl/curl.h>

#include "test.h"
#include "transfer/multi/push.h"

static char method[] = ":method:GET", path[] = ":path:/a:b", empty[] = "x-empty:";
static char first[] = "x-a:1", second[] = "x-a:2";
static char *lines[] = {method, path, empty, first, second};

static struct curl_pushheaders fields = {lines, 5};

TEST(by_number)
{
  CHECK_STR(curl_pushheader_bynum(&fields, 0), ":method:GET");
  CHECK_STR(curl_pushheader_bynum(&fields, 4), "x-a:2");
  CHECK(!curl_pushheader_bynum(&fields, 5));
  CHECK(!curl_pushheader_bynum(NULL, 0));
}

TEST(by_name)
{
  CHECK_STR(curl_pushheader_byname(&fields, ":path"), "/a:b");
  CHECK_STR(curl_pushheader_byname(&fields, "x-empty"), "");
  CHECK_STR(curl_pushheader_byname(&fields, "x-a"), "1");
}

TEST(names_that_are_not_there)
{
  CHECK(!curl_pushheader_byname(&fields, "path"));
  CHECK(!curl_pushheader_byname(&fields, ":pat"));
  CHECK(!curl_pushheader_byname(&fields, ":path:/a"));
  CHECK(!curl_pushheader_byname(&fields, "X-A"));
  CHECK(!curl_pushheader_byname(&fields, ""));
  CHECK(!curl_pushheader_byname(&fields, NULL));
  CHECK(!curl_pushheader_byname(NULL, ":path"));
}

int main(void)
{
  TEST_RUN(by_number);
  TEST_RUN(by_name);
  TEST_RUN(names_that_are_not_there);
  return test_end();
}
