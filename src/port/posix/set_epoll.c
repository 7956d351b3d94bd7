/* port/posix/set_epoll.c: the wait set on Linux, level-triggered. */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "port/port.h"
#include "port/set.h"
#include "port/posix/internal.h"

#if MOTE_POSIX_LINUX

enum {
  BATCH = 64 /* events of one wait: 768 bytes of stack */
};

_Static_assert(CURL_WAIT_POLLIN == EPOLLIN && CURL_WAIT_POLLPRI == EPOLLPRI && CURL_WAIT_POLLOUT == EPOLLOUT,
               "the bits of the public interface differ");
_Static_assert(MOTE_POLL_ERROR == EPOLLERR && MOTE_POLL_HANGUP == EPOLLHUP, "the bits of the port differ");

int mote_port_set_open(curl_socket_t *set)
{
  *set = epoll_create1(EPOLL_CLOEXEC);
  return *set < 0 ? errno : 0;
}

int mote_port_set_change(curl_socket_t set, curl_socket_t fd, unsigned before, unsigned now, void *tag)
{
  struct epoll_event event = { .events = now, .data.ptr = tag };
  int how = before ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if(!now) {
    if(!epoll_ctl(set, EPOLL_CTL_DEL, fd, &event) || errno == ENOENT || errno == EBADF)
      return 0;
    return errno;
  }
  if(!epoll_ctl(set, how, fd, &event))
    return 0;
  if(errno == ENOENT)
    how = EPOLL_CTL_ADD;
  else if(errno == EEXIST)
    how = EPOLL_CTL_MOD;
  else
    return errno;
  return epoll_ctl(set, how, fd, &event) ? errno : 0;
}

int mote_port_set_wait(curl_socket_t set, struct mote_port_event *events, unsigned max, int timeout_ms,
                       unsigned *ready)
{
  struct epoll_event found[BATCH];
  int i;
  int n = epoll_wait(set, found, max < BATCH ? (int)max : BATCH, timeout_ms);
  *ready = 0;
  if(n < 0)
    return errno == EINTR || errno == EAGAIN ? 0 : errno;
  for(i = 0; i < n; i++) {
    events[i].tag = found[i].data.ptr;
    events[i].ready = found[i].events;
  }
  *ready = (unsigned)n;
  return 0;
}

void mote_port_set_close(curl_socket_t set)
{
  (void)close(set);
}

#endif
