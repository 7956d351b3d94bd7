/* options URL: what curl_easy_setopt() answers to numbers that are out of range, a line each, and what comes
 * of a transfer with them; at last how many blocks are left over after options were set with each allocation
 * failing once. */
#include <curl/curl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long held;       /* blocks */
static long until = -1; /* allocations that succeed before one fails; -1: all do */

static void *counted(void *p)
{
  held += p != NULL;
  return p;
}

static int fails(void)
{
  return until >= 0 && !until--;
}

static void *on_malloc(size_t n)
{
  return fails() ? NULL : counted(malloc(n));
}

static void *on_calloc(size_t n, size_t size)
{
  return fails() ? NULL : counted(calloc(n, size));
}

static void *on_realloc(void *p, size_t n)
{
  return fails() ? NULL : p ? realloc(p, n) : counted(malloc(n));
}

static char *on_strdup(const char *s)
{
  char *p = on_malloc(strlen(s) + 1);
  return p ? strcpy(p, s) : NULL;
}

static void on_free(void *p)
{
  held -= p != NULL;
  free(p);
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  (void)p;
  (void)arg;
  return size * n;
}

static void set_all(CURL *curl)
{
  (void)curl_easy_setopt(curl, CURLOPT_URL, "http://127.0.0.1/");
  (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  (void)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  (void)curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  (void)curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, "a=1&b=2");
  (void)curl_easy_setopt(curl, CURLOPT_USERAGENT, "agent");
}

int main(int argc, char **argv)
{
  static const struct {
    CURLoption option;
    long value;
  } numbers[] = {
    {CURLOPT_BUFFERSIZE, -1}, {CURLOPT_BUFFERSIZE, LONG_MAX / 2 + 1}, {CURLOPT_TIMEOUT_MS, LONG_MAX},
    {CURLOPT_MAXREDIRS, -2}, {CURLOPT_POSTFIELDSIZE, -2},
  };
  CURL *curl;
  unsigned i;
  curl_global_init_mem(CURL_GLOBAL_ALL, on_malloc, on_free, on_realloc, on_strdup, on_calloc);
  curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_URL, argc > 1 ? argv[1] : "");
  for(i = 0; i < sizeof numbers / sizeof *numbers; i++)
    printf("%d\n", (int)curl_easy_setopt(curl, numbers[i].option, numbers[i].value));
  printf("%d\n", (int)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)-2));
  printf("%d\n", (int)curl_easy_perform(curl));
  curl_easy_cleanup(curl);
  held = 0;
  for(i = 0; i < 40; i++) {
    until = i;
    curl = curl_easy_init();
    if(curl)
      set_all(curl);
    curl_easy_cleanup(curl);
  }
  printf("%ld\n", held);
  return 0;
}
