/* tests/unit/api/test_getdate.c: the public function; how dates are read is tested in base/test_date.c. */
#include <curl/curl.h>

#include "test.h"

TEST(dates)
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

int main(void)
{
  TEST_RUN(dates);
  return test_end();
}
