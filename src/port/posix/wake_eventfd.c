/* port/posix/wake_eventfd.c: waking by one eventfd. */
#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "port/wake.h"
#include "port/posix/internal.h"

#if MOTE_POSIX_LINUX

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

#endif
