/* parallel.c: many downloads at once in one thread, driven by curl_multi_poll().
 *
 *   parallel URL FILE [URL FILE]...
 *
 * A multi handle runs any number of easy handles. The loop is always the same: perform, look for what is
 * over, wait until there is something to do. No more than MAX_AT_ONCE run together: each that ends makes
 * room for the next, so that a long list needs neither memory nor descriptors for all. Connections are
 * used again. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_AT_ONCE 50

struct download {
  const char *url;
  const char *name;
  FILE *file;
  CURL *curl;
  char why[CURL_ERROR_SIZE];
};

static CURLcode begin(CURLM *multi, struct download *d)
{
  CURLcode rc;
  d->file = fopen(d->name, "wb");
  if(!d->file)
    return CURLE_WRITE_ERROR;
  d->curl = curl_easy_init();
  if(!d->curl)
    return CURLE_OUT_OF_MEMORY;
  if((rc = curl_easy_setopt(d->curl, CURLOPT_URL, d->url)) ||
     (rc = curl_easy_setopt(d->curl, CURLOPT_WRITEDATA, d->file)) || /* for the default callback: a FILE */
     (rc = curl_easy_setopt(d->curl, CURLOPT_ERRORBUFFER, d->why)) ||
     (rc = curl_easy_setopt(d->curl, CURLOPT_FAILONERROR, 1L)) ||
     (rc = curl_easy_setopt(d->curl, CURLOPT_FOLLOWLOCATION, 1L)) ||
     (rc = curl_easy_setopt(d->curl, CURLOPT_PRIVATE, d)))
    return rc;
  return curl_multi_add_handle(multi, d->curl) ? CURLE_OUT_OF_MEMORY : CURLE_OK;
}

/* The transfer is over, or was never begun: say how it went and give everything back. 1 if it failed. */
static int end(CURLM *multi, struct download *d, CURLcode rc)
{
  curl_off_t size = 0;
  if(d->curl && !rc)
    rc = curl_easy_getinfo(d->curl, CURLINFO_SIZE_DOWNLOAD_T, &size);
  if(d->file && fclose(d->file) && !rc)
    rc = CURLE_WRITE_ERROR; /* a full disk may show only now */
  if(rc)
    fprintf(stderr, "%s: %s\n", d->url, d->why[0] ? d->why : curl_easy_strerror(rc));
  else
    printf("%s: %" CURL_FORMAT_CURL_OFF_T " bytes\n", d->url, size);
  if(d->curl)
    curl_multi_remove_handle(multi, d->curl);
  curl_easy_cleanup(d->curl);
  d->curl = NULL;
  return rc != CURLE_OK;
}

/* Messages of what is over: the number of them, and how many have failed. */
static int collect(CURLM *multi, int *failed)
{
  int over = 0;
  int queued;
  CURLMsg *msg;
  while((msg = curl_multi_info_read(multi, &queued))) {
    CURLcode rc = msg->data.result; /* *msg is gone once the handle is removed */
    struct download *d = NULL;
    if(!curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &d) && d) {
      *failed += end(multi, d, rc);
      over++;
    }
  }
  return over;
}

static int run(CURLM *multi, struct download *d, int n)
{
  int next = 0;     /* to be begun */
  int together = 0; /* begun, not over */
  int failed = 0;
  int running;
  CURLMcode mc = CURLM_OK;
  while(!mc && (together || next < n)) {
    while(together < MAX_AT_ONCE && next < n) {
      CURLcode rc = begin(multi, &d[next]);
      if(rc)
        failed += end(multi, &d[next], rc);
      else
        together++;
      next++;
    }
    mc = curl_multi_perform(multi, &running);
    if(!mc && running == together && together) /* none has ended */
      mc = curl_multi_poll(multi, NULL, 0, 60000, NULL); /* until something happens, at most a minute */
    together -= collect(multi, &failed);
  }
  if(mc)
    fprintf(stderr, "parallel: %s\n", curl_multi_strerror(mc));
  while(next-- > 0)
    if(d[next].curl) /* only after an error of the multi */
      failed += end(multi, &d[next], CURLE_ABORTED_BY_CALLBACK);
  return failed;
}

int main(int argc, char **argv)
{
  int n = (argc - 1) / 2;
  int failed = 1;
  int i;
  struct download *d;
  CURLM *multi;
  if(n < 1 || argc % 2 != 1) {
    fprintf(stderr, "usage: parallel URL FILE [URL FILE]...\n");
    return 2;
  }
  if(curl_global_init(CURL_GLOBAL_DEFAULT))
    return 1;
  d = calloc((size_t)n, sizeof *d);
  multi = curl_multi_init();
  for(i = 0; d && i < n; i++) {
    d[i].url = argv[1 + 2 * i];
    d[i].name = argv[2 + 2 * i];
  }
  if(d && multi)
    failed = run(multi, d, n);
  else
    fprintf(stderr, "parallel: out of memory\n");
  curl_multi_cleanup(multi);
  free(d);
  curl_global_cleanup();
  return failed ? 1 : 0;
}
