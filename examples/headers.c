/* headers.c: the headers of every response of a redirect chain, after the transfer.
 *
 *   headers URL
 *
 * No header callback is needed: the library keeps the headers until the next transfer on the handle. */
#include <curl/curl.h>
#include <stdio.h>

static size_t drop(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

/* All headers of one response of the chain, in the order they came. */
static void show_response(CURL *curl, int request)
{
  struct curl_header *h = NULL;
  printf("response %d\n", request);
  while((h = curl_easy_nextheader(curl, CURLH_HEADER | CURLH_TRAILER, request, h))) {
    printf("  %s: %s", h->name, h->value);
    if(h->amount > 1)
      printf("  (%zu of %zu)", h->index + 1, h->amount);
    printf("\n");
  }
}

/* One header by its name, of the last response (-1). Each call may overwrite what the one before gave. */
static void show_type(CURL *curl)
{
  struct curl_header *h;
  CURLHcode hc = curl_easy_header(curl, "Content-Type", 0, CURLH_HEADER, -1, &h);
  if(hc == CURLHE_OK)
    printf("the content is %s\n", h->value);
  else if(hc == CURLHE_MISSING || hc == CURLHE_NOHEADERS)
    printf("the server does not say what the content is\n");
  else
    fprintf(stderr, "headers: error %d of the header interface\n", (int)hc);
}

static CURLcode run(CURL *curl, const char *url)
{
  CURLcode rc;
  long redirects = 0;
  int i;
  if((rc = curl_easy_setopt(curl, CURLOPT_URL, url)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L)) ||
     (rc = curl_easy_perform(curl)) ||
     (rc = curl_easy_getinfo(curl, CURLINFO_REDIRECT_COUNT, &redirects)))
    return rc;
  for(i = 0; i <= redirects; i++)
    show_response(curl, i);
  show_type(curl);
  return CURLE_OK;
}

int main(int argc, char **argv)
{
  CURL *curl;
  CURLcode rc = CURLE_FAILED_INIT;
  if(argc != 2) {
    fprintf(stderr, "usage: headers URL\n");
    return 2;
  }
  curl = curl_easy_init();
  if(curl)
    rc = run(curl, argv[1]);
  if(rc)
    fprintf(stderr, "headers: %s\n", curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
  return rc ? 1 : 0;
}
