/* log_get.c: transfers for test_log.py, on any libcurl.so.4.
 *
 * log_get MODE URL [CA]
 *   get      one transfer; then the figures of the account and, with tests/preload, of the allocator
 *   port     one transfer of FTP, whose data connection the server begins (PORT)
 *   threads  two threads with ten transfers each
 *   control  the third allocation of a transfer fails by mote_fault_control(); then a clean transfer
 *   fork     a handle that is given back twice: by the child and by the parent
 *   own      curl_global_init_mem(): the application's allocator
 *   twice    a block freed twice;  abort: dies with a handle open */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <dlfcn.h>
#include <mote/mote.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../preload/preload.h"

static const char *url;
static const char *ca;

static size_t swallow(char *p, size_t size, size_t n, void *arg)
{
  (void)p;
  *(size_t *)arg += size * n;
  return size * n;
}

static void *symbol(const char *name)
{
  return dlsym(RTLD_DEFAULT, name);
}

static CURLcode get(CURL *h, size_t *bytes)
{
  *bytes = 0;
  curl_easy_setopt(h, CURLOPT_URL, url);
  curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, swallow);
  curl_easy_setopt(h, CURLOPT_WRITEDATA, bytes);
  if(ca)
    curl_easy_setopt(h, CURLOPT_CAINFO, ca);
  return curl_easy_perform(h);
}

static int one(void)
{
  CURLcode (*account)(CURL *, struct mote_account_info *);
  void (*count)(struct count *);
  void *sym = symbol("mote_easy_account");
  struct mote_account_info info = { 0 };
  struct count c = { 0 };
  size_t bytes;
  CURL *h = curl_easy_init();
  CURLcode rc = get(h, &bytes);
  memcpy(&account, &sym, sizeof sym);
  if(account)
    account(h, &info);
  curl_easy_cleanup(h);
  curl_global_cleanup();
  sym = symbol("mote_count_now");
  memcpy(&count, &sym, sizeof sym);
  if(count)
    count(&c);
  printf("code=%d bytes=%zu account=%zu/%zu/%u ", rc, bytes, info.live, info.peak, info.calls);
  printf("own=%ld/%ld/%ld\n", c.own_calls, c.own_live, c.own_peak);
  return (int)rc;
}

static void *ten(void *arg)
{
  int i;
  for(i = 0; i < 10; i++) {
    size_t bytes;
    CURL *h = curl_easy_init();
    *(int *)arg |= (int)get(h, &bytes);
    curl_easy_cleanup(h);
  }
  return NULL;
}

static int threads(void)
{
  pthread_t id[2];
  int rc[2] = { 0, 0 };
  int i;
  for(i = 0; i < 2; i++)
    pthread_create(&id[i], NULL, ten, &rc[i]);
  for(i = 0; i < 2; i++)
    pthread_join(id[i], NULL);
  return rc[0] | rc[1];
}

static int control(void)
{
  long long (*fault)(const char *, long long);
  void *sym = symbol("mote_fault_control");
  size_t bytes;
  CURLcode first, second;
  long long fired, calls;
  CURL *h = curl_easy_init();
  memcpy(&fault, &sym, sizeof sym);
  fault("alloc", 0);
  fault("at", 3);
  first = get(h, &bytes);
  fired = fault("disarm", 0);
  calls = fault("calls", 0);
  second = get(h, &bytes);
  printf("first=%d fired=%lld calls=%lld second=%d ", first, fired, calls, second);
  printf("later=%lld held=%d unknown=%lld ", fault("calls", 0) - calls,
         fault("live", 0) > 0 && fault("bytes", 0) > 0 && fault("fds", 0) == 1, fault("nonsense", 0));
  curl_easy_cleanup(h);
  printf("live=%lld bytes=%lld fds=%lld\n", fault("live", 0), fault("bytes", 0), fault("fds", 0));
  return 0;
}

static int port(void)
{
  size_t bytes;
  CURL *h = curl_easy_init();
  CURLcode rc;
  curl_easy_setopt(h, CURLOPT_FTPPORT, "-");
  curl_easy_setopt(h, CURLOPT_FTP_USE_EPRT, 0L);
  rc = get(h, &bytes);
  curl_easy_cleanup(h);
  return (int)rc;
}

static int forked(void)
{
  CURL *h = curl_easy_init();
  pid_t child = fork();
  if(child)
    waitpid(child, NULL, 0);
  curl_easy_cleanup(h);
  return 0;
}

static int own(void)
{
  size_t bytes;
  CURL *h;
  CURLcode rc;
  curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, free, realloc, strdup, calloc);
  h = curl_easy_init();
  rc = get(h, &bytes);
  curl_easy_cleanup(h);
  return (int)rc;
}

int main(int argc, char **argv)
{
  char *p = NULL;
  url = argc > 2 ? argv[2] : "";
  ca = argc > 3 ? argv[3] : NULL;
  switch(argc > 1 ? argv[1][0] : 0) {
  case 'g':
    return one();
  case 't':
    if(!strcmp(argv[1], "threads"))
      return threads();
    p = curl_easy_escape(NULL, "a b", 0);
    curl_free(p);
    curl_free(p);
    return 0;
  case 'c':
    return control();
  case 'f':
    return forked();
  case 'o':
    return own();
  case 'p':
    return port();
  case 'a':
    curl_easy_init();
    abort();
  default:
    return 2;
  }
}
