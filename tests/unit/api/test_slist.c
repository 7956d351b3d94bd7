/* tests/unit/api/test_slist.c */
#include <curl/curl.h>

#include "test.h"

TEST(appends_in_order)
{
  char text[] = "b";
  struct curl_slist *list = curl_slist_append(NULL, "a");
  CHECK(curl_slist_append(list, text) == list);
  text[0] = 'x'; /* copied */
  CHECK(curl_slist_append(list, "") == list);
  if(CHECK(list && list->next && list->next->next && !list->next->next->next)) {
    CHECK_STR(list->data, "a");
    CHECK_STR(list->next->data, "b");
    CHECK_STR(list->next->next->data, "");
  }
  CHECK_INT(test_mem.calls, 6); /* a node and its string each */
  curl_slist_free_all(list);
}

TEST(null)
{
  struct curl_slist *list = curl_slist_append(NULL, "a");
  CHECK(!curl_slist_append(NULL, NULL));
  CHECK(!curl_slist_append(list, NULL));
  CHECK(list && !list->next);
  curl_slist_free_all(list);
  curl_slist_free_all(NULL);
}

/* The application may free a string, put another one into the node, or none. */
TEST(strings_of_the_application)
{
  struct curl_slist *list = curl_slist_append(NULL, "a");
  curl_free(list->data);
  list->data = mote_mem_public_strndup("mine", 4);
  list = curl_slist_append(list, "b");
  curl_free(list->next->data);
  list->next->data = NULL;
  curl_slist_free_all(list);
}

static void scenario(void)
{
  static const char *const words[] = { "one", "two", "three" };
  struct curl_slist *list = NULL;
  unsigned i, length = 0;
  for(i = 0; i < 3; i++) {
    struct curl_slist *longer = curl_slist_append(list, words[i]);
    CHECK(longer || test_mem.failed);
    if(longer) {
      list = longer;
      length++;
    }
  }
  for(i = 0; i < length; i++) {
    struct curl_slist *node = list;
    list = list->next;
    CHECK(strlen(node->data) >= 3);
    node->next = NULL;
    curl_slist_free_all(node);
  }
  CHECK(!list);
}

TEST(out_of_memory)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(appends_in_order);
  TEST_RUN(null);
  TEST_RUN(strings_of_the_application);
  TEST_RUN(out_of_memory);
  return test_end();
}
