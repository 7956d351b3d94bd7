/* tests/e2e/crossing.c: every callback calls every function, on every handle.
 *
 * crossing WAY CALLBACK URL [FUNCTION], WAY being easy, perform or socket. In the callback's first call the
 * function is called once; then everything goes on to its end and is cleaned up. Each combination writes a
 * line: function, handle, answer (-1: none), whether the callback was called.
 * For test_crossing.py; the answers are judged there. */
#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum who { SELF, OTHER, IDLE, WHO_LAST };

static struct {
  CURLM *multi;
  CURL *easy[WHO_LAST]; /* of the callback, in the same multi, in none */
  CURLSH *share;
  const char *way, *callback, *url;
  void (*function)(void);
  enum who who;
  long answer;
  int armed, called, gone; /* gone: the function has freed the handle */
  long timeout;
  curl_socket_t fds[64];
  int events[64], count;
  int done[WHO_LAST];
} now;

#define NO_ANSWER -1L

/* ---- the functions ---- */

static CURL *target(void)
{
  return now.easy[now.who];
}

/* A handle that is in no callback, nor in a multi that is in one: it is really cleaned up. */
static int is_free(void)
{
  int easy = !strcmp(now.way, "easy");
  if(now.who == IDLE || !strcmp(now.callback, "notify"))
    return 1;
  if(!strcmp(now.callback, "closesocket")) /* the handles have left the multi */
    return !easy || now.who == OTHER;
  return easy && now.who == OTHER;
}

static void f_easy_cleanup(void)
{
  curl_easy_cleanup(target());
  now.gone = is_free();
}

static void f_easy_reset(void) { curl_easy_reset(target()); }
static void f_easy_perform(void) { now.answer = curl_easy_perform(target()); }
static void f_easy_pause(void) { now.answer = curl_easy_pause(target(), CURLPAUSE_CONT); }
static void f_easy_upkeep(void) { now.answer = curl_easy_upkeep(target()); }
static void f_easy_setopt(void) { now.answer = curl_easy_setopt(target(), CURLOPT_URL, now.url); }
static void f_easy_unshare(void) { now.answer = curl_easy_setopt(target(), CURLOPT_SHARE, NULL); }

static void f_easy_send(void)
{
  size_t n = 0;
  now.answer = curl_easy_send(target(), "x", 1, &n);
}

static void f_easy_recv(void)
{
  char byte;
  size_t n = 0;
  now.answer = curl_easy_recv(target(), &byte, 1, &n);
}

static void f_easy_getinfo(void)
{
  curl_socket_t fd;
  now.answer = curl_easy_getinfo(target(), CURLINFO_ACTIVESOCKET, &fd);
}

static void f_easy_duphandle(void)
{
  CURL *copy = curl_easy_duphandle(target());
  if(copy)
    curl_easy_setopt(copy, CURLOPT_CLOSESOCKETFUNCTION, NULL);
  curl_easy_cleanup(copy);
}

static void f_multi_add(void) { now.answer = curl_multi_add_handle(now.multi, target()); }

static void f_multi_remove(void)
{
  now.answer = curl_multi_remove_handle(now.multi, target());
  if(!now.answer && now.who != IDLE)
    now.done[now.who] = 1;
}

static void f_multi_cleanup(void)
{
  now.answer = curl_multi_cleanup(now.multi);
  if(!now.answer)
    now.multi = NULL;
}

static void f_multi_perform(void)
{
  int running;
  now.answer = curl_multi_perform(now.multi, &running);
}

