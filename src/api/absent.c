/* api/absent.c: public functions of a feature that Mote does not have: HTTP/2 push
 * (curl_pushheader_*). A program that links with them runs; each call reports that its feature is not built
 * in.
 *
 * Tests: tests/unit/api/test_absent.c */
#include <curl/curl.h>

/* ---- curl_pushheader_*(3): no server push, so no pushed request has headers ---- */

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
