/* port/linux/wait.c: the wait set by epoll, level-triggered, and waking by one eventfd. */
#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "port/port.h"
#include "port/set.h"
#include "port/wake.h"

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

bool mote_port_set_nests(void)
{
  return true;
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

void mote_port_set_close(curl_socket_t set, uint32_t owner)
{
  (void)owner; /* a child has its copy */
  (void)close(set);
}

/* ---- waking ---- */

int mote_port_wake_open(struct mote_wake *w)
{
  w->in = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  w->out = w->in;
  return w->in < 0 ? errno : 0;
}

int mote_port_wake_signal(const struct mote_wake *w)
{
  const uint64_t one = 1;
  int saved = errno;
  int error = 0;
  /* EAGAIN: the counter is full, so the waiter is woken already. An eventfd write is never short. */
  while(write(w->out, &one, sizeof one) < 0) {
    if(errno == EINTR)
      continue;
    error = errno == EAGAIN ? 0 : errno;
    break;
  }
  errno = saved;
  return error;
}

int mote_port_wake_drain(const struct mote_wake *w)
{
  uint64_t count;
  while(read(w->in, &count, sizeof count) < 0)
    if(errno != EINTR)
      return errno == EAGAIN ? 0 : errno;
  return 0;
}

void mote_port_wake_close(struct mote_wake *w)
{
  if(w->in != CURL_SOCKET_BAD)
    (void)close(w->in);
  w->in = CURL_SOCKET_BAD;
  w->out = CURL_SOCKET_BAD;
}
