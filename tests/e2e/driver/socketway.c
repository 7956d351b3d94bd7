/* socketway.c: an epoll loop around curl_multi_socket_action that trusts nothing but the two callbacks.
 *
 * What it checks: every descriptor announced is open and stays known until it is announced as removed; the
 * pointer of curl_multi_assign comes back; a transfer that runs has a timer or a descriptor to wait for. */
#include "driver.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define STDIN_MARK 0xffffffffu

static struct watched *find(struct multi *m, curl_socket_t fd)
{
  for(int i = 0; i < m->nwatched; i++)
    if(m->watched[i].what && m->watched[i].fd == fd)
      return &m->watched[i];
  return NULL;
}

static struct watched *claim(struct multi *m, curl_socket_t fd)
{
  for(int i = 0; i < m->nwatched; i++)
    if(!m->watched[i].what) {
      m->watched[i].fd = fd;
      return &m->watched[i];
    }
  if(m->nwatched == MAX_WATCHED)
    abort();
  m->watched[m->nwatched].fd = fd;
  return &m->watched[m->nwatched++];
}

static void unwatch(struct multi *m, struct watched *w, curl_socket_t fd)
{
  if(!w) {
    violation("CURL_POLL_REMOVE for a socket that was not announced", m->name, fd);
    return;
  }
  w->what = 0;
  /* the library may have closed it already: then epoll has forgotten it */
  if(epoll_ctl(m->epoll, EPOLL_CTL_DEL, fd, NULL) && errno != EBADF && errno != ENOENT)
    violation("removing a socket", m->name, errno);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socketp)
{
  struct multi *m = arg;
  struct watched *w = find(m, fd);
  struct epoll_event e;
  char *private_pointer;
  if(socketp && socketp != w)
    violation("socket callback with a stale pointer", m->name, fd);
  if(w && !socketp)
    violation("socket callback lost the pointer of curl_multi_assign", m->name, fd);
  if(w && w->named && !easy)
    violation("socket callback names no handle", m->name, what);
  /* the newest libcurl names a handle of its own for its wake-up and its goodbyes, and refuses it here */
  if(easy && strstr(curl_version(), "Mote/") && curl_easy_getinfo(easy, CURLINFO_PRIVATE, &private_pointer))
    violation("socket callback with a handle that is none", m->name, what);
  if(what == CURL_POLL_REMOVE) {
    unwatch(m, w, fd);
    return 0;
  }
  memset(&e, 0, sizeof e);
  e.data.u64 = (unsigned)fd;
  e.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
  if(what < CURL_POLL_IN || what > CURL_POLL_INOUT)
    violation("socket callback wants nothing", m->name, what);
  if(!w) {
    w = claim(m, fd);
    w->named = easy != NULL;
    if(epoll_ctl(m->epoll, EPOLL_CTL_ADD, fd, &e))
      violation("a socket was announced that cannot be watched", m->name, errno);
    CURLMcode rc = curl_multi_assign(m->multi, fd, w);
    if(rc)
      multi_complain(m, "curl_multi_assign", rc);
  }
  else if(epoll_ctl(m->epoll, EPOLL_CTL_MOD, fd, &e))
    violation("a socket was closed without CURL_POLL_REMOVE", m->name, errno);
  w->what = what;
  return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
  struct multi *m = arg;
  if(multi != m->multi)
    violation("timer callback of another multi", m->name, ms);
  if(ms < -1)
    violation("timer callback with a negative time", m->name, ms);
  m->timer_on = ms >= 0;
  m->timer_at = now() + (double)ms / 1000;
  return 0;
}

int socket_install(struct multi *m)
{
  CURLMcode rc = curl_multi_setopt(m->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  m->epoll = epoll_create1(EPOLL_CLOEXEC);
  rc = rc ? rc : curl_multi_setopt(m->multi, CURLMOPT_SOCKETDATA, m);
  rc = rc ? rc : curl_multi_setopt(m->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  rc = rc ? rc : curl_multi_setopt(m->multi, CURLMOPT_TIMERDATA, m);
  if(rc)
    multi_complain(m, "curl_multi_setopt", rc);
  return !rc;
}

static void action(struct multi *m, curl_socket_t fd, int bits)
{
  int running = 0;
  CURLMcode rc = curl_multi_socket_action(m->multi, fd, bits, &running);
  if(rc)
    multi_complain(m, "curl_multi_socket_action", rc);
  if(running > m->attached)
    violation("more running than attached", m->name, running);
}

static int watching(struct multi *m)
{
  int n = 0;
  for(int i = 0; i < m->nwatched; i++)
    n += m->watched[i].what != 0;
  return n;
}

static void watch_stdin(struct multi *m, int extra, int on)
{
  struct epoll_event e;
  memset(&e, 0, sizeof e);
  e.events = EPOLLIN;
  e.data.u64 = STDIN_MARK;
  if(extra >= 0)
    epoll_ctl(m->epoll, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, extra, &e);
}

static void dispatch(struct multi *m, const struct epoll_event *e)
{
  curl_socket_t fd;
  int bits = 0;
  if(e->data.u64 == STDIN_MARK)
    return;
  fd = (curl_socket_t)e->data.u64;
  if(!find(m, fd))
    return; /* removed by an earlier event of the same wait */
  if(e->events & EPOLLIN)
    bits |= CURL_CSELECT_IN;
  if(e->events & EPOLLOUT)
    bits |= CURL_CSELECT_OUT;
  if(e->events & (EPOLLERR | EPOLLHUP))
    bits |= CURL_CSELECT_ERR;
  action(m, fd, bits);
}

void socket_step(struct multi *m, int ms, int extra)
{
  struct epoll_event events[64];
  int n;
  if(m->timer_on) {
    double left = (m->timer_at - now()) * 1000;
    if(left < ms)
      ms = left <= 0 ? 0 : (int)left + 1;
  }
  else if(!watching(m) && m->attached && extra < 0)
    log_code("nothingtowaitfor", m->name, "", m->attached);
  watch_stdin(m, extra, 1);
  n = epoll_wait(m->epoll, events, 64, ms);
  watch_stdin(m, extra, 0);
  for(int i = 0; i < n; i++)
    dispatch(m, &events[i]);
  if(m->timer_on && now() >= m->timer_at) {
    m->timer_on = 0;
    action(m, CURL_SOCKET_TIMEOUT, 0);
  }
}
