/* tests/unit/api/test_absent.c: what is not built in reports so (WebSocket, push); trace is accepted. */
#include <curl/curl.h>

#include "test.h"

TEST(websockets)
{
  size_t n = 5;
  const struct curl_ws_frame *meta = NULL;
  char byte = 'a';
  CHECK_INT(curl_ws_recv(NULL, &byte, 1, &n, &meta), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_ws_send(NULL, &byte, 1, &n, 0, CURLWS_TEXT), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_ws_start_frame(NULL, CURLWS_TEXT, 1), CURLE_NOT_BUILT_IN);
  CHECK(!curl_ws_meta(NULL));
}

TEST(push)
{
  CHECK(!curl_pushheader_bynum(NULL, 0));
  CHECK(!curl_pushheader_byname(NULL, ":path"));
}

TEST(trace)
{
  CHECK_INT(curl_global_trace("all"), CURLE_OK);
  CHECK_INT(curl_global_trace("-all, no such component"), CURLE_OK);
  CHECK_INT(curl_global_trace(NULL), CURLE_OK);
}

int main(void)
{
  TEST_RUN(websockets);
  TEST_RUN(push);
  TEST_RUN(trace);
  return test_end();
}
