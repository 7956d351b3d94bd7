/* get.c: fetches a page over HTTPS and prints its beginning. Argument: the URL. Profile tiny, everything from one
 * static block, without a system. */
#include <curl/curl.h>
#include <mote/mote.h>
#include <string.h>

#include "board.h"
#include "roots.h"

static _Alignas(8) char memory[28672]; /* 12 KB will do where the server keeps to records of 512 bytes */

struct page {
  char text[80]; /* the beginning */
  uint32_t bytes;
};

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  struct page *page = arg;
  size_t len = size * n, at = page->bytes, room = sizeof page->text - 1;
  if(at < room)
    memcpy(page->text + at, p, len < room - at ? len : room - at);
  page->bytes += len;
  return len;
}

static CURLcode get(const char *url, struct page *page, long *status)
{
  CURL *curl = curl_easy_init();
  CURLcode rc = curl ? roots_use(curl) : CURLE_OUT_OF_MEMORY;
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_URL, url);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_WRITEDATA, page);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 30000L);
  if(!rc)
    rc = curl_easy_perform(curl);
  if(!rc)
    rc = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
  curl_easy_cleanup(curl);
  return rc;
}

int main(void)
{
  static char url[512];
  static struct page page;
  long status = 0;
  CURLcode rc;
  board_arguments(url, sizeof url);
  if(!board_network_up(10000) || mote_init_static(memory, sizeof memory)) {
    board_print("no network\n");
    return 1;
  }
  rc = get(url, &page, &status);
  curl_global_cleanup();
  board_print(page.text);
  board_print("\ncode ");
  board_print_number((uint32_t)rc);
  board_print(", status ");
  board_print_number((uint32_t)status);
  board_print(", bytes ");
  board_print_number(page.bytes);
  board_print("\n");
  return rc || status != 200;
}