static void f_multi_socket_action(void)
{
  int running;
  now.answer = curl_multi_socket_action(now.multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

static void f_multi_wait(void)
{
  int n;
  now.answer = curl_multi_wait(now.multi, NULL, 0, 0, &n);
}

static void f_multi_poll(void)
{
  int n;
  now.answer = curl_multi_poll(now.multi, NULL, 0, 0, &n);
}

static void f_multi_fdset(void)
{
  fd_set in, out, other;
  int max;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_ZERO(&other);
  now.answer = curl_multi_fdset(now.multi, &in, &out, &other, &max);
}

static void f_multi_timeout(void)
{
  long ms;
  now.answer = curl_multi_timeout(now.multi, &ms);
}

static void f_multi_info_read(void)
{
  int n, i;
  CURLMsg *msg = curl_multi_info_read(now.multi, &n);
  for(i = 0; msg && i < IDLE; i++)
    now.done[i] |= msg->easy_handle == now.easy[i];
}

static void f_multi_setopt(void) { now.answer = curl_multi_setopt(now.multi, CURLMOPT_MAXCONNECTS, 3L); }
static void f_multi_assign(void) { now.answer = curl_multi_assign(now.multi, -1, NULL); }
static void f_multi_wakeup(void) { now.answer = curl_multi_wakeup(now.multi); }
static void f_share_cleanup(void)
{
  now.answer = curl_share_cleanup(now.share);
  if(!now.answer)
    now.share = NULL;
}
static void f_share_setopt(void)
{
  now.answer = curl_share_setopt(now.share, CURLSHOPT_UNSHARE, CURL_LOCK_DATA_DNS);
}

static const struct {
  const char *name;
  void (*call)(void);
  int handles; /* called once per handle */
} functions[] = {
  {"easy_cleanup", f_easy_cleanup, 1}, {"easy_reset", f_easy_reset, 1}, {"easy_perform", f_easy_perform, 1},
  {"easy_pause", f_easy_pause, 1}, {"easy_upkeep", f_easy_upkeep, 1}, {"easy_setopt", f_easy_setopt, 1},
  {"easy_unshare", f_easy_unshare, 1}, {"easy_send", f_easy_send, 1}, {"easy_recv", f_easy_recv, 1},
  {"easy_getinfo", f_easy_getinfo, 1}, {"easy_duphandle", f_easy_duphandle, 1},
  {"multi_add_handle", f_multi_add, 1}, {"multi_remove_handle", f_multi_remove, 1},
  {"multi_cleanup", f_multi_cleanup, 0}, {"multi_perform", f_multi_perform, 0},
  {"multi_socket_action", f_multi_socket_action, 0}, {"multi_wait", f_multi_wait, 0},
  {"multi_poll", f_multi_poll, 0}, {"multi_fdset", f_multi_fdset, 0}, {"multi_timeout", f_multi_timeout, 0},
  {"multi_info_read", f_multi_info_read, 0}, {"multi_setopt", f_multi_setopt, 0},
  {"multi_assign", f_multi_assign, 0}, {"multi_wakeup", f_multi_wakeup, 0},
  {"share_cleanup", f_share_cleanup, 0}, {"share_setopt", f_share_setopt, 0},
};

/* ---- the callbacks ---- */

static void cross(const char *callback)
{
  if(!now.armed || now.called || strcmp(callback, now.callback))
    return;
  now.called = 1;
  now.function();
}

static size_t on_write(char *data, size_t size, size_t n, void *arg)
{
  (void)data;
  (void)arg;
  cross("write");
  return size * n;
}

static size_t on_header(char *data, size_t size, size_t n, void *arg)
{
  (void)data;
  (void)arg;
  cross("header");
  return size * n;
}

static size_t on_read(char *data, size_t size, size_t n, void *arg)
{
  (void)data;
  (void)size;
  (void)n;
  (void)arg;
  cross("read");
  return 0;
}

static int on_seek(void *arg, curl_off_t offset, int origin)
{
  (void)arg;
  (void)offset;
  (void)origin;
  cross("seek");
  return 0;
}

static int on_xferinfo(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
  (void)arg;
  (void)a;
  (void)b;
  (void)c;
  (void)d;
  cross("xferinfo");
  return 0;
}

static int on_debug(CURL *easy, curl_infotype type, char *data, size_t size, void *arg)
{
  (void)easy;
  (void)type;
  (void)data;
  (void)size;
  (void)arg;
  cross("debug");
  return 0;
}

static curl_socket_t on_opensocket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
  (void)arg;
  (void)purpose;
  cross("opensocket");
  return socket(a->family, a->socktype, a->protocol);
}

extern int close(int fd);

static int on_closesocket(void *arg, curl_socket_t fd)
{
  (void)arg;
  cross("closesocket"); /* when the multi is cleaned up */
  cross("closing");     /* when the transfer is over */
  return close(fd);
}

static int on_sockopt(void *arg, curl_socket_t fd, curlsocktype purpose)
{
  (void)arg;
  (void)fd;
  (void)purpose;
  cross("sockopt");
  return CURL_SOCKOPT_OK;
}

static int on_prereq(void *arg, char *primary, char *local, int primary_port, int local_port)
{
  (void)arg;
  (void)primary;
  (void)local;
  (void)primary_port;
  (void)local_port;
  cross("prereq");
  return CURL_PREREQFUNC_OK;
}

static int on_resolver_start(void *state, void *reserved, void *arg)
{
  (void)state;
  (void)reserved;
  (void)arg;
  cross("resolver_start");
  return 0;
}

static CURLcode on_sslctx(CURL *easy, void *ctx, void *arg)
{
  (void)easy;
  (void)ctx;
  (void)arg;
  cross("sslctx");
  return CURLE_OK;
}

static int on_trailer(struct curl_slist **list, void *arg)
{
  (void)arg;
  *list = NULL;
  cross("trailer");
  return CURL_TRAILERFUNC_OK;
}

static void on_lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *arg)
{
  (void)easy;
  (void)data;
  (void)access;
  (void)arg;
  cross("lock");
}

