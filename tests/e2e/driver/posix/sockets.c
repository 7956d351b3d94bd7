/* sockets.c: sockets on POSIX systems, and a loop of epoll's. */
#include "system.h"
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>

int socket_close(curl_socket_t fd)
{
  return close(fd);
}

unsigned long long socket_identity(curl_socket_t fd)
{
  struct stat st;
  return fstat(fd, &st) || !S_ISSOCK(st.st_mode) ? 0 : st.st_ino;
}

int socket_select(int max, fd_set *r, fd_set *w, fd_set *x, int ms)
{
  struct timeval tv = {ms / 1000, ms % 1000 * 1000};
  return select(max + 1, r, w, x, &tv);
}

int loop_open(void)
{
  return epoll_create1(EPOLL_CLOEXEC);
}

void loop_close(int loop)
{
  close(loop);
}

int loop_watch(int loop, curl_socket_t fd, int what, int again)
{
  struct epoll_event e;
  memset(&e, 0, sizeof e);
  e.data.u64 = (unsigned)fd;
  e.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
  return epoll_ctl(loop, again ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e) ? errno : 0;
}

/* epoll has forgotten what the library has closed. */
int loop_forget(int loop, curl_socket_t fd)
{
  int bad = epoll_ctl(loop, EPOLL_CTL_DEL, fd, NULL);
  return bad && errno != EBADF && errno != ENOENT ? errno : 0;
}

int loop_wait(int loop, struct ready *ready, int most, int ms)
{
  struct epoll_event events[64];
  int n = epoll_wait(loop, events, most < 64 ? most : 64, ms);
  for(int i = 0; i < n; i++) {
    ready[i].fd = (curl_socket_t)events[i].data.u64;
    ready[i].bits = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                    (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                    (events[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
  }
  return n;
}
