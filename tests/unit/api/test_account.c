/* tests/unit/api/test_account.c: the accounts of handles, their parts and ceilings (<mote/mote.h>).
 * Needs accounts. */
#include <mote/mote.h>

#include "test.h"

/* The block of a copied string begins with its size. */
#define URL_BLOCK (sizeof(uint32_t) + sizeof "http://example.com/")

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
  CHECK_INT(more.live - info.live, URL_BLOCK);
  CHECK_INT(more.peak, more.live);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, NULL));
  CHECK(!mote_easy_account(curl, &info));
  CHECK_INT(info.live + URL_BLOCK, more.live);
  CHECK_INT(info.peak, more.peak);
  curl_easy_cleanup(curl);
}

TEST(a_ceiling_refuses)
{
  CURL *curl = curl_easy_init();
  struct mote_account_info info;
  if(!CHECK(curl))
    return;
  CHECK(!mote_easy_limit(curl, 100000));
  CHECK(!mote_easy_account(curl, &info));
  CHECK(!mote_easy_limit(curl, info.live + sizeof(uint32_t) + 10));
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
  CHECK(!mote_multi_limit(multi, 0));
  CHECK_INT(info.live, test_mem.bytes);
  CHECK(!mote_multi_limit(multi, 100000)); /* takes a block, and pays for it */
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

/* Of either kind of handle: is it so that the parts add up? */
static void check_sum(CURL *curl, CURLM *multi)
{
  struct mote_account_info whole;
  struct mote_part_info part;
  size_t live = 0, calls = 0;
  int i;
  CHECK(curl ? !mote_easy_account(curl, &whole) : !mote_multi_account(multi, &whole));
  for(i = 0; mote_part_info(i, NULL, NULL); i++) {
    CHECK(curl ? !mote_easy_account_part(curl, i, &part) : !mote_multi_account_part(multi, i, &part));
    CHECK(part.live <= part.peak && part.peak <= whole.peak);
    live += part.live;
    calls += part.calls;
  }
  CHECK_INT(live, whole.live);
  CHECK_INT(calls, whole.calls);
}

TEST(a_handle_counts_its_parts)
{
  struct mote_part_info part;
  CURL *curl;
  CHECK(!mote_account_detail(1));
  curl = curl_easy_init();
  CHECK(!mote_account_detail(0));
  if(!CHECK(curl))
    return;
  check_sum(curl, NULL);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://example.com/"));
  CHECK(!mote_easy_account_part(curl, MOTE_PART_STRING, &part));
  CHECK_INT(part.live, URL_BLOCK);
  CHECK_INT(part.calls, 1);
  check_sum(curl, NULL);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, NULL));
  CHECK(!mote_easy_account_part(curl, MOTE_PART_STRING, &part));
  CHECK_INT(part.live, 0);
  CHECK_INT(part.peak, URL_BLOCK);
  CHECK(!mote_easy_limit(curl, 1)); /* and it may have a ceiling */
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_URL, "http://example.com/"), CURLE_OUT_OF_MEMORY);
  CHECK(!mote_easy_limit(curl, 0));
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://127.0.0.1:1/"));
  CHECK_INT(curl_easy_perform(curl), CURLE_COULDNT_CONNECT);
  check_sum(curl, NULL);
  curl_easy_cleanup(curl);
}

TEST(a_multi_counts_its_parts)
{
  CURLM *multi;
  CURL *curl;
  int running = 1;
  CHECK(!mote_account_detail(1));
  multi = curl_multi_init();
  CHECK(!mote_account_detail(0));
  curl = curl_easy_init(); /* without */
  if(!CHECK(multi && curl))
    return;
  check_sum(NULL, multi);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://127.0.0.1:1/"));
  CHECK(!curl_multi_add_handle(multi, curl));
  while(running && CHECK(!curl_multi_perform(multi, &running)))
    check_sum(NULL, multi);
  CHECK(!curl_multi_remove_handle(multi, curl));
  check_sum(NULL, multi);
  curl_easy_cleanup(curl);
  CHECK(!curl_multi_cleanup(multi));
}