static void on_unlock(CURL *easy, curl_lock_data data, void *arg)
{
  (void)easy;
  (void)data;
  (void)arg;
  cross("unlock");
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *mine)
{
  int i;
  (void)easy;
  (void)arg;
  (void)mine;
  for(i = 0; i < now.count && now.fds[i] != fd; i++)
    ;
  if(what == CURL_POLL_REMOVE) {
    if(i < now.count) {
      now.count--;
      now.fds[i] = now.fds[now.count];
      now.events[i] = now.events[now.count];
    }
  }
  else {
    if(i == now.count)
      now.count++;
    now.fds[i] = fd;
    now.events[i] = what;
  }
  cross("socket");
  return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
  (void)multi;
  (void)arg;
  now.timeout = ms;
  cross("timer");
  return 0;
}

static void on_notify(CURLM *multi, unsigned int notification, CURL *easy, void *arg)
{
  (void)multi;
  (void)notification;
  (void)easy;
  (void)arg;
  cross("notify");
}

/* ---- a run ---- */

static CURL *make_easy(int acts)
{
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, now.url);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, 30L);
  curl_easy_setopt(easy, CURLOPT_SHARE, now.share);
  if(!acts) {
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, NULL);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, stderr);
    return easy;
  }
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_xferinfo);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_opensocket);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_closesocket);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_sockopt);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_prereq);
  curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, on_resolver_start);
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, on_sslctx);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, (long)!strcmp(now.callback, "closing"));
  if(!strcmp(now.callback, "debug")) {
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug);
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
  }
  if(!strcmp(now.callback, "read") || !strcmp(now.callback, "trailer"))
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
  if(!strcmp(now.callback, "trailer"))
    curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, on_trailer);
  if(!strcmp(now.callback, "seek")) {
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_RESUME_FROM, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE, 1L);
  }
  return easy;
}

