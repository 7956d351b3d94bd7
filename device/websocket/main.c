/* A device that keeps a WebSocket open (wss:): it sends measurements and gets messages, as long as both sides
 * want. Argument: the URL of a server (tests/e2e/ws_servers.py) that echoes, that answers "ping TEXT" with a
 * PING and, after its PONG, with "pong TEXT", and that closes after "bye". Exits with 0 when everything came
 * back and the connection ended well; prints the memory of the library and TLS, at most and while it idles. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "roots.h"

#define IDLE_MS 1500L /* between two messages */

/* What is sent, and what comes back. */
static const char *const sent[] = {"{\"celsius\":21}", "{\"celsius\":22}", "ping device", "{\"celsius\":23}", "bye"};
static const char *const expected[] = {"{\"celsius\":21}", "{\"celsius\":22}", "pong device", "{\"celsius\":23}",
                                       "\x03\xe8" "bye"}; /* the close frame's code and reason */
#define MESSAGES (sizeof sent / sizeof sent[0])

struct device {
  CURL *curl;
  unsigned asked; /* messages sent */
  unsigned got;   /* answers */
  int wrong;
};

/* ---- the library's memory, counted ---- */

static size_t live, peak, idle;

static void *count(size_t *block, size_t size)
{
  if(!block)
    return NULL;
  *block = size;
  live += size;
  peak = live > peak ? live : peak;
  return block + 2;
}

static void *on_malloc(size_t size)
{
  return count(malloc(size + 2 * sizeof(size_t)), size);
}

static void on_free(void *p)
{
  size_t *block = p;
  if(p) {
    live -= block[-2];
    free(block - 2);
  }
}

static void *on_realloc(void *p, size_t size)
{
  size_t *block = p, old = p ? block[-2] : 0;
  void *moved = count(realloc(p ? block - 2 : NULL, size + 2 * sizeof(size_t)), size);
  live -= moved ? old : 0;
  return moved;
}

static void *on_calloc(size_t n, size_t size)
{
  void *p = on_malloc(n * size);
  return p ? memset(p, 0, n * size) : NULL;
}

static char *on_strdup(const char *text)
{
  char *p = on_malloc(strlen(text) + 1);
  return p ? strcpy(p, text) : NULL;
}

/* ---- the connection ---- */

/* Each call has one message: they are shorter than a TLS record. */
static size_t on_message(char *p, size_t size, size_t n, void *arg)
{
  struct device *d = arg;
  const struct curl_ws_frame *frame = curl_ws_meta(d->curl);
  size_t len = size * n, took;
  const char *right = d->got < MESSAGES ? expected[d->got] : "";
  d->got++;
  if(!frame || frame->offset || frame->bytesleft || len != strlen(right) || memcmp(p, right, len) != 0)
    d->wrong = 1;
  if(frame && frame->flags & CURLWS_CLOSE) /* answered with the same code */
    (void)curl_ws_send(d->curl, p, 2, &took, 0, CURLWS_CLOSE);
  return len;
}

static int send_next(struct device *d)
{
  size_t took, len = strlen(sent[d->asked]);
  CURLcode rc;
  idle = live;
  rc = curl_ws_send(d->curl, sent[d->asked], len, &took, 0, CURLWS_TEXT);
  d->asked++;
  return rc || took != len;
}

static CURLcode result(CURLM *multi)
{
  int left;
  const CURLMsg *message = curl_multi_info_read(multi, &left);
  return message ? message->data.result : CURLE_FAILED_INIT;
}

/* A message after the one before has come back and some time has passed. */
static int keep(CURLM *multi, struct device *d)
{
  int running, ready;
  long status = 0;
  for(;;) {
    if(curl_multi_perform(multi, &running))
      return 1;
    if(!running)
      return 0;
    (void)curl_easy_getinfo(d->curl, CURLINFO_RESPONSE_CODE, &status);
    ready = status == 101 && d->got == d->asked && d->asked < MESSAGES;
    if(curl_multi_poll(multi, NULL, 0, ready ? IDLE_MS : 1000L, NULL) || (ready && d->got == d->asked && send_next(d)))
      return 1;
  }
}

static int run(const char *url)
{
  struct device d = {curl_easy_init(), 0, 0, 0};
  CURLM *multi = curl_multi_init();
  CURLcode rc = CURLE_FAILED_INIT;
  int wrong = !d.curl || !multi || roots_set(d.curl, 0) || curl_easy_setopt(d.curl, CURLOPT_URL, url) ||
              curl_easy_setopt(d.curl, CURLOPT_WRITEFUNCTION, on_message) ||
              curl_easy_setopt(d.curl, CURLOPT_WRITEDATA, &d) || curl_easy_setopt(d.curl, CURLOPT_TIMEOUT, 120L) ||
              curl_multi_add_handle(multi, d.curl);
  if(!wrong) {
    wrong = keep(multi, &d);
    rc = result(multi);
    (void)curl_multi_remove_handle(multi, d.curl);
  }
  printf("code %d, %u of %u messages%s\n", (int)rc, d.got, (unsigned)MESSAGES, d.wrong ? ", WRONG" : "");
  curl_easy_cleanup(d.curl);
  (void)curl_multi_cleanup(multi);
  return wrong || rc || d.wrong || d.got != MESSAGES;
}

int main(void)
{
  char url[128];
  int status;
  board_arguments(url, sizeof url);
  if(!board_network_up(20000) ||
     curl_global_init_mem(CURL_GLOBAL_DEFAULT, on_malloc, on_free, on_realloc, on_strdup, on_calloc)) {
    printf("no network\n");
    return 2;
  }
  status = run(url);
  curl_global_cleanup();
  printf("%s, idle %u, peak %u, stack %u\n", status || live ? "FAILED" : "passed", (unsigned)idle, (unsigned)peak,
         (unsigned)board_stack_used());
  return status || live;
}
