/* telemetry.c: posts a measurement as JSON each second over one kept connection. A measurement that did not arrive is
 * posted again: the server may restart, the link may die. Arguments: the URL, how many. Profile tiny with part
 * uploads, everything from one static block. */
#include <curl/curl.h>
#include <mote/mote.h>
#include <string.h>

#include "board.h"
#include "roots.h"

static _Alignas(8) char memory[28672];
static char arguments[512];

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  (void)p;
  (void)arg;
  return size * n;
}

static CURL *prepare(const char *url, struct curl_slist *fields)
{
  CURL *curl = curl_easy_init();
  CURLcode rc = curl ? roots_use(curl) : CURLE_OUT_OF_MEMORY;
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_URL, url);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  if(!rc) /* a dead link is noticed after so long, with the connection */
    rc = curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 5000L);
  if(!rc)
    return curl;
  curl_easy_cleanup(curl);
  return NULL;
}

static char *append(char *to, const char *text)
{
  size_t len = strlen(text);
  memcpy(to, text, len + 1);
  return to + len;
}

static char *append_number(char *to, uint32_t number)
{
  char digits[11], *p = digits + sizeof digits - 1;
  *p = 0;
  do
    *--p = (char)('0' + number % 10);
  while(number /= 10);
  return append(to, p);
}

static CURLcode post(CURL *curl, uint32_t number)
{
  char json[64];
  long status = 0;
  CURLcode rc;
  append(append_number(append(json, "{\"number\":"), number), ",\"celsius\":21}");
  rc = curl_easy_setopt(curl, CURLOPT_POSTFIELDS, json);
  if(!rc)
    rc = curl_easy_perform(curl);
  if(!rc)
    rc = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return rc ? rc : status / 100 == 2 ? CURLE_OK : CURLE_HTTP_RETURNED_ERROR;
}

int main(void)
{
  struct curl_slist *fields;
  CURL *curl;
  CURLcode rc;
  uint32_t number = 0, count = 0, again = 0;
  char *p;
  board_arguments(arguments, sizeof arguments);
  p = strchr(arguments, ' ');
  for(*p++ = 0; *p; p++) /* the second argument */
    count = count * 10 + (uint32_t)(*p - '0');
  if(!board_network_up(10000) || mote_init_static(memory, sizeof memory))
    return 1;
  fields = curl_slist_append(NULL, "Content-Type: application/json");
  curl = prepare(arguments, fields);
  while(curl && number < count) {
    rc = post(curl, number);
    number += !rc;
    again += rc != 0;
    board_print_number((uint32_t)rc);
    board_print(rc ? " again\n" : " posted\n");
    board_pause(1000);
  }
  board_print(again ? "all posted, some of them again\n" : "all posted\n");
  curl_easy_cleanup(curl);
  curl_slist_free_all(fields);
  return !curl;
}
