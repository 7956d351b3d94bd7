/* tests/unit/api/test_mime_none.c: a build without forms reports so. tests/parts runs it, too.
 *
 * Needs !small, !forms. */
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

int main(void)
{
  TEST_RUN(forms);
  TEST_RUN(mime);
  return test_end();
}
