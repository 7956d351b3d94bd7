/* api/absent.c: public functions of features that Mote does not have yet: WebSocket (curl_ws_*) and HTTP/2
 * push (curl_pushheader_*). A program that links with them runs; each call reports that its feature is not
 * built in.
 *
 * Tests: tests/unit/api/test_absent.c */
#include <curl/curl.h>

/* ---- curl_ws_*(3) ---- */

CURLcode curl_ws_recv(CURL *curl, void *buffer, size_t buflen, size_t *nread,
                      const struct curl_ws_frame **metap)
{
  (void)curl;
  (void)buffer;
  (void)buflen;
  (void)nread;
  (void)metap;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_ws_send(CURL *curl, const void *buffer, size_t buflen, size_t *sent, curl_off_t fragsize,
                      unsigned int flags)
{
  (void)curl;
  (void)buffer;
  (void)buflen;
  (void)sent;
  (void)fragsize;
  (void)flags;
  return CURLE_NOT_BUILT_IN;
}

CURLcode curl_ws_start_frame(CURL *curl, unsigned int flags, curl_off_t frame_len)
{
  (void)curl;
  (void)flags;
  (void)frame_len;
  return CURLE_NOT_BUILT_IN;
}

const struct curl_ws_frame *curl_ws_meta(CURL *curl)
{
  (void)curl;
  return NULL;
}

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
