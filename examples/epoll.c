/* epoll.c: the event-loop interface, curl_multi_socket_action(), on Linux's epoll and timerfd.
 *
 *   epoll URL...
 *
 * For programs that have an event loop of their own. The library says through two callbacks which sockets to
 * watch and when to call it at the latest; the loop reports what has happened. Only sockets with something
 * to do are looked at, however many transfers there are.
 *
 * What is easily done wrong:
 *   - curl_multi_socket_action() must not be called from inside either callback.
 *   - A timeout of 0 means: at once, but from the loop. timerfd takes 0 for "off", hence the 1 ns below.
 *   - One epoll_wait() may report a socket that handling an earlier event of the same batch has closed, and
 *     its number may belong to a new socket by then. So events carry a pointer to a record, and records of
 *     closed sockets are kept until the batch is over.
 *   - Messages are read after every action. The end is when each transfer has had its own. */
#define _GNU_SOURCE

#include <curl/curl.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define EVENTS 64

struct watched {
  curl_socket_t fd;
  int closed;           /* the library no longer wants to hear of it */
  struct watched *next; /* in loop.gone */
};

struct job {
  const char *url;
  CURL *curl; /* NULL once it is over */
};

struct loop {
  CURLM *multi;
  int epoll;
  int timer;
  int left;             /* transfers without a message yet */
  int failed;           /* transfers that ended with an error */
  struct watched *gone; /* freed after the batch of events */
};

static void forget(struct loop *loop, struct watched *w)
{
  if(epoll_ctl(loop->epoll, EPOLL_CTL_DEL, w->fd, NULL) && errno != ENOENT && errno != EBADF)
    perror("epoll_ctl");
  w->closed = 1;
  w->next = loop->gone;
  loop->gone = w;
}

/* CURLMOPT_SOCKETFUNCTION: watch this socket so. `socketp` is what curl_multi_assign() has stored for it,
 * NULL at first. -1 ends all transfers. */
static int socket_changed(CURL *curl, curl_socket_t fd, int what, void *user, void *socketp)
{
  struct loop *loop = user;
  struct watched *w = socketp;
  struct epoll_event ev;
  int op = w ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  (void)curl;
  if(what == CURL_POLL_REMOVE) {
    if(w)
      forget(loop, w);
    return 0;
  }
  if(!w) {
    w = calloc(1, sizeof *w);
    if(!w)
      return -1;
    w->fd = fd;
    if(curl_multi_assign(loop->multi, fd, w)) {
      free(w);
      return -1;
    }
  }
  memset(&ev, 0, sizeof ev);
  if(what & CURL_POLL_IN)
    ev.events |= EPOLLIN;
  if(what & CURL_POLL_OUT)
    ev.events |= EPOLLOUT;
  ev.data.ptr = w;
  if(!epoll_ctl(loop->epoll, op, fd, &ev))
    return 0;
  if(op == EPOLL_CTL_ADD) {
    curl_multi_assign(loop->multi, fd, NULL);
    free(w);
  }
  return -1;
}

/* CURLMOPT_TIMERFUNCTION: call again after so many milliseconds, whatever was asked for before; -1: never. */
static int timer_changed(CURLM *multi, long timeout_ms, void *user)
{
  struct loop *loop = user;
  struct itimerspec when;
  (void)multi;
  memset(&when, 0, sizeof when);
  if(timeout_ms > 0) {
    when.it_value.tv_sec = timeout_ms / 1000;
    when.it_value.tv_nsec = timeout_ms % 1000 * 1000000;
  }
  else if(timeout_ms == 0)
    when.it_value.tv_nsec = 1;
  return timerfd_settime(loop->timer, 0, &when, NULL) ? -1 : 0;
}

static void drop_job(struct loop *loop, struct job *job)
{
  curl_multi_remove_handle(loop->multi, job->curl);
  curl_easy_cleanup(job->curl);
  job->curl = NULL;
  loop->left--;
}

static void collect(struct loop *loop)
{
  CURLMsg *msg;
  int queued;
  while((msg = curl_multi_info_read(loop->multi, &queued))) {
    CURLcode rc = msg->data.result; /* *msg is gone once the handle is removed */
    struct job *job = NULL;
    long code = 0;
    if(curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &job) || !job)
      continue;
    curl_easy_getinfo(job->curl, CURLINFO_RESPONSE_CODE, &code);
    printf("%s: %ld, %s\n", job->url, code, curl_easy_strerror(rc));
    loop->failed += rc != CURLE_OK;
    drop_job(loop, job);
  }
}

