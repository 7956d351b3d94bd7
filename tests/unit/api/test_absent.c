/* tests/unit/api/test_absent.c: what is not built in reports so (forms, WebSocket, push); trace is
 * accepted. */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

#include "test.h"

static size_t append(void *arg, const char *buf, size_t len)
{
  (void)arg;
  (void)buf;
  return len;
}

TEST(forms)
{
  struct curl_httppost *first = NULL;
  struct curl_httppost *last = NULL;
  CHECK_INT(curl_formadd(&first, &last, CURLFORM_COPYNAME, "a", CURLFORM_COPYCONTENTS, "b", CURLFORM_END),
            CURL_FORMADD_DISABLED);
  CHECK(!first && !last);
  CHECK(curl_formget(first, NULL, append) != 0);
  curl_formfree(NULL);
}

TEST(mime)
{
  CHECK(curl_mime_init(NULL) != NULL); /* NULL would mean that memory has run out */
  CHECK(curl_mime_addpart(curl_mime_init(NULL)) != NULL);
  CHECK(!curl_mime_addpart(NULL));
  CHECK_INT(curl_mime_name(NULL, "a"), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_filename(NULL, "a"), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_type(NULL, "a/b"), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_encoder(NULL, "base64"), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_data(NULL, "a", CURL_ZERO_TERMINATED), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_filedata(NULL, "a"), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_data_cb(NULL, -1, NULL, NULL, NULL, NULL), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_subparts(NULL, NULL), CURLE_NOT_BUILT_IN);
  CHECK_INT(curl_mime_headers(NULL, NULL, 1), CURLE_NOT_BUILT_IN);
  curl_mime_free(NULL);
}

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
  TEST_RUN(forms);
  TEST_RUN(mime);
  TEST_RUN(websockets);
  TEST_RUN(push);
  TEST_RUN(trace);
  return test_end();
}
