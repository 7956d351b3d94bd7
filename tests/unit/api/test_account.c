/* tests/unit/api/test_account.c: the accounts of handles and their ceilings (<mote/mote.h>). */
#include <mote/mote.h>

#include "test.h"

TEST(an_easy_handle_pays_for_itself)
{
  CURL *curl = curl_easy_init();
  struct mote_account_info info, more;
  if(!CHECK(curl))
    return;
  CHECK(!mote_easy_account(curl, &info));
  CHECK_INT(info.live, test_mem.bytes);
  CHECK_INT(info.calls, test_mem.calls);
  CHECK_INT(info.limit, 0);
  CHECK_INT(info.refused, 0);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://example.com/"));
  CHECK(!mote_easy_account(curl, &more));
  CHECK_INT(more.live - info.live, strlen("http://example.com/") + 1);
  CHECK_INT(more.peak, more.live);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, NULL));
  CHECK(!mote_easy_account(curl, &info));
  CHECK_INT(info.live + strlen("http://example.com/") + 1, more.live);
  CHECK_INT(info.peak, more.peak);
  curl_easy_cleanup(curl);
}

TEST(a_ceiling_refuses)
{
  CURL *curl = curl_easy_init();
  struct mote_account_info info;
  if(!CHECK(curl))
    return;
  CHECK(!mote_easy_account(curl, &info));
  CHECK(!mote_easy_limit(curl, info.live + 10));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_URL, "http://example.com/"), CURLE_OUT_OF_MEMORY);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://a"));
  CHECK(!mote_easy_account(curl, &info));
  CHECK_INT(info.refused, 1);
  CHECK(info.live <= info.limit);
  CHECK(!mote_easy_limit(curl, 1)); /* below what is held */
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_REFERER, "a"), CURLE_OUT_OF_MEMORY);
  CHECK(!mote_easy_limit(curl, 0));
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://example.com/"));
  curl_easy_cleanup(curl);
}

TEST(a_multi_handle_pays_for_itself)
{
  CURLM *multi = curl_multi_init();
  struct mote_account_info info;
  if(!CHECK(multi))
    return;
  CHECK(!mote_multi_account(multi, &info));
  CHECK_INT(info.live, test_mem.bytes);
  CHECK(!mote_multi_limit(multi, info.live));
  CHECK(!mote_multi_account(multi, &info));
  CHECK_INT(info.limit, info.live);
  CHECK(!curl_multi_cleanup(multi));
}

TEST(no_handle)
{
  struct mote_account_info info;
  CURL *curl = curl_easy_init();
  CURLM *multi = curl_multi_init();
  if(!CHECK(curl && multi))
    return;
  CHECK_INT(mote_easy_account(NULL, &info), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_account((CURL *)multi, &info), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_account(curl, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_limit(NULL, 1), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_multi_account(NULL, &info), CURLM_BAD_HANDLE);
  CHECK_INT(mote_multi_account((CURLM *)curl, &info), CURLM_BAD_HANDLE);
  CHECK_INT(mote_multi_account(multi, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_multi_limit(NULL, 1), CURLM_BAD_HANDLE);
  curl_easy_cleanup(curl);
  CHECK(!curl_multi_cleanup(multi));
}

int main(void)
{
  TEST_RUN(an_easy_handle_pays_for_itself);
  TEST_RUN(a_ceiling_refuses);
  TEST_RUN(a_multi_handle_pays_for_itself);
  TEST_RUN(no_handle);
  return test_end();
}
