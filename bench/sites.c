/* sites KIND URL [URL]: one of the transfers whose call sites tools/sites.py counts. The library is that of
 * the log build; what is allocated stands in its log, not here.
 *
 * get       one GET
 * again     11 GETs on one handle
 * coded     a GET that asks for content codings
 * follow    a GET that follows redirects
 * post      a POST of 100 KB from a read callback
 * pair      two GETs at once in one multi */
#include "common.h"

static size_t give(char *p, size_t size, size_t n, void *user)
{
  long long *left = user;
  size_t now = size * n < (size_t)*left ? size * n : (size_t)*left;
  memset(p, 'x', now);
  *left -= (long long)now;
  return now;
}

static int single(const char *kind, const char *url)
{
  static long long left = 100000;
  int times = strcmp(kind, "again") ? 1 : 11;
  long long got = 0;
  long code = 0;
  CURLcode rc = CURLE_OK;
  CURL *e = curl_easy_init();
  bench_setup(e, url, &got);
  if(!strcmp(kind, "coded"))
    curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
  if(!strcmp(kind, "follow"))
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 1L);
  if(!strcmp(kind, "post")) {
    curl_easy_setopt(e, CURLOPT_POST, 1L);
    curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)left);
    curl_easy_setopt(e, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(e, CURLOPT_READDATA, &left);
  }
  while(times-- > 0 && !rc)
    rc = curl_easy_perform(e);
  curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &code);
  printf("result rc=%d code=%ld bytes=%lld\n", (int)rc, code, got);
  curl_easy_cleanup(e);
  return rc || code != 200;
}

static int pair(char **urls)
{
  CURL *e[2];
  CURLMsg *msg;
  long long got = 0;
  int running = 1;
  int bad = 0;
  int left;
  CURLM *m = curl_multi_init();
  for(int i = 0; i < 2; i++) {
    e[i] = curl_easy_init();
    bench_setup(e[i], urls[i], &got);
    curl_multi_add_handle(m, e[i]);
  }
  while(running && !curl_multi_perform(m, &running))
    if(running)
      curl_multi_poll(m, NULL, 0, 1000, NULL);
  while((msg = curl_multi_info_read(m, &left)))
    bad |= (int)msg->data.result;
  printf("result rc=%d code=200 bytes=%lld\n", bad, got);
  for(int i = 0; i < 2; i++) {
    curl_multi_remove_handle(m, e[i]);
    curl_easy_cleanup(e[i]);
  }
  curl_multi_cleanup(m);
  return bad;
}

int main(int argc, char **argv)
{
  int bad;
  if(argc < 3 || (!strcmp(argv[1], "pair") && argc < 4))
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  bad = strcmp(argv[1], "pair") ? single(argv[1], argv[2]) : pair(argv + 2);
  curl_global_cleanup();
  return bad;
}
