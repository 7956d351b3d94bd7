/* tests/unit/api/test_absent.c: what is not built in reports so (push, and WebSocket without its
 * part); trace is accepted. Needs !small. */
#include <curl/curl.h>

#include "test.h"

TEST(websockets)
{
  size_t n = 5;
  const struct curl_ws_frame *meta = NULL;
  char byte = 'a';
  CURLcode rc = MOTE_HAS_WS ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_NOT_BUILT_IN;
  CHECK_INT(curl_ws_recv(NULL, &byte, 1, &n, &meta), rc);
  CHECK_INT(curl_ws_send(NULL, &byte, 1, &n, 0, CURLWS_TEXT), rc);
  CHECK_INT(curl_ws_start_frame(NULL, CURLWS_TEXT, 1), rc);
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
