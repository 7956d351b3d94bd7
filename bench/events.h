/* events.h: curl_multi_socket_action() driven by epoll, as an event loop does it. */
#ifndef BENCH_EVENTS_H
#define BENCH_EVENTS_H

#include "common.h"

#include <sys/epoll.h>

struct events {
  CURLM *multi;
  int epoll;
  double deadline; /* of the timer callback; negative: none */
};

static inline int events_socket(CURL *e, curl_socket_t s, int what, void *user, void *known)
{
  struct events *v = user;
  struct epoll_event ev;
  int ready = 0;
  (void)e;
  if(what == CURL_POLL_REMOVE) {
    epoll_ctl(v->epoll, EPOLL_CTL_DEL, s, NULL);
    return 0;
  }
  if(what & CURL_POLL_IN)
    ready |= EPOLLIN;
  if(what & CURL_POLL_OUT)
    ready |= EPOLLOUT;
  memset(&ev, 0, sizeof ev);
  ev.events = (unsigned)ready;
  ev.data.fd = s;
  /* the number may belong to a new socket by now, whatever was assigned */
  if(epoll_ctl(v->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, s, &ev))
    epoll_ctl(v->epoll, known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, s, &ev);
  if(!known)
    curl_multi_assign(v->multi, s, v);
  return 0;
}

static inline int events_timer(CURLM *m, long ms, void *user)
{
  struct events *v = user;
  (void)m;
  v->deadline = ms < 0 ? -1 : bench_clock() + (double)ms / 1000;
  return 0;
}

static inline void events_open(struct events *v, long connections)
{
  v->epoll = epoll_create1(EPOLL_CLOEXEC);
  v->deadline = -1;
  v->multi = curl_multi_init();
  curl_multi_setopt(v->multi, CURLMOPT_SOCKETFUNCTION, events_socket);
  curl_multi_setopt(v->multi, CURLMOPT_SOCKETDATA, v);
  curl_multi_setopt(v->multi, CURLMOPT_TIMERFUNCTION, events_timer);
  curl_multi_setopt(v->multi, CURLMOPT_TIMERDATA, v);
  curl_multi_setopt(v->multi, CURLMOPT_MAXCONNECTS, connections);
}

/* Waits once and hands over what is ready; the number of running transfers. */
static inline int events_turn(struct events *v)
{
  struct epoll_event ev[256];
  double left = v->deadline < 0 ? 1 : v->deadline - bench_clock();
  int running = 0;
  int n;
  int i;
  n = epoll_wait(v->epoll, ev, 256, left <= 0 ? 0 : left > 1 ? 1000 : (int)(left * 1000) + 1);
  for(i = 0; i < n; i++) {
    int ready = 0;
    if(ev[i].events & (EPOLLIN | EPOLLHUP))
      ready |= CURL_CSELECT_IN;
    if(ev[i].events & EPOLLOUT)
      ready |= CURL_CSELECT_OUT;
    if(ev[i].events & EPOLLERR)
      ready |= CURL_CSELECT_ERR;
    curl_multi_socket_action(v->multi, ev[i].data.fd, ready, &running);
  }
  if(v->deadline >= 0 && bench_clock() >= v->deadline) {
    v->deadline = -1;
    curl_multi_socket_action(v->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  return running;
}

#endif
