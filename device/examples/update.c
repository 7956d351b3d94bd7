/* update.c: fetches an image by ranges into flash, goes on after a reset in the middle, and marks the image good only
 * when its SHA-256 is right. Arguments: the URL of the image, whose digest in hex is at URL.sha256; "reset" for a reset
 * in the middle. Profile mcu with part ranges. The flash is memory that survives a reset, written by pages. */
#include <bearssl.h>
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "roots.h"

#define PIECE 16384u /* bytes of a range: what is lost at most by a cut */
#define MARK 0x600dc0deu

static BOARD_RETAINED struct {
  unsigned char image[131072];
  uint32_t have; /* bytes that are written */
  uint32_t mark; /* MARK: the image is whole and right */
  uint32_t boots;
} flash;

static char url[512];
static int reset_wanted;

static size_t on_image(char *p, size_t size, size_t n, void *arg)
{
  size_t len = size * n;
  (void)arg;
  if(len > sizeof flash.image - flash.have)
    return 0; /* larger than the flash */
  memcpy(flash.image + flash.have, p, len);
  flash.have += len;
  if(reset_wanted && flash.boots == 1 && flash.have > 3 * PIECE + 1000)
    board_restart(); /* as if the power had gone */
  return len;
}

static size_t on_digest(char *p, size_t size, size_t n, void *arg)
{
  strncat(arg, p, size * n < 64 - strlen(arg) ? size * n : 64 - strlen(arg));
  return size * n;
}

/* The status of the response, or 0. */
static long get(CURL *curl, const char *from, const char *range, curl_write_callback fn, void *arg)
{
  long status = 0;
  if(curl_easy_setopt(curl, CURLOPT_URL, from) || curl_easy_setopt(curl, CURLOPT_RANGE, range) ||
     curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, fn) || curl_easy_setopt(curl, CURLOPT_WRITEDATA, arg) ||
     curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L) || curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 30000L) ||
     curl_easy_perform(curl) || curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status))
    return 0;
  return status;
}

/* Ranges until one is short. A server without ranges sends all with status 200, which is right from 0 on only. */
static int fetch_image(CURL *curl)
{
  uint32_t before;
  char range[32];
  do {
    before = flash.have;
    (void)snprintf(range, sizeof range, "%u-%u", (unsigned)before, (unsigned)(before + PIECE - 1));
    if(get(curl, url, range, on_image, NULL) != 206)
      return flash.have == before && before % PIECE == 0 && before; /* 416: the end was at the end of a piece */
  } while(flash.have - before == PIECE);
  return 1;
}

static int is_right(const char *digest)
{
  br_sha256_context sha;
  unsigned char sum[32];
  char hex[65] = "";
  int i;
  br_sha256_init(&sha);
  br_sha256_update(&sha, flash.image, flash.have);
  br_sha256_out(&sha, sum);
  for(i = 0; i < 32; i++)
    (void)snprintf(hex + 2 * i, 3, "%02x", sum[i]);
  return !strcmp(hex, digest);
}

int main(void)
{
  char name[520], digest[65] = "";
  CURL *curl;
  board_arguments(url, sizeof url);
  reset_wanted = strstr(url, " reset") != NULL;
  url[strcspn(url, " ")] = 0;
  printf("boot %u, %u bytes are there\n", (unsigned)++flash.boots, (unsigned)flash.have);
  if(!board_network_up(10000) || !(curl = curl_easy_init()) || roots_use(curl))
    return 1;
  (void)snprintf(name, sizeof name, "%s.sha256", url);
  if(get(curl, name, NULL, on_digest, digest) == 200 && fetch_image(curl) && is_right(digest))
    flash.mark = MARK;
  curl_easy_cleanup(curl);
  printf("%u bytes, %s\n", (unsigned)flash.have, flash.mark == MARK ? "good" : "not good");
  return flash.mark != MARK;
}
