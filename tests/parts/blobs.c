/* blobs: what curl_easy_setopt() answers to certificate blobs without bytes, a line each, and to one that has
 * one. */
#include <curl/curl.h>
#include <stdio.h>

int main(void)
{
  char byte = 0;
  struct curl_blob blobs[] = {
    {&byte, 0, CURL_BLOB_COPY}, {&byte, 0, CURL_BLOB_NOCOPY}, {NULL, 1, CURL_BLOB_NOCOPY},
    {NULL, 1, CURL_BLOB_COPY}, {&byte, 1, CURL_BLOB_COPY},
  };
  CURL *curl = curl_easy_init();
  unsigned i;
  for(i = 0; i < sizeof blobs / sizeof *blobs; i++) {
    printf("%d\n", (int)curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blobs[i]));
    fflush(stdout);
  }
  curl_easy_cleanup(curl);
  return 0;
}
