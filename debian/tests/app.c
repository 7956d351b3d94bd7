/* Prints the version of the library, then what a URL leads to. */
#include <curl/curl.h>
#include <mote/mote.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  CURL *curl = argc == 2 ? curl_easy_init() : NULL;
  CURLcode result = CURLE_FAILED_INIT;
  if(curl) {
    printf("%s\n", mote_version());
    fflush(stdout);
    mote_easy_limit(curl, 200 * 1024);
    curl_easy_setopt(curl, CURLOPT_URL, argv[1]);
    result = curl_easy_perform(curl);
    curl_easy_cleanup(curl);
  }
  return (int)result;
}
