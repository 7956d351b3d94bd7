/* ws URL OPERATION SIZE TIMES: one WebSocket by CURLOPT_CONNECT_ONLY.
 * echo: TIMES messages of SIZE bytes are sent and come back, each compared; the program waits before it
 * receives.
 * receive: TIMES messages of SIZE bytes are received into a buffer of 64 KB. */
#include "common.h"

#include <poll.h>

#define ROOM 65536

static CURL *easy;
static curl_socket_t sock;

static void wrong(const char *what, int rc)
{
  fprintf(stderr, "%s: %d\n", what, rc);
  exit(1);
}

static void wait_for(short events)
{
  struct pollfd p = {.fd = sock, .events = events};
  if(poll(&p, 1, 10000) <= 0)
    wrong("ten seconds without an event", 0);
}

static void send_all(const char *bytes, size_t size)
{
  size_t done = 0, n;
  while(done < size) {
    CURLcode rc = curl_ws_send(easy, bytes + done, size - done, &n, 0, CURLWS_BINARY);
    if(rc && rc != CURLE_AGAIN)
      wrong("curl_ws_send", rc);
    done += n;
    if(done < size)
      wait_for(POLLOUT);
  }
}

static void receive_all(char *bytes, size_t size, size_t room)
{
  size_t done = 0, n;
  while(done < size) {
    const struct curl_ws_frame *meta;
    size_t most = size - done < room ? size - done : room;
    CURLcode rc = curl_ws_recv(easy, room < ROOM ? bytes + done : bytes, most, &n, (void *)&meta);
    if(rc == CURLE_AGAIN)
      wait_for(POLLIN);
    else if(rc)
      wrong("curl_ws_recv", rc);
    else
      done += n;
  }
}

static void echo(const char *out, char *in, size_t size)
{
  send_all(out, size);
  wait_for(POLLIN);
  receive_all(in, size, ROOM - 1);
  if(memcmp(in, out, size))
    wrong("the echo differs", 0);
}

int main(int argc, char **argv)
{
  static char out[ROOM], in[ROOM];
  long size = argc > 4 ? atol(argv[3]) : 0, times = argc > 4 ? atol(argv[4]) : 0, i;
  long long got = 0;
  CURLcode rc;
  bench_begin();
  if(size < 1 || size > ROOM || times < 1)
    return 2;
  bench_phase("start");
  curl_global_init(CURL_GLOBAL_DEFAULT);
  easy = curl_easy_init();
  bench_setup(easy, argv[1], &got);
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 2L);
  rc = curl_easy_perform(easy);
  if(rc || curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &sock))
    wrong("the handshake", rc);
  bench_phase("handshake");
  memset(out, 'x', sizeof out);
  for(i = 0; i < times; i++) {
    if(!strcmp(argv[2], "echo"))
      echo(out, in, (size_t)size);
    else
      receive_all(in, (size_t)size, ROOM);
    if(!i)
      bench_phase("first");
  }
  bench_phase("rest");
  printf("result messages=%ld\n", times);
  curl_easy_cleanup(easy);
  curl_global_cleanup();
  return 0;
}
