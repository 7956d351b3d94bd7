/* A GET over HTTPS in a multi handle, which never blocks: what the processor does between two waits is the time of
 * a call. Argument: the URL. Prints the milliseconds of all calls and of the longest one. With QEMU's -icount shift=0
 * a millisecond is a million instructions, and waiting takes none of them. */
#include <curl/curl.h>
#include <stdio.h>

#include "board.h"
#include "port/lwip/board.h"
#include "roots.h"

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  (void)p;
  *(size_t *)arg += size * n;
  return size * n;
}

int main(void)
{
  static char url[512];
  size_t bytes = 0;
  CURL *curl;
  CURLM *multi;
  CURLMsg *message;
  int running = 1, left;
  uint32_t sum = 0, longest = 0, calls = 0;
  CURLcode rc;
  board_arguments(url, sizeof url);
  if(!board_network_up(10000) || !(curl = curl_easy_init()) || !(multi = curl_multi_init()) || roots_use(curl))
    return 2;
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &bytes);
  curl_multi_add_handle(multi, curl);
  while(running) {
    uint32_t before = (uint32_t)mote_lwip_ms(), took;
    curl_multi_perform(multi, &running);
    took = (uint32_t)mote_lwip_ms() - before;
    sum += took;
    calls++;
    longest = took > longest ? took : longest;
    curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  message = curl_multi_info_read(multi, &left);
  rc = message ? message->data.result : CURLE_FAILED_INIT;
  curl_multi_remove_handle(multi, curl);
  curl_easy_cleanup(curl);
  curl_multi_cleanup(multi);
  printf("code %d, %u bytes, busy %u, longest %u, calls %u, stack %u\n", (int)rc, (unsigned)bytes, (unsigned)sum,
         (unsigned)longest, (unsigned)calls, (unsigned)board_stack_used());
  return rc != CURLE_OK;
}
