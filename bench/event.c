/* event N PIECES:  N downloads at once in one multi, driven by curl_multi_socket_action(); their body comes
 *                  in so many pieces, each of which is an event. The cost of one event is the difference
 *                  of two runs.
 *
 * The server is in this program, so that each run has the same events on any machine. */
#include "common.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE 200 /* bytes */

struct work {
  CURL *e;
  int client;    /* the library's descriptor */
  int server;    /* the other end; -1: not accepted */
  long long got; /* bytes of the body */
};

static curl_socket_t open_client(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
  struct work *w = user;
  (void)purpose;
  w->client = socket(address->family, address->socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address->protocol);
  return w->client;
}

/* The program knows when a descriptor is ready, and calls when a timer is due. */
static int on_socket(CURL *e, curl_socket_t s, int what, void *user, void *known)
{
  (void)e;
  (void)s;
  (void)what;
  (void)user;
  (void)known;
  return 0;
}

static int on_timer(CURLM *m, long ms, void *user)
{
  (void)m;
  (void)ms;
  (void)user;
  return 0;
}

static void setup(CURLM *m, struct work *w, const char *url)
{
  w->client = w->server = -1;
  w->e = curl_easy_init();
  bench_setup(w->e, url, &w->got);
  curl_easy_setopt(w->e, CURLOPT_OPENSOCKETFUNCTION, open_client);
  curl_easy_setopt(w->e, CURLOPT_OPENSOCKETDATA, w);
  curl_multi_add_handle(m, w->e);
}

static int listen_here(char *url, size_t size)
{
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t len = sizeof a;
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if(bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 1024) ||
     getsockname(s, (struct sockaddr *)&a, &len))
    return -1;
  snprintf(url, size, "http://127.0.0.1:%d/", ntohs(a.sin_port));
  return s;
}

/* Connections come in the order in which they were begun. */
static int accept_all(int listener, struct work *w, int n)
{
  int i;
  for(i = 0; i < n && w[i].client >= 0; i++) {
    struct pollfd p = {listener, POLLIN, 0};
    w[i].server = poll(&p, 1, 10000) == 1 ? accept(listener, NULL, NULL) : -1;
  }
  return i;
}

static void ready(CURLM *m, struct work *w, short poll_for, int what)
{
  struct pollfd p = {w->client, poll_for, 0};
  int running;
  if(poll(&p, 1, 10000) == 1)
    curl_multi_socket_action(m, w->client, what, &running);
}

static void send_piece(CURLM *m, struct work *w, const char *bytes, size_t len)
{
  if(send(w->server, bytes, len, MSG_NOSIGNAL) == (ssize_t)len)
    ready(m, w, POLLIN, CURL_CSELECT_IN);
}

/* Takes the request and answers with a head. */
static int answer(CURLM *m, struct work *w, long pieces)
{
  char bytes[4096];
  ready(m, w, POLLOUT, CURL_CSELECT_OUT);
  if(recv(w->server, bytes, sizeof bytes, 0) <= 0)
    return 0;
  snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\nContent-Length: %ld\r\n\r\n", pieces * PIECE);
  send_piece(m, w, bytes, strlen(bytes));
  return 1;
}

static int download(CURLM *m, struct work *w, int n, long pieces, int listener)
{
  static const char body[PIECE];
  int running, answered = 0, good = 0, i;
  long round;
  curl_multi_socket_action(m, CURL_SOCKET_TIMEOUT, 0, &running);
  if(accept_all(listener, w, n) == n)
    for(i = 0; i < n; i++)
      answered += answer(m, &w[i], pieces);
  for(round = 0; answered == n && round < pieces; round++)
    for(i = 0; i < n; i++)
      send_piece(m, &w[i], body, sizeof body);
  for(i = 0; i < n; i++)
    good += w[i].got == pieces * PIECE;
  printf("result answered=%d good=%d events=%ld\n", answered, good, pieces * n);
  return good == n;
}

int main(int argc, char **argv)
{
  int n = argc > 2 ? atoi(argv[1]) : 0;
  struct work *w = calloc((size_t)n + 1, sizeof *w);
  char url[64];
  int listener = listen_here(url, sizeof url);
  int good, i;
  CURLM *m;
  if(!w || n < 1 || listener < 0)
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  m = curl_multi_init();
  curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, (long)n);
  for(i = 0; i < n; i++)
    setup(m, &w[i], url);
  good = download(m, w, n, atol(argv[2]), listener);
  for(i = 0; i < n; i++) {
    curl_multi_remove_handle(m, w[i].e);
    curl_easy_cleanup(w[i].e);
  }
  curl_multi_cleanup(m);
  curl_global_cleanup();
  free(w);
  return !good;
}