static void make_share(void)
{
  now.share = NULL;
  if(!strstr(now.callback, "lock") || strstr(now.callback, "socket"))
    return;
  now.share = curl_share_init();
  curl_share_setopt(now.share, CURLSHOPT_LOCKFUNC, on_lock);
  curl_share_setopt(now.share, CURLSHOPT_UNLOCKFUNC, on_unlock);
  curl_share_setopt(now.share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
  curl_share_setopt(now.share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
}

static void collect(void)
{
  CURLMsg *msg;
  int n, i;
  while((msg = curl_multi_info_read(now.multi, &n)) != NULL)
    for(i = 0; i < IDLE; i++)
      now.done[i] |= msg->easy_handle == now.easy[i];
}

static int over(void)
{
  collect();
  if(now.gone && now.who != IDLE)
    now.done[now.who] = 1;
  return now.done[SELF] && now.done[OTHER];
}

static void step_socket(void)
{
  struct pollfd fds[64];
  int n = now.count, i, running;
  for(i = 0; i < n; i++) {
    fds[i].fd = now.fds[i];
    fds[i].events = (short)((now.events[i] & CURL_POLL_IN ? POLLIN : 0) |
                            (now.events[i] & CURL_POLL_OUT ? POLLOUT : 0));
    fds[i].revents = 0;
  }
  if(poll(fds, (nfds_t)n, now.timeout < 0 || now.timeout > 100 ? 100 : (int)now.timeout) <= 0) {
    curl_multi_socket_action(now.multi, CURL_SOCKET_TIMEOUT, 0, &running);
    return;
  }
  for(i = 0; i < n; i++)
    if(fds[i].revents)
      curl_multi_socket_action(now.multi, fds[i].fd, (fds[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
                               (fds[i].revents & ~POLLOUT ? CURL_CSELECT_IN : 0), &running);
}

static void drive_multi(int socket)
{
  int i, running, n;
  if(socket) {
    curl_multi_setopt(now.multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(now.multi, CURLMOPT_TIMERFUNCTION, on_timer);
  }
  curl_multi_setopt(now.multi, CURLMOPT_NOTIFYFUNCTION, on_notify);
  curl_multi_notify_enable(now.multi, CURLMNOTIFY_EASY_DONE);
  curl_multi_add_handle(now.multi, now.easy[SELF]);
  curl_multi_add_handle(now.multi, now.easy[OTHER]);
  now.armed = 1;
  for(i = 0; i < 2000 && now.multi && !over(); i++) {
    if(socket)
      step_socket();
    else {
      curl_multi_perform(now.multi, &running);
      if(now.multi && !over())
        curl_multi_poll(now.multi, NULL, 0, 20, &n);
    }
  }
  if(i == 2000)
    printf("stalled\n");
}

/* Everything is cleaned up; what callbacks do then is crossed too. */
static void clean_up(void)
{
  int i;
  for(i = 0; i < IDLE; i++)
    if(now.multi && now.easy[i] && !(now.gone && (int)now.who == i))
      (void)curl_multi_remove_handle(now.multi, now.easy[i]);
  if(now.multi)
    curl_multi_cleanup(now.multi);
  now.multi = NULL;
  for(i = 0; i < WHO_LAST; i++)
    if(!(now.gone && (int)now.who == i)) {
      CURL *easy = now.easy[i];
      curl_easy_cleanup(easy);
    }
  if(now.share)
    curl_share_cleanup(now.share);
}

static void run(const char *way, const char *callback, const char *url, int f, enum who who)
{
  memset(&now, 0, sizeof now);
  now.way = way;
  now.callback = callback;
  now.url = url;
  now.function = functions[f].call;
  now.who = who;
  now.answer = NO_ANSWER;
  now.timeout = 0;
  make_share();
  now.multi = curl_multi_init();
  now.easy[SELF] = make_easy(1);
  now.easy[OTHER] = make_easy(0);
  now.easy[IDLE] = make_easy(0);
  if(!strcmp(way, "easy")) {
    curl_multi_add_handle(now.multi, now.easy[OTHER]);
    now.armed = 1;
    curl_easy_perform(now.easy[SELF]);
  }
  else
    drive_multi(!strcmp(way, "socket"));
  clean_up();
  printf("%s\t%d\t%ld\t%d\n", functions[f].name, (int)who, now.answer, now.called);
  fflush(stdout);
}

int main(int argc, char **argv)
{
  int f, who;
  if(argc < 4)
    return 2;
  curl_global_init(CURL_GLOBAL_ALL);
  for(f = 0; f < (int)(sizeof functions / sizeof functions[0]); f++)
    for(who = 0; who < (functions[f].handles ? WHO_LAST : 1); who++)
      if(argc < 5 || !strcmp(argv[4], functions[f].name)) {
        fprintf(stderr, "%s %d\n", functions[f].name, who);
        run(argv[1], argv[2], argv[3], f, (enum who)who);
      }
  curl_global_cleanup();
  return 0;
}
