/* An ordinary program for <curl/curl.h>, with malloc() and printf(): it posts a measurement, then fetches
 * several pages at once. Argument: the URL of a server (tools/devices/peer.py) that echoes /post and has /page
 * and /chunked. Exits with 0 when all responses were right. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "roots.h"

#define MANY 3

struct answer {
  CURL *curl;
  CURLcode rc;
  long status;
  size_t bytes;
  char text[64]; /* the body's beginning */
};

static char server[128];

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  struct answer *a = arg;
  size_t len = size * n, room = sizeof a->text - 1;
  if(a->bytes < room) {
    size_t part = len < room - a->bytes ? len : room - a->bytes;
    memcpy(a->text + a->bytes, p, part);
    a->text[a->bytes + part] = 0;
  }
  a->bytes += len;
  return len;
}

static int prepare(struct answer *a, const char *path, const char *post)
{
  char url[sizeof server + 16];
  memset(a, 0, sizeof *a);
  a->rc = CURLE_FAILED_INIT;
  a->curl = curl_easy_init();
  if(!a->curl || roots_set(a->curl, 0))
    return 1;
  (void)snprintf(url, sizeof url, "%s/%s", server, path);
  return curl_easy_setopt(a->curl, CURLOPT_URL, url) || curl_easy_setopt(a->curl, CURLOPT_WRITEFUNCTION, on_body) ||
         curl_easy_setopt(a->curl, CURLOPT_WRITEDATA, a) || curl_easy_setopt(a->curl, CURLOPT_TIMEOUT_MS, 60000L) ||
         (post && curl_easy_setopt(a->curl, CURLOPT_COPYPOSTFIELDS, post));
}

/* Returns 1 when the response is wrong. */
static int look(struct answer *a, size_t bytes, const char *text)
{
  int wrong;
  (void)curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &a->status);
  wrong = a->rc || a->status != 200 || a->bytes != bytes || (text && strcmp(a->text, text) != 0);
  printf("code %d, status %ld, %u bytes%s\n", (int)a->rc, a->status, (unsigned)a->bytes, wrong ? " WRONG" : "");
  return wrong;
}

static int post_telemetry(void)
{
  struct answer a;
  struct curl_slist *fields = curl_slist_append(NULL, "Content-Type: application/json");
  char json[64];
  int wrong, number = atoi("21");
  (void)snprintf(json, sizeof json, "{\"device\":\"mote\",\"celsius\":%d}", number);
  if(prepare(&a, "post", json) || curl_easy_setopt(a.curl, CURLOPT_HTTPHEADER, fields))
    return 1;
  a.rc = curl_easy_perform(a.curl);
  wrong = look(&a, strlen(json), json) | (number != 21);
  curl_easy_cleanup(a.curl);
  curl_slist_free_all(fields);
  return wrong;
}

static void collect(CURLM *multi, struct answer *all)
{
  CURLMsg *message;
  int left, i;
  while((message = curl_multi_info_read(multi, &left)))
    for(i = 0; i < MANY; i++)
      if(all[i].curl == message->easy_handle)
        all[i].rc = message->data.result;
}

static int drive(CURLM *multi, struct answer *all, int *most)
{
  int running;
  do {
    if(curl_multi_perform(multi, &running) || curl_multi_poll(multi, NULL, 0, 1000, NULL))
      return 1;
    *most = running > *most ? running : *most;
    collect(multi, all);
  } while(running);
  return 0;
}

static int at_once(void)
{
  static const char *const paths[MANY] = {"page", "chunked", "post"};
  static const size_t bytes[MANY] = {31, 20000, 5};
  struct answer all[MANY];
  CURLM *multi = curl_multi_init();
  int i, wrong = 0, most = 0;
  if(!multi)
    return 1;
  for(i = 0; i < MANY; i++)
    wrong |= prepare(&all[i], paths[i], i == 2 ? "count" : NULL) || curl_multi_add_handle(multi, all[i].curl);
  wrong = wrong || curl_multi_wakeup(multi) || drive(multi, all, &most);
  for(i = 0; i < MANY; i++) {
    wrong |= look(&all[i], bytes[i], i == 2 ? "count" : NULL);
    (void)curl_multi_remove_handle(multi, all[i].curl);
    curl_easy_cleanup(all[i].curl);
  }
  printf("%d at once\n", most);
  return curl_multi_cleanup(multi) || wrong || most != MANY;
}

int main(void)
{
  int wrong;
  board_arguments(server, sizeof server);
  if(!board_network_up(10000) || curl_global_init(CURL_GLOBAL_DEFAULT)) {
    printf("no network\n");
    return 2;
  }
  wrong = post_telemetry() | at_once();
  curl_global_cleanup();
  printf("%s, stack %u\n", wrong ? "FAILED" : "passed", (unsigned)board_stack_used());
  return wrong;
}
