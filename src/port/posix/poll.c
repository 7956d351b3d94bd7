/* port/posix/poll.c: waiting on an array of descriptors; a curl_waitfd is a pollfd. */
#include <errno.h>
#include <poll.h>

#include "port/port.h"

_Static_assert(sizeof(struct curl_waitfd) == sizeof(struct pollfd), "curl_waitfd is not pollfd");
_Static_assert(offsetof(struct curl_waitfd, events) == offsetof(struct pollfd, events), "events");
_Static_assert(offsetof(struct curl_waitfd, revents) == offsetof(struct pollfd, revents), "revents");
_Static_assert(CURL_WAIT_POLLIN == POLLIN && CURL_WAIT_POLLPRI == POLLPRI && CURL_WAIT_POLLOUT == POLLOUT,
               "the bits of the public interface differ");
_Static_assert(MOTE_POLL_ERROR == POLLERR && MOTE_POLL_HANGUP == POLLHUP && MOTE_POLL_INVALID == POLLNVAL,
               "the bits of the port differ");

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  int n = poll((struct pollfd *)(void *)fds, (nfds_t)count, timeout_ms);
  if(n >= 0) {
    *ready = (unsigned)n;
    return 0;
  }
  *ready = 0;
  if(errno != EINTR && errno != EAGAIN) /* EAGAIN: the kernel lacks memory, and the caller retries */
    return errno;
  while(count)
    fds[--count].revents = 0;
  return 0;
}
