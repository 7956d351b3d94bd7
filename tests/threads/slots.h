/* tests/threads/slots.h: multis that are driven in one way each, and a share whose locks are counted, for
 * tests of what waits for a connection. */
#ifndef MOTE_TEST_SLOTS_H
#define MOTE_TEST_SLOTS_H

#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>

#include "threads.h"

#define MANY 4       /* handles of one multi at most */
#define PROMPT 15000 /* ms; an end without a wake-up comes later */
#define GIVE_UP 20000

enum way { BY_POLL, BY_WAIT, BY_SELECT, BY_SOCKET, BY_PERFORM, WAYS };

struct subject {
  CURLM *multi;
  enum way way;
  CURL *easy[MANY];
  CURLcode result[MANY]; /* CURLE_AGAIN: not over */
  int running;
  /* BY_SOCKET */
  struct pollfd fds[16];
  unsigned count;
  long timer_ms; /* -1: none */
};

static struct http_server server, second_server;
static const CURLMoption limits[] = {CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAX_HOST_CONNECTIONS};

#define LIMITS (sizeof limits / sizeof limits[0])

static CURLSH *share;
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
static atomic_int locks_held; /* by callbacks of the share */
static bool threads_alone;    /* one thread, which itself holds any lock */

/* In the place of the C library's. */
static bool refuse_eventfd;
int eventfd(unsigned count, int flags);
int eventfd(unsigned count, int flags)
{
  if(!refuse_eventfd)
    return (int)syscall(SYS_eventfd2, count, flags);
  errno = EMFILE;
  return -1;
}

static long long now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *user)
{
  (void)access;
  (void)user;
  THREAD_CHECK_INT(easy != NULL, true);
  pthread_mutex_lock(&locks[data]);
  atomic_fetch_add(&locks_held, 1);
}

static void unlock(CURL *easy, curl_lock_data data, void *user)
{
  (void)easy;
  (void)user;
  atomic_fetch_sub(&locks_held, 1);
  pthread_mutex_unlock(&locks[data]);
}

static CURLSH *new_share(bool own_locks)
{
  CURLSH *s = curl_share_init();
  int i;
  (void)curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    pthread_mutex_init(&locks[i], NULL);
  if(own_locks) {
    (void)curl_share_setopt(s, CURLSHOPT_LOCKFUNC, lock);
    (void)curl_share_setopt(s, CURLSHOPT_UNLOCKFUNC, unlock);
  }
  return s;
}

/* ---- one multi, driven in its way ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *of_fd)
{
  struct subject *s = user;
  unsigned i;
  (void)of_fd;
  THREAD_CHECK_INT(easy != NULL, true);
  if(threads_alone)
    THREAD_CHECK_INT(atomic_load(&locks_held), 0);
  for(i = 0; i < s->count && s->fds[i].fd != fd; i++)
    ;
  if(i == s->count && what != CURL_POLL_REMOVE)
    s->fds[s->count++].fd = fd;
  if(what == CURL_POLL_REMOVE && i < s->count)
    s->fds[i] = s->fds[--s->count];
  else if(i < s->count)
    s->fds[i].events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
  return 0;
}

static int on_timer(CURLM *multi, long ms, void *user)
{
  (void)multi;
  ((struct subject *)user)->timer_ms = ms;
  return 0;
}

static void open_subject(struct subject *s, enum way way, CURLMoption limit, long most)
{
  int i;
  memset(s, 0, sizeof *s);
  s->way = way;
  s->timer_ms = -1;
  s->multi = curl_multi_init();
  for(i = 0; i < MANY; i++)
    s->result[i] = CURLE_AGAIN;
  if(!s->multi)
    return;
  (void)curl_multi_setopt(s->multi, limit, most);
  if(way != BY_SOCKET)
    return;
  (void)curl_multi_setopt(s->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  (void)curl_multi_setopt(s->multi, CURLMOPT_SOCKETDATA, s);
  (void)curl_multi_setopt(s->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  (void)curl_multi_setopt(s->multi, CURLMOPT_TIMERDATA, s);
}

static size_t swallow(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

/* NULL: no memory. */
static CURL *easy_at(const struct http_server *at, const char *path, CURLSH *of)
{
  CURL *e = curl_easy_init();
  char url[60];
  snprintf(url, sizeof url, "http://127.0.0.1:%u%s", at->port, path);
  if(e && !curl_easy_setopt(e, CURLOPT_URL, url) && !curl_easy_setopt(e, CURLOPT_SHARE, of) &&
     !curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, swallow))
    return e;
  curl_easy_cleanup(e);
  return NULL;
}

