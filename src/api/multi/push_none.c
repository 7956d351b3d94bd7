/* api/multi/push_none.c: curl_pushheader_*(3) of a build without part h2. No server pushes, so that no pushed
 * request has fields.
 *
 * Tests: tests/unit/api/test_absent.c */
#include <curl/curl.h>

char *curl_pushheader_bynum(struct curl_pushheaders *h, size_t num)
{
  (void)h;
  (void)num;
  return NULL;
}

char *curl_pushheader_byname(struct curl_pushheaders *h, const char *name)
{
  (void)h;
  (void)name;
  return NULL;
}
