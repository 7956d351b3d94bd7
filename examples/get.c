/* get.c: the smallest download: a URL to the standard output.
 *
 *   get URL
 *
 * The program makes a handle, sets its options, uses it, and frees it. By itself the library writes the
 * body to stdout. To it an answer such as 404 is a transfer like any other; CURLOPT_FAILONERROR makes it an
 * error. */
#include <curl/curl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  CURLcode rc = CURLE_FAILED_INIT;
  CURL *curl = argc == 2 ? curl_easy_init() : NULL;
  if(curl && !(rc = curl_easy_setopt(curl, CURLOPT_URL, argv[1])) &&
     !(rc = curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L)))
    rc = curl_easy_perform(curl);
  if(!rc && fflush(stdout))
    rc = CURLE_WRITE_ERROR;
  if(rc)
    fprintf(stderr, "%s\n", curl ? curl_easy_strerror(rc) : "usage: get URL");
  curl_easy_cleanup(curl);
  return rc ? 1 : 0;
}