static CURL *easy_for(const char *path, CURLSH *of)
{
  return easy_at(&server, path, of);
}

static bool add_easy(struct subject *s, int i, CURL *easy)
{
  s->easy[i] = easy;
  s->result[i] = CURLE_AGAIN;
  return s->easy[i] && s->multi && curl_multi_add_handle(s->multi, s->easy[i]) == CURLM_OK;
}

/* False: no memory. */
static bool add(struct subject *s, int i, const char *path, CURLSH *of)
{
  return add_easy(s, i, easy_for(path, of));
}

static void drop(struct subject *s, int i)
{
  if(s->multi && s->easy[i])
    (void)curl_multi_remove_handle(s->multi, s->easy[i]);
  curl_easy_cleanup(s->easy[i]);
  s->easy[i] = NULL;
}

static void close_subject(struct subject *s)
{
  int i;
  for(i = 0; i < MANY; i++)
    drop(s, i);
  (void)curl_multi_cleanup(s->multi);
  if(s->way == BY_SOCKET)
    THREAD_CHECK_INT(s->count, 0);
}

static void read_messages(struct subject *s)
{
  CURLMsg *msg;
  int left, i;
  while((msg = curl_multi_info_read(s->multi, &left)) != NULL)
    for(i = 0; i < MANY; i++)
      if(s->easy[i] == msg->easy_handle)
        s->result[i] = msg->data.result;
}

static void go(struct subject *s)
{
  (void)curl_multi_perform(s->multi, &s->running);
  read_messages(s);
}

static void wait_select(struct subject *s, int ms)
{
  struct timeval t;
  fd_set in, out, exc;
  long due = -1;
  int max = -1;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_ZERO(&exc);
  (void)curl_multi_fdset(s->multi, &in, &out, &exc, &max);
  (void)curl_multi_timeout(s->multi, &due);
  if(due >= 0 && due < ms)
    ms = (int)due;
  t.tv_sec = ms / 1000;
  t.tv_usec = ms % 1000 * 1000;
  (void)select(max + 1, &in, &out, &exc, &t);
}

static void wait_sockets(struct subject *s, int ms)
{
  struct pollfd fds[16];
  unsigned i, n = s->count;
  bool due = s->timer_ms >= 0 && s->timer_ms <= ms;
  memcpy(fds, s->fds, sizeof fds);
  if(poll(fds, n, due ? (int)s->timer_ms : ms) <= 0) {
    if(due)
      s->timer_ms = -1;
    if(due)
      (void)curl_multi_socket_action(s->multi, CURL_SOCKET_TIMEOUT, 0, &s->running);
    return;
  }
  for(i = 0; i < n; i++)
    if(fds[i].revents)
      (void)curl_multi_socket_action(s->multi, fds[i].fd,
                                     (fds[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
                                       (fds[i].revents & ~POLLOUT ? CURL_CSELECT_IN : 0),
                                     &s->running);
}

/* Wait at most so long, and do what is to be done. */
static void turn(struct subject *s, int ms)
{
  if(s->way == BY_POLL)
    (void)curl_multi_poll(s->multi, NULL, 0, ms, NULL);
  else if(s->way == BY_WAIT)
    (void)curl_multi_wait(s->multi, NULL, 0, ms, NULL);
  else if(s->way == BY_SELECT)
    wait_select(s, ms);
  else if(s->way == BY_PERFORM)
    fds_nap(ms < 5 ? ms : 5);
  else
    wait_sockets(s, ms);
  if(s->way == BY_SOCKET)
    read_messages(s);
  else
    go(s);
}

static void start(struct subject *s)
{
  if(s->way == BY_SOCKET)
    turn(s, 0);
  else
    go(s);
}

/* Milliseconds until it was over; GIVE_UP: it was not. */
static long long finish(struct subject *s, int i)
{
  long long begun = now_ms();
  while(s->result[i] == CURLE_AGAIN && now_ms() - begun < GIVE_UP)
    turn(s, GIVE_UP);
  return s->result[i] == CURLE_AGAIN ? GIVE_UP : now_ms() - begun;
}

static void stays_queued(struct subject *s, int i)
{
  long long begun = now_ms();
  int rounds_before = s->way == BY_PERFORM ? 0 : 6, n;
  for(n = 0; n < rounds_before; n++)
    turn(s, 30);
  CHECK_INT(s->result[i], CURLE_AGAIN);
  CHECK(s->way == BY_PERFORM || now_ms() - begun >= 4 * 30); /* nothing ends the waits */
}

#endif