TEST(no_parts)
{
  struct mote_part_info info;
  CURL *curl = curl_easy_init();
  CURLM *multi = curl_multi_init();
  if(!CHECK(curl && multi))
    return;
  CHECK_INT(mote_easy_account_part(NULL, 0, &info), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_account_part(curl, -1, &info), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_account_part(curl, MOTE_PART_LAST, &info), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_account_part(curl, 0, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_easy_account_part(curl, 0, &info), CURLE_FAILED_INIT);
  CHECK_INT(mote_multi_account_part(NULL, 0, &info), CURLM_BAD_HANDLE);
  CHECK_INT(mote_multi_account_part(multi, -1, &info), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_multi_account_part(multi, MOTE_PART_LAST, &info), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_multi_account_part(multi, 0, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_multi_account_part(multi, 0, &info), CURLM_UNKNOWN_OPTION);
  CHECK(!mote_easy_limit(curl, 100000)); /* a ceiling alone brings no parts */
  CHECK_INT(mote_easy_account_part(curl, 0, &info), CURLE_FAILED_INIT);
  curl_easy_cleanup(curl);
  CHECK(!curl_multi_cleanup(multi));
}

static void both_handles(void)
{
  CURL *curl = curl_easy_init();
  CURLM *multi = curl_multi_init();
  struct mote_account_info info;
  CURLcode rc = curl ? mote_easy_limit(curl, 100000) : CURLE_OUT_OF_MEMORY;
  CURLMcode mrc = multi ? mote_multi_limit(multi, 100000) : CURLM_OUT_OF_MEMORY;
  CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  CHECK(!mrc || (mrc == CURLM_OUT_OF_MEMORY && test_mem.failed));
  if(curl && CHECK(!mote_easy_account(curl, &info)))
    CHECK_INT(info.limit, rc ? 0 : 100000);
  curl_easy_cleanup(curl);
  CHECK(!multi || !curl_multi_cleanup(multi));
}

TEST(details_may_fail)
{
  run_with_failures(both_handles);
  CHECK(!mote_account_detail(1));
  run_with_failures(both_handles);
  CHECK(!mote_account_detail(0));
}

TEST(parts)
{
  const char *name;
  struct mote_part_info info;
  int i, j;
  for(i = 0; mote_part_info(i, &name, &info); i++) {
    CHECK(*name && strspn(name, "abcdefghijklmnopqrstuvwxyz") == strlen(name));
    CHECK(info.live <= info.peak);
    CHECK(mote_part_info(i, NULL, NULL) == 1);
    for(j = 0; j < i; j++) {
      const char *other;
      CHECK(mote_part_info(j, &other, NULL) && strcmp(name, other) != 0);
    }
  }
  CHECK_INT(i, MOTE_PART_LAST);
  name = "kept";
  CHECK(!mote_part_info(-1, &name, &info));
  CHECK(!mote_part_info(MOTE_PART_LAST, &name, &info));
  CHECK_STR(name, "kept");
}

TEST(parts_count)
{
  struct mote_account a = { 0 };
  struct mote_part_info before, now;
  const char *name;
  void *p;
  CHECK(mote_part_info(MOTE_PART_URL, &name, &before));
  CHECK_STR(name, "url");
  p = mote_mem_alloc(&a, MOTE_PART_URL, 100);
  CHECK(mote_part_info(MOTE_PART_URL, NULL, &now));
  CHECK_INT(now.live, before.live + 100);
  CHECK_INT(now.calls, before.calls + 1);
  CHECK(now.peak >= now.live);
  mote_mem_free(&a, MOTE_PART_URL, p, 100);
  CHECK(mote_part_info(MOTE_PART_URL, NULL, &now));
  CHECK_INT(now.live, before.live);
}

int main(void)
{
  TEST_RUN(an_easy_handle_pays_for_itself);
  TEST_RUN(a_ceiling_refuses);
  TEST_RUN(a_multi_handle_pays_for_itself);
  TEST_RUN(no_handle);
  TEST_RUN(a_handle_counts_its_parts);
  TEST_RUN(a_multi_counts_its_parts);
  TEST_RUN(no_parts);
  TEST_RUN(details_may_fail);
  TEST_RUN(parts);
  TEST_RUN(parts_count);
  return test_end();
}
