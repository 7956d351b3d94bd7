/* tests/e2e/floods.c: one transfer from a server that sends without an end, next to another one.
 *
 * floods WAY DEADLINE OPTION=VALUE..., WAY being perform or socket. The transfer has to be over DEADLINE
 * milliseconds after its beginning. Before each round of calls one byte is sent to the other transfer of the
 * same multi, whose server this program is. It writes one line:
 *
 *   code     of the transfer
 *   calls    of curl_multi_perform(), curl_multi_socket_action() and curl_ws_recv()
 *   longest  of them, in microseconds of this thread's processor time
 *   late     rounds that began after the deadline and left the transfer under way
 *   stalls   rounds that left a byte of the other transfer where it was, which came before the round before
 *   others   bytes that the other transfer has received
 *
 * None of these depends on how busy the machine is. For test_floods.py, where they are judged. */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WATCHED 64
#define LATE 100   /* milliseconds after which a deadline has to be seen */
#define HUNG 60    /* seconds: something waits for ever */

static struct {
  CURLM *multi;
  CURL *flood, *other;
  struct curl_slist *lists;
  int code; /* of the flood; -1: under way */
  int listener, peer; /* of the other transfer */
  long sent, got, before;
  long calls, late, stalls, longest;
  struct pollfd watched[WATCHED];
  nfds_t watches;
  double timer; /* when it is due, in milliseconds; 0: never */
  double deadline;
} now = {.code = -1, .listener = -1, .peer = -1};

