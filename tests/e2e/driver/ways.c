/* ways.c: the ways to drive a multi handle, each as a careful application would. */
#define _GNU_SOURCE
#include "driver.h"
#include "system.h"
#include "torture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum way default_way;

static const char *const way_names[WAY_COUNT] = {"easy", "poll", "wait", "fdset", "waitfds", "socket"};

int way_by_name(const char *name)
{
  for(int i = 0; i < WAY_COUNT; i++)
    if(!strcmp(way_names[i], name))
      return i;
  return -1;
}

struct multi *multi_new(const char *name, enum way way)
{
  struct multi *m = calloc(1, sizeof *m);
  snprintf(m->name, sizeof m->name, "%s", name);
  m->way = way == WAY_EASY ? WAY_POLL : way;
  m->multi = curl_multi_init();
  m->loop = -1;
  if(!m->multi) {
    free(m);
    return NULL;
  }
  if(m->way == WAY_SOCKET && !socket_install(m)) {
    curl_multi_cleanup(m->multi);
    loop_close(m->loop);
    free(m);
    return NULL;
  }
  multi_register(m);
  return m;
}

CURLMcode multi_add(struct multi *m, struct handle *h)
{
  CURLMcode rc;
  struct multi *before = h->multi;
  if(!before) {
    transfer_begin(h);
    h->multi = m; /* callbacks may run before the call returns */
  }
  rc = curl_multi_add_handle(m->multi, h->easy);
  h->failed |= rc != CURLM_OK;
  if(rc)
    h->multi = before;
  else
    m->attached++;
  return rc;
}

CURLMcode multi_remove(struct multi *m, struct handle *h)
{
  CURLMcode rc = curl_multi_remove_handle(m->multi, h->easy);
  if(!rc && h->multi == m) {
    h->multi = NULL;
    m->attached--;
  }
  return rc;
}

void multi_free(struct multi *m)
{
  CURLMcode rc = curl_multi_cleanup(m->multi);
  if(rc)
    violation("curl_multi_cleanup", m->name, rc);
  for(int i = 0; i < m->nwatched; i++)
    if(m->watched[i].what)
      log_code("stillwatched", m->name, "", m->watched[i].fd);
  if(m->loop >= 0)
    loop_close(m->loop);
  multi_forget(m);
  free(m);
}

void multi_complain(struct multi *m, const char *text, CURLMcode rc)
{
  m->errors++;
  complain(text, m->name, rc);
}

static int short_of(double seconds)
{
  int ms = seconds > 1 ? 1000 : (int)(seconds * 1000) + 1;
  return ms < 1 ? 1 : ms;
}

static void step_poll(struct multi *m, int ms, int extra)
{
  struct curl_waitfd w;
  int n = 0;
  CURLMcode rc;
  double start = now();
  w.fd = extra;
  w.events = CURL_WAIT_POLLIN;
  w.revents = 0;
  if(m->way == WAY_POLL)
    rc = curl_multi_poll(m->multi, extra >= 0 ? &w : NULL, extra >= 0, ms, &n);
  else
    rc = curl_multi_wait(m->multi, extra >= 0 ? &w : NULL, extra >= 0, ms, &n);
  if(rc)
    multi_complain(m, "waiting failed", rc);
  if(m->way == WAY_WAIT && !n && now() - start < 0.001)
    usleep(2000); /* curl_multi_wait comes back at once when it has no descriptor */
}

static int limited(struct multi *m, int ms)
{
  long t = -1;
  CURLMcode rc = curl_multi_timeout(m->multi, &t);
  if(rc)
    multi_complain(m, "curl_multi_timeout", rc);
  return t >= 0 && t < ms ? (int)t : ms;
}

static void step_fdset(struct multi *m, int ms, int extra)
{
  fd_set r, w, x;
  int max = -1;
  FD_ZERO(&r);
  FD_ZERO(&w);
  FD_ZERO(&x);
  CURLMcode rc = curl_multi_fdset(m->multi, &r, &w, &x, &max);
  if(rc)
    multi_complain(m, "curl_multi_fdset", rc);
  ms = limited(m, ms);
  if(max < 0 && ms > 50)
    ms = 50; /* the manual: wait a little when there is nothing to watch */
  if(extra >= 0) {
    FD_SET(extra, &r);
    max = max < extra ? extra : max;
  }
  if(socket_select(max, &r, &w, &x, ms) < 0)
    violation("curl_multi_fdset gave a descriptor that is not open", m->name, max);
}

