/* Fetches URLs with one handle, one after another; prints what came of each: result, status, bytes, their
 * sum, URL. FETCH_CAINFO: the file of the authorities that it trusts. */
#include <curl/curl.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seen {
  unsigned long bytes;
  unsigned long sum;
};

static size_t got(char *p, size_t size, size_t n, void *user)
{
  struct seen *s = user;
  size_t i;
  for(i = 0; i < size * n; i++)
    s->sum += (unsigned char)p[i];
  s->bytes += (unsigned long)(size * n);
  return size * n;
}

static int fetch(CURL *c, const char *url)
{
  struct seen s = {0, 0};
  long code = -1;
  const char *effective = "";
  int rc;
  curl_easy_setopt(c, CURLOPT_URL, url);
  curl_easy_setopt(c, CURLOPT_WRITEDATA, &s);
  rc = curl_easy_perform(c);
  curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_getinfo(c, CURLINFO_EFFECTIVE_URL, &effective);
  printf("%d %ld %lu %lu %s\n", rc, code, s.bytes, s.sum, effective);
  return rc;
}

int main(int argc, char **argv)
{
  CURL *c;
  int i;
#ifdef IN_A_BLOCK /* a build that has no other memory */
  static char block[400000];
  if(mote_init_static(block, sizeof block))
    return 98;
#endif
  c = curl_easy_init();
  if(!c || argc < 2)
    return 99;
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, got);
  curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, atol(argv[1]));
  if(getenv("FETCH_CAINFO"))
    curl_easy_setopt(c, CURLOPT_CAINFO, getenv("FETCH_CAINFO"));
  for(i = 2; i < argc; i++)
    (void)fetch(c, argv[i]);
  curl_easy_cleanup(c);
  return 0;
}
