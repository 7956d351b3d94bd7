/* sleep.c: fetches a page, keeps the TLS session in memory that survives deep sleep, sleeps, and resumes the session:
 * one round trip less, and no computing with keys. Argument: the URL. Profile mcu with part sessions. */
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "roots.h"

#define KEPT 0x5e55107eu

/* As secret as a key: a reader of it can read what the session protects. */
static BOARD_RETAINED struct {
  uint32_t mark; /* KEPT: a session is here */
  uint32_t boots;
  uint32_t key_len, data_len;
  unsigned char key[64], data[512];
} kept;

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  (void)p;
  (void)arg;
  return size * n;
}

static CURLcode keep(CURL *curl, void *arg, const char *name, const unsigned char *key, size_t key_len,
                     const unsigned char *data, size_t data_len, curl_off_t until, int version, const char *alpn,
                     size_t early)
{
  (void)curl, (void)arg, (void)name, (void)until, (void)version, (void)alpn, (void)early;
  if(key_len > sizeof kept.key || data_len > sizeof kept.data)
    return CURLE_OK;
  memcpy(kept.key, key, key_len);
  memcpy(kept.data, data, data_len);
  kept.key_len = key_len;
  kept.data_len = data_len;
  kept.mark = KEPT;
  return CURLE_OK;
}

static CURLcode get(CURL *curl, const char *url)
{
  CURLcode rc = roots_use(curl);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_URL, url);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 30000L);
  return rc ? rc : curl_easy_perform(curl);
}

int main(void)
{
  static char url[512];
  CURL *curl;
  CURLcode rc;
  board_arguments(url, sizeof url);
  kept.boots++;
  if(!board_network_up(10000) || !(curl = curl_easy_init()))
    return 1;
  if(kept.mark == KEPT)
    (void)curl_easy_ssls_import(curl, NULL, kept.key, kept.key_len, kept.data, kept.data_len);
  rc = get(curl, url);
  if(!rc)
    rc = curl_easy_ssls_export(curl, keep, NULL);
  printf("boot %u, code %d, %u bytes of a session are kept\n", (unsigned)kept.boots, (int)rc, (unsigned)kept.data_len);
  curl_easy_cleanup(curl);
  if(!rc && kept.boots == 1)
    board_restart(); /* what the chip does when it wakes from deep sleep */
  return rc != CURLE_OK || kept.mark != KEPT;
}