static double clock_ms(clockid_t which)
{
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void fail(const char *what)
{
  fprintf(stderr, "%s\n", what);
  exit(2);
}

static size_t drop(char *bytes, size_t size, size_t n, void *count)
{
  (void)bytes;
  if(count)
    *(long *)count += (long)(size * n);
  return size * n;
}

static size_t endless(char *bytes, size_t size, size_t n, void *p)
{
  (void)p;
  memset(bytes, 'x', size * n);
  return size * n;
}

/* ---- the calls, each of them measured ---- */

static double begin_call(void)
{
  now.calls++;
  return clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

static void end_call(double begun)
{
  long took = (long)((clock_ms(CLOCK_THREAD_CPUTIME_ID) - begun) * 1e3);
  if(took > now.longest)
    now.longest = took;
}

static void act(curl_socket_t fd, int events)
{
  int running;
  double begun = begin_call();
  if(curl_multi_socket_action(now.multi, fd, events, &running))
    fail("curl_multi_socket_action");
  end_call(begun);
}

static int watch(CURL *easy, curl_socket_t fd, int what, void *p, void *of)
{
  nfds_t i;
  (void)easy;
  (void)p;
  (void)of;
  for(i = 0; i < now.watches && now.watched[i].fd != fd; i++)
    ;
  if(what == CURL_POLL_REMOVE) {
    if(i < now.watches)
      now.watched[i] = now.watched[--now.watches];
    return 0;
  }
  if(i == WATCHED)
    fail("too many sockets");
  if(i == now.watches)
    now.watches++;
  now.watched[i].fd = fd;
  now.watched[i].events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
  return 0;
}

static int set_timer(CURLM *m, long ms, void *p)
{
  (void)m;
  (void)p;
  now.timer = ms < 0 ? 0 : clock_ms(CLOCK_MONOTONIC) + (double)ms + 0.001;
  return 0;
}

static void socket_round(void)
{
  struct pollfd ready[WATCHED];
  nfds_t i, n = now.watches;
  double t = clock_ms(CLOCK_MONOTONIC);
  int wait = now.timer && now.timer - t < 20 ? (int)(now.timer - t + 1) : 20;
  memcpy(ready, now.watched, n * sizeof *ready);
  if(poll(ready, n, wait < 0 ? 0 : wait) < 0 && errno != EINTR)
    fail("poll");
  for(i = 0; i < n; i++) {
    int events = (ready[i].revents & POLLIN ? CURL_CSELECT_IN : 0) |
                 (ready[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
                 (ready[i].revents & (POLLERR | POLLHUP) ? CURL_CSELECT_ERR : 0);
    if(events)
      act(ready[i].fd, events);
  }
  if(now.timer && clock_ms(CLOCK_MONOTONIC) >= now.timer) {
    now.timer = 0;
    act(CURL_SOCKET_TIMEOUT, 0);
  }
}

static void perform_round(void)
{
  int running;
  double begun;
  if(curl_multi_poll(now.multi, NULL, 0, 20, NULL))
    fail("curl_multi_poll");
  begun = begin_call();
  if(curl_multi_perform(now.multi, &running))
    fail("curl_multi_perform");
  end_call(begun);
}

/* ---- the other transfer ---- */

static void listen_for_other(char *url, size_t size)
{
  struct sockaddr_in a = {.sin_family = AF_INET};
  socklen_t len = sizeof a;
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  now.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if(now.listener < 0 || bind(now.listener, (struct sockaddr *)&a, sizeof a) || listen(now.listener, 1) ||
     getsockname(now.listener, (struct sockaddr *)&a, &len))
    fail("listener");
  snprintf(url, size, "http://127.0.0.1:%u/", (unsigned)ntohs(a.sin_port));
}

static void feed_other(void)
{
  static const char head[] = "HTTP/1.1 200 OK\r\n\r\n";
  int on = 1;
  now.before = now.sent;
  if(now.peer < 0) {
    now.peer = accept(now.listener, NULL, NULL);
    if(now.peer < 0)
      return;
    setsockopt(now.peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if(send(now.peer, head, sizeof head - 1, MSG_NOSIGNAL) != sizeof head - 1)
      fail("send");
  }
  if(send(now.peer, "x", 1, MSG_NOSIGNAL) != 1)
    fail("send");
  now.sent++;
}

/* ---- the flood ---- */

static void set_option(const char *text)
{
  const char *value = strchr(text, '=');
  char name[64];
  const struct curl_easyoption *o;
  CURLcode rc;
  if(!value || value - text >= (long)sizeof name)
    fail(text);
  memcpy(name, text, (size_t)(value - text));
  name[value++ - text] = 0;
  o = curl_easy_option_by_name(name);
  if(!o)
    fail(text);
  if(o->type == CURLOT_LONG || o->type == CURLOT_VALUES)
    rc = curl_easy_setopt(now.flood, o->id, atol(value));
  else if(o->type == CURLOT_OFF_T)
    rc = curl_easy_setopt(now.flood, o->id, (curl_off_t)atoll(value));
  else if(o->type == CURLOT_SLIST) {
    now.lists = curl_slist_append(now.lists, value);
    rc = curl_easy_setopt(now.flood, o->id, now.lists);
  }
  else
    rc = curl_easy_setopt(now.flood, o->id, value);
  if(rc)
    fail(text);
}

/* A WebSocket that is open: the application reads its messages until the deadline. */
static void receive_messages(void)
{
  while(clock_ms(CLOCK_MONOTONIC) < now.deadline) {
    char bytes[4096];
    size_t n;
    const struct curl_ws_frame *meta;
    double begun = begin_call();
    CURLcode rc = curl_ws_recv(now.flood, bytes, sizeof bytes, &n, &meta);
    end_call(begun);
    if(rc == CURLE_AGAIN)
      perform_round();
    else if(rc) {
      now.code = (int)rc;
      return;
    }
  }
}

static void look_for_end(void)
{
  CURLMsg *m;
  int left;
  while((m = curl_multi_info_read(now.multi, &left)) != NULL)
    if(m->easy_handle == now.flood)
      now.code = (int)m->data.result;
}

static void run(void (*round)(void), double ms)
{
  double begun = clock_ms(CLOCK_MONOTONIC);
  now.deadline = begun + ms;
  while(now.code < 0) {
    double t = clock_ms(CLOCK_MONOTONIC);
    if(t > begun + HUNG * 1e3)
      fail("the transfer hangs");
    feed_other();
    round();
    look_for_end();
    now.late += now.code < 0 && t > now.deadline + LATE;
    now.stalls += now.got < now.before;
  }
}

int main(int argc, char **argv)
{
  char url[64];
  int i;
  if(argc < 4)
    fail("floods WAY DEADLINE OPTION=VALUE...");
  curl_global_init(CURL_GLOBAL_DEFAULT);
  now.multi = curl_multi_init();
  now.flood = curl_easy_init();
  now.other = curl_easy_init();
  listen_for_other(url, sizeof url);
  curl_easy_setopt(now.other, CURLOPT_URL, url);
  curl_easy_setopt(now.other, CURLOPT_WRITEFUNCTION, drop);
  curl_easy_setopt(now.other, CURLOPT_WRITEDATA, &now.got);
  curl_easy_setopt(now.flood, CURLOPT_WRITEFUNCTION, drop);
  curl_easy_setopt(now.flood, CURLOPT_WRITEDATA, NULL);
  for(i = 3; i < argc; i++)
    if(!strcmp(argv[i], "endless"))
      curl_easy_setopt(now.flood, CURLOPT_READFUNCTION, endless);
    else
      set_option(argv[i]);
  if(!strcmp(argv[1], "socket")) {
    curl_multi_setopt(now.multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(now.multi, CURLMOPT_TIMERFUNCTION, set_timer);
  }
  curl_multi_add_handle(now.multi, now.other);
  curl_multi_add_handle(now.multi, now.flood);
  run(strcmp(argv[1], "socket") ? perform_round : socket_round, atof(argv[2]));
  if(!strcmp(argv[1], "messages") && !now.code)
    receive_messages();
  printf("%d %ld %ld %ld %ld %ld\n", now.code, now.calls, now.longest, now.late, now.stalls, now.got);
  curl_multi_remove_handle(now.multi, now.flood);
  curl_multi_remove_handle(now.multi, now.other);
  curl_easy_cleanup(now.flood);
  curl_easy_cleanup(now.other);
  curl_multi_cleanup(now.multi);
  curl_slist_free_all(now.lists);
  close(now.listener);
  if(now.peer >= 0)
    close(now.peer);
  curl_global_cleanup();
  return 0;
}
