/* tests/unit/api/test_strerror.c: every code has a text, and only codes have one. Needs texts. */
#include <curl/curl.h>

#include "test.h"

#define UNKNOWN "Unknown error"

static bool is_obsolete(int code)
{
  static const int obsolete[] = { 20, 24, 29, 32, 34, 40, 41, 44, 46, 50, 51, 57, 62, 75, 76 };
  size_t i;
  for(i = 0; i < sizeof obsolete / sizeof obsolete[0]; i++)
    if(obsolete[i] == code)
      return true;
  return false;
}

TEST(easy)
{
  int i;
  for(i = -3; i < CURL_LAST + 10; i++) {
    const char *s = curl_easy_strerror((CURLcode)i);
    bool known = i >= 0 && i < CURL_LAST && !is_obsolete(i);
    CHECK(s && *s);
    if(!CHECK((strcmp(s, UNKNOWN) != 0) == known))
      fprintf(stderr, "  code %d\n", i);
  }
  CHECK_STR(curl_easy_strerror(CURLE_OK), "No error");
  CHECK_STR(curl_easy_strerror(CURLE_OUT_OF_MEMORY), "Out of memory");
  CHECK_STR(curl_easy_strerror((CURLcode)99999), UNKNOWN);
}

TEST(multi)
{
  int i;
  for(i = -3; i < CURLM_LAST + 10; i++)
    CHECK((strcmp(curl_multi_strerror((CURLMcode)i), UNKNOWN) != 0) == (i >= -1 && i < CURLM_LAST));
  CHECK_STR(curl_multi_strerror(CURLM_OK), "No error");
}

TEST(share)
{
  int i;
  for(i = -3; i < CURLSHE_LAST + 10; i++)
    CHECK((strcmp(curl_share_strerror((CURLSHcode)i), UNKNOWN) != 0) == (i >= 0 && i < CURLSHE_LAST));
}

TEST(url)
{
  int i;
  for(i = -3; i < CURLUE_LAST + 10; i++)
    CHECK((strcmp(curl_url_strerror((CURLUcode)i), UNKNOWN) != 0) == (i >= 0 && i < CURLUE_LAST));
}

TEST(texts_differ)
{
  int i, j;
  for(i = 0; i < CURL_LAST; i++)
    for(j = 0; j < i; j++)
      if(!is_obsolete(i) && !is_obsolete(j) &&
         !CHECK(strcmp(curl_easy_strerror((CURLcode)i), curl_easy_strerror((CURLcode)j)) != 0))
        fprintf(stderr, "  codes %d and %d\n", i, j);
}

int main(void)
{
  TEST_RUN(easy);
  TEST_RUN(multi);
  TEST_RUN(share);
  TEST_RUN(url);
  TEST_RUN(texts_differ);
  return test_end();
}
