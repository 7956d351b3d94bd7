/* jar URL COOKIES DOMAINS TIMES: cookies put in by CURLOPT_COOKIELIST, one domain after the other, and
 *   requests to a host of the first domain. DOMAINS 0: the lines are made, and none is put in.
 * jar URL COOKIES FILE: a file of so many lines is read by a request to a host without cookies. */
#include "common.h"

#define SENT_MIN 36 /* bytes of "; name=value" */

static char (*lines)[120];

static int make_lines(int cookies, int domains)
{
  int i;
  lines = calloc((size_t)cookies + 1, sizeof *lines);
  for(i = 0; lines && i < cookies; i++)
    snprintf(lines[i], sizeof *lines,
             ".host%04d.example.com\tTRUE\t/\tFALSE\t1893456000\tname%05d\tvalue%05d-0123456789abcdef",
             i % domains, i, i);
  return lines != NULL;
}

/* The path of the URL on another host, which CURLOPT_CONNECT_TO leads to the same server. */
static CURLcode ask(CURL *e, const char *url, const char *host)
{
  char other[300];
  snprintf(other, sizeof other, "http://%s%s", host, strchr(url + strlen("http://"), '/'));
  curl_easy_setopt(e, CURLOPT_URL, other);
  return curl_easy_perform(e);
}

static int cookies_of(CURL *e)
{
  struct curl_slist *list = NULL, *at;
  int count = 0;
  curl_easy_getinfo(e, CURLINFO_COOKIELIST, &list);
  for(at = list; at; at = at->next)
    count++;
  curl_slist_free_all(list);
  return count;
}

int main(int argc, char **argv)
{
  long long got = 0;
  long code = 0, request = 0;
  int file, cookies, domains, times, sends, i;
  struct curl_slist *to;
  char target[100];
  CURLcode rc = CURLE_OK;
  CURL *e;
  if(argc < 4)
    return 2;
  file = argc == 4;
  cookies = atoi(argv[2]);
  domains = file ? 1 : atoi(argv[3]);
  times = file ? 1 : atoi(argv[4]);
  sends = !file && domains ? cookies / domains : 0;
  if(!file && !make_lines(cookies, domains ? domains : 1))
    return 1;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  e = curl_easy_init();
  bench_setup(e, argv[1], &got);
  snprintf(target, sizeof target, "::%.*s", (int)strcspn(argv[1] + strlen("http://"), "/"),
           argv[1] + strlen("http://"));
  to = curl_slist_append(NULL, target);
  curl_easy_setopt(e, CURLOPT_CONNECT_TO, to);
  curl_easy_setopt(e, CURLOPT_COOKIEFILE, file ? argv[3] : "");
  bench_phase("setopt");
  for(i = 0; !file && domains && i < cookies; i++)
    curl_easy_setopt(e, CURLOPT_COOKIELIST, lines[i]);
  bench_phase("add");
  while(times-- > 0 && !rc) {
    rc = ask(e, argv[1], file ? "none.test" : "host0000.example.com");
    bench_phase("perform");
  }
  curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_getinfo(e, CURLINFO_REQUEST_SIZE, &request);
  if(getenv("BENCH_LIST"))
    cookies = cookies_of(e) - cookies;
  else
    cookies = 0;
  printf("result rc=%d code=%ld lost=%d sent=%d\n", (int)rc, code, cookies, request > (long)sends * SENT_MIN);
  curl_easy_cleanup(e);
  curl_slist_free_all(to);
  curl_global_cleanup();
  free(lines);
  return rc != CURLE_OK;
}
