/* tests/unit/net/http_client.h: easy handles for http_server.h, after it; one server per program. */
#ifndef MOTE_TEST_HTTP_CLIENT_H
#define MOTE_TEST_HTTP_CLIENT_H

#include <curl/curl.h>
#include <time.h>

static struct http_server server;

static inline size_t swallow(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

/* With a URL of the server's, what comes is swallowed. NULL: out of memory. */
static inline CURL *easy_for(const char *path)
{
  CURL *e = curl_easy_init();
  char url[100];
  if(!e)
    return NULL;
  snprintf(url, sizeof url, "http://127.0.0.1:%u%s", server.port, path);
  if(curl_easy_setopt(e, CURLOPT_URL, url) || curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, swallow)) {
    CHECK(test_mem.failed);
    curl_easy_cleanup(e);
    return NULL;
  }
  return e;
}

/* Milliseconds on a clock. */
static inline long now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The server runs, and no proxy is asked for. */
static inline void http_begin(void)
{
  unsetenv("http_proxy");
  unsetenv("all_proxy");
  unsetenv("ALL_PROXY");
  http_server_start(&server);
}

#endif
