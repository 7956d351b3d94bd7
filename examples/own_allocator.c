/* own_allocator.c: the library takes its memory from the program's functions; these count.
 *
 *   own_allocator URL
 *
 * curl_global_init_mem() comes before every other call into the library. The functions may be called by
 * several threads at once: name lookups run in threads. Memory of the TLS library is not the library's and
 * not counted. */
#define _POSIX_C_SOURCE 200809L /* pthread_mutex_t */

#include <curl/curl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In front of each block: its size. The union is as strictly aligned as malloc's blocks are. */
union head {
  size_t size;
  long double strict;
  void *pointer;
  long long number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t live; /* bytes held now */
static size_t peak; /* most bytes ever held at once */
static size_t calls;

static void count(size_t more, size_t less)
{
  pthread_mutex_lock(&lock);
  live += more;
  live -= less;
  if(live > peak)
    peak = live;
  calls += more > 0;
  pthread_mutex_unlock(&lock);
}

static void *own_realloc(void *p, size_t size)
{
  union head *old = p ? (union head *)p - 1 : NULL;
  size_t old_size = old ? old->size : 0;
  union head *block = size <= SIZE_MAX - sizeof *block ? realloc(old, sizeof *block + size) : NULL;
  if(!block)
    return NULL; /* the old block is as it was */
  block->size = size;
  count(size, old_size);
  return block + 1;
}

static void *own_malloc(size_t size)
{
  return own_realloc(NULL, size);
}

static void *own_calloc(size_t n, size_t size)
{
  void *p = !size || n <= SIZE_MAX / size ? own_malloc(n * size) : NULL;
  return p ? memset(p, 0, n * size) : NULL;
}

static void own_free(void *p)
{
  if(p) {
    union head *block = (union head *)p - 1;
    count(0, block->size);
    free(block);
  }
}

static char *own_strdup(const char *s)
{
  size_t size = strlen(s) + 1;
  char *copy = own_malloc(size);
  return copy ? memcpy(copy, s, size) : NULL;
}

static size_t drop(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

int main(int argc, char **argv)
{
  CURL *curl;
  CURLcode rc;
  if(argc != 2) {
    fprintf(stderr, "usage: own_allocator URL\n");
    return 2;
  }
  rc = curl_global_init_mem(CURL_GLOBAL_DEFAULT, own_malloc, own_free, own_realloc, own_strdup, own_calloc);
  if(rc) {
    fprintf(stderr, "own_allocator: %s\n", curl_easy_strerror(rc));
    return 1;
  }
  curl = curl_easy_init();
  rc = CURLE_OUT_OF_MEMORY;
  if(curl && !(rc = curl_easy_setopt(curl, CURLOPT_URL, argv[1])) &&
     !(rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop)))
    rc = curl_easy_perform(curl);
  printf("%s: %zu allocations, %zu bytes at most, %zu bytes now\n", curl_easy_strerror(rc), calls, peak,
         live);
  curl_easy_cleanup(curl);
  curl_global_cleanup();
  printf("at the end: %zu bytes\n", live);
  return rc ? 1 : 0;
}
