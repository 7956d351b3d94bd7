/* memory_ceiling.c: a handle that may not take more than so many bytes, and what it did take.
 *
 *   memory_ceiling BYTES URL
 *
 * <mote/mote.h> is Mote's own; with libcurl this does not compile. Each easy and each multi handle has an
 * account. The easy handle's pays for its options, strings and headers, the multi's for connections and
 * buffers. What would go over a ceiling is refused: that one transfer ends with CURLE_OUT_OF_MEMORY, and
 * the handle can be used again. */
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

static CURLcode show(CURL *curl)
{
  struct mote_account_info info;
  struct mote_part_info part;
  const char *name;
  int i;
  CURLcode rc = mote_easy_account(curl, &info);
  if(rc)
    return rc;
  printf("  the handle: %zu bytes now, %zu at most, %u allocations, %u refused\n", info.live, info.peak,
         info.calls, info.refused);
  for(i = 0; mote_part_info(i, &name, &part); i++) /* of the whole process, all accounts together */
    if(part.calls)
      printf("  %-10s %8zu bytes now, %8zu at most\n", name, part.live, part.peak);
  return CURLE_OK;
}

static CURLcode transfer(CURL *curl, size_t ceiling)
{
  /* Keeping a ceiling takes a few bytes: one that nothing reaches, so that the figures can be compared. */
  CURLcode rc = mote_easy_limit(curl, ceiling ? ceiling : (size_t)-1);
  if(!rc)
    rc = curl_easy_perform(curl);
  printf("ceiling %zu: %s\n", ceiling, curl_easy_strerror(rc));
  return rc;
}

int main(int argc, char **argv)
{
  CURLcode rc = CURLE_FAILED_INIT;
  CURL *curl;
  char *rest = NULL;
  unsigned long ceiling = 0;
  errno = 0;
  if(argc == 3)
    ceiling = strtoul(argv[1], &rest, 10);
  if(argc != 3 || *rest || rest == argv[1] || errno) {
    fprintf(stderr, "usage: memory_ceiling BYTES URL\n");
    return 2;
  }
  curl = curl_easy_init();
  if(curl && !(rc = curl_easy_setopt(curl, CURLOPT_URL, argv[2])) &&
     !(rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop))) {
    rc = transfer(curl, ceiling);
    if(rc == CURLE_OUT_OF_MEMORY)
      rc = transfer(curl, 0); /* nothing is lost: the same handle, without the ceiling */
    if(!rc)
      rc = show(curl);
  }
  if(rc)
    fprintf(stderr, "memory_ceiling: %s\n", curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
  return rc ? 1 : 0;
}
