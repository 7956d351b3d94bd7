/* tests/unit/http/test_text_files.c: what the names of files take. What is in them: test_cookies.py,
 * test_hsts.py and test_altsvc.py of tests/e2e. Needs cookie_files, hsts, altsvc. */
#include <curl/curl.h>

#include "test.h"

/* A program sets its options again for each request. */
TEST(a_file_named_again_takes_nothing_more)
{
  static const CURLoption options[] = {CURLOPT_COOKIEFILE, CURLOPT_HSTS, CURLOPT_ALTSVC};
  CURL *curl = curl_easy_init();
  size_t bytes, i;
  if(!CHECK(curl))
    return;
  for(i = 0; i < sizeof options / sizeof options[0]; i++) {
    CHECK_INT(curl_easy_setopt(curl, options[i], "/nonexistent"), CURLE_OK);
    CHECK_INT(curl_easy_setopt(curl, options[i], "/nonexistent/other"), CURLE_OK);
    bytes = test_mem.bytes;
    CHECK_INT(curl_easy_setopt(curl, options[i], "/nonexistent"), CURLE_OK);
    CHECK_INT(curl_easy_setopt(curl, options[i], "/nonexistent/other"), CURLE_OK);
    CHECK_INT(test_mem.bytes, bytes);
  }
  curl_easy_cleanup(curl);
}

int main(void)
{
  TEST_RUN(a_file_named_again_takes_nothing_more);
  return test_end();
}