static void step_waitfds(struct multi *m, int ms, int extra)
{
  typedef CURLMcode waitfds_fn(CURLM *, struct curl_waitfd *, unsigned int, unsigned int *);
  static waitfds_fn *waitfds;
  struct curl_waitfd list[MAX_WATCHED];
  struct pollfd p[MAX_WATCHED + 1];
  unsigned int n = 0;
  if(!waitfds && !find_function("curl_multi_waitfds", &waitfds)) {
    fputs("this library has no curl_multi_waitfds\n", stderr);
    _exit(96);
  }
  CURLMcode rc = waitfds(m->multi, list, MAX_WATCHED, &n);
  if(rc || n > MAX_WATCHED) {
    multi_complain(m, "curl_multi_waitfds", rc);
    n = 0;
  }
  for(unsigned int i = 0; i < n; i++) {
    p[i].fd = list[i].fd;
    p[i].events = (short)((list[i].events & CURL_WAIT_POLLIN ? POLLIN : 0) |
                          (list[i].events & CURL_WAIT_POLLOUT ? POLLOUT : 0));
    p[i].revents = 0;
  }
  ms = limited(m, ms);
  if(!n && ms > 50)
    ms = 50;
  if(extra >= 0) {
    p[n].fd = extra;
    p[n].events = POLLIN;
    p[n++].revents = 0;
  }
  poll(p, n, ms);
  for(unsigned int i = 0; i < n; i++)
    if(p[i].revents & POLLNVAL)
      violation("curl_multi_waitfds gave a descriptor that is not open", m->name, p[i].fd);
}

static void collect(struct multi *m)
{
  CURLMsg *msg;
  int left;
  while((msg = curl_multi_info_read(m->multi, &left))) {
    struct handle *h = NULL;
    CURL *easy = msg->easy_handle;
    CURLcode code = msg->data.result;
    if(msg->msg != CURLMSG_DONE) {
      violation("a message that is not CURLMSG_DONE", m->name, msg->msg);
      continue;
    }
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &h);
    if(!h || h->easy != easy || h->multi != m) {
      violation("a message about a handle that is not here", m->name, code);
      continue;
    }
    if(h->done)
      violation("a second message about a handle", h->name, code);
    transfer_log(h, code);
    CURLMcode rc = multi_remove(m, h);
    if(rc)
      violation("curl_multi_remove_handle", h->name, rc);
  }
}

static struct multi *looked_at;
static int waiting;

static void count_waiting(struct handle *h)
{
  waiting += h->multi == looked_at && !h->paused_read && !h->paused_write;
}

/* For a second nothing but paused transfers: what should have unpaused them failed. */
static int only_paused(struct multi *m)
{
  looked_at = m;
  waiting = 0;
  objects_each(count_waiting);
  if(waiting || !m->attached || !torture_fired())
    m->paused_since = 0;
  else if(m->paused_since <= 0)
    m->paused_since = now();
  return m->paused_since > 0 && now() - m->paused_since > 1;
}

/* When calls fail on purpose an application whose multi fails again and again ends what it runs. */
static int hopeless(struct multi *m)
{
  if(!torture || (m->errors < 3 && !only_paused(m)))
    return 0;
  log_code("gaveup", m->name, "", m->errors);
  m->errors = 0;
  return 1;
}

int multi_drive(struct multi *m, int (*until)(void *), void *arg, double seconds)
{
  double deadline = now() + seconds;
  for(;;) {
    int running = 0;
    int extra = script_fd_wanted();
    m->loops++;
    if(m->way != WAY_SOCKET) {
      CURLMcode rc = curl_multi_perform(m->multi, &running);
      if(rc)
        multi_complain(m, "curl_multi_perform", rc);
      if(running > m->attached)
        violation("more running than attached", m->name, running);
    }
    collect(m);
    if(until(arg))
      return 1;
    if(hopeless(m))
      return 0;
    double left = deadline - now();
    if(left <= 0)
      return 0;
    switch(m->way) {
    case WAY_SOCKET:
      socket_step(m, short_of(left), extra);
      break;
    case WAY_FDSET:
      step_fdset(m, short_of(left), extra);
      break;
    case WAY_WAITFDS:
      step_waitfds(m, short_of(left), extra);
      break;
    default:
      step_poll(m, short_of(left), extra);
    }
  }
}
