/* memory_need.c: refuses a transfer before it starts when it may need more memory than there is.
 *
 *   memory_need BYTES URL
 *
 * <mote/mote.h> is Mote's own; with libcurl this does not compile. mote_need() adds up the ceilings of all
 * that the transfer may take, whatever the server sends. Where the need is unknown (https, since no account
 * has what OpenSSL takes) it says so. */
#include <curl/curl.h>
#include <errno.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

static size_t drop(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

/* The transfer, if it fits into `have` bytes; with its handle held to what was said. */
static CURLcode transfer(CURL *curl, size_t have)
{
  struct mote_need need;
  CURLcode rc = mote_need(curl, &need);
  if(rc == CURLE_TOO_LARGE)
    printf("refused: its need of memory is unknown\n");
  if(rc)
    return rc;
  printf("at most %zu bytes, no block above %zu\n", need.bytes, need.largest);
  if(need.bytes > have) {
    printf("refused: %zu bytes are too few\n", have);
    return CURLE_OUT_OF_MEMORY;
  }
  rc = mote_easy_limit(curl, need.easy);
  return rc ? rc : curl_easy_perform(curl);
}

static CURLcode show(CURL *curl)
{
  struct mote_account_info info;
  CURLcode rc = mote_easy_account(curl, &info);
  if(!rc)
    printf("the handle took %zu of the %zu bytes that are its own\n", info.peak, info.limit);
  return rc;
}

int main(int argc, char **argv)
{
  CURLcode rc = CURLE_FAILED_INIT;
  CURL *curl;
  char *rest = NULL;
  unsigned long have = 0;
  errno = 0;
  if(argc == 3)
    have = strtoul(argv[1], &rest, 10);
  if(argc != 3 || *rest || rest == argv[1] || errno) {
    fprintf(stderr, "usage: memory_need BYTES URL\n");
    return 2;
  }
  curl = curl_easy_init();
  if(curl && !(rc = curl_easy_setopt(curl, CURLOPT_URL, argv[2])) &&
     !(rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop)) && !(rc = transfer(curl, have)))
    rc = show(curl);
  if(rc)
    fprintf(stderr, "memory_need: %s\n", curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
  return rc ? 1 : 0;
}