static CURLMcode happened(struct loop *loop, const struct epoll_event *ev)
{
  struct watched *w = ev->data.ptr;
  int running;
  int what = 0;
  CURLMcode mc;
  uint64_t times;
  if(!w) { /* the timer; nothing to read when it was set again since */
    if(read(loop->timer, &times, sizeof times) != (ssize_t)sizeof times)
      return errno == EAGAIN || errno == EINTR ? CURLM_OK : CURLM_INTERNAL_ERROR;
    mc = curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  else {
    if(w->closed)
      return CURLM_OK;
    if(ev->events & EPOLLIN)
      what |= CURL_CSELECT_IN;
    if(ev->events & EPOLLOUT)
      what |= CURL_CSELECT_OUT;
    if(ev->events & (EPOLLERR | EPOLLHUP))
      what |= CURL_CSELECT_ERR;
    mc = curl_multi_socket_action(loop->multi, w->fd, what, &running);
  }
  collect(loop);
  return mc;
}

static void free_gone(struct loop *loop)
{
  while(loop->gone) {
    struct watched *w = loop->gone;
    loop->gone = w->next;
    free(w);
  }
}

static CURLMcode run(struct loop *loop)
{
  struct epoll_event ev[EVENTS];
  CURLMcode mc = CURLM_OK;
  while(!mc && loop->left) {
    int n = epoll_wait(loop->epoll, ev, EVENTS, -1);
    int i;
    if(n < 0 && errno != EINTR) {
      perror("epoll_wait");
      return CURLM_INTERNAL_ERROR;
    }
    for(i = 0; i < n && !mc; i++)
      mc = happened(loop, &ev[i]);
    free_gone(loop);
  }
  return mc;
}

/* A program would keep the bytes; this one drops them. */
static size_t drop(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

/* The transfer begins in the loop: adding it has only set the timer. */
static CURLcode add(struct loop *loop, struct job *job)
{
  CURLcode rc;
  CURL *curl = curl_easy_init();
  if(!curl)
    return CURLE_OUT_OF_MEMORY;
  if((rc = curl_easy_setopt(curl, CURLOPT_URL, job->url)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_PRIVATE, job)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop)) ||
     (rc = curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L)) ||
     (rc = curl_multi_add_handle(loop->multi, curl) ? CURLE_OUT_OF_MEMORY : CURLE_OK)) {
    curl_easy_cleanup(curl);
    return rc;
  }
  job->curl = curl;
  loop->left++;
  return CURLE_OK;
}

static CURLMcode open_loop(struct loop *loop)
{
  struct epoll_event ev;
  CURLMcode mc;
  memset(&ev, 0, sizeof ev);
  ev.events = EPOLLIN; /* data.ptr NULL: the timer */
  loop->epoll = epoll_create1(EPOLL_CLOEXEC);
  loop->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if(loop->epoll < 0 || loop->timer < 0 || epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->timer, &ev)) {
    perror("epoll");
    return CURLM_INTERNAL_ERROR;
  }
  loop->multi = curl_multi_init();
  if(!loop->multi)
    return CURLM_OUT_OF_MEMORY;
  if((mc = curl_multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, socket_changed)) ||
     (mc = curl_multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop)) ||
     (mc = curl_multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, timer_changed)) ||
     (mc = curl_multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop)))
    return mc;
  return CURLM_OK;
}

static void close_loop(struct loop *loop)
{
  curl_multi_cleanup(loop->multi); /* still calls socket_changed: kept connections are closed */
  free_gone(loop);
  if(loop->timer >= 0)
    close(loop->timer);
  if(loop->epoll >= 0)
    close(loop->epoll);
}

int main(int argc, char **argv)
{
  struct loop loop = {NULL, -1, -1, 0, 0, NULL};
  struct job *jobs = argc > 1 ? calloc((size_t)argc, sizeof *jobs) : NULL;
  CURLMcode mc;
  int i;
  if(!jobs || curl_global_init(CURL_GLOBAL_DEFAULT)) {
    fprintf(stderr, "usage: epoll URL...\n");
    free(jobs);
    return 2;
  }
  mc = open_loop(&loop);
  for(i = 1; i < argc && !mc; i++) {
    CURLcode rc;
    jobs[i].url = argv[i];
    rc = add(&loop, &jobs[i]);
    if(rc) {
      fprintf(stderr, "%s: %s\n", argv[i], curl_easy_strerror(rc));
      loop.failed++;
    }
  }
  if(!mc)
    mc = run(&loop);
  if(mc)
    fprintf(stderr, "epoll: %s\n", curl_multi_strerror(mc));
  for(i = 1; i < argc; i++)
    if(jobs[i].curl) /* only after an error of the loop */
      drop_job(&loop, &jobs[i]);
  close_loop(&loop);
  free(jobs);
  curl_global_cleanup();
  return mc || loop.failed ? 1 : 0;
}
