/* port/posix/wake.c: waking by a pipe (port/wake.h). */
#include <errno.h>
#include <unistd.h>

#include "port/posix/internal.h"
#include "port/wake.h"

int mote_port_wake_open(struct mote_wake *w)
{
  int ends[2];
  int error;
  w->in = CURL_SOCKET_BAD;
  w->out = CURL_SOCKET_BAD;
  if(pipe(ends))
    return errno;
  w->in = ends[0];
  w->out = ends[1];
  error = mote_posix_prepare(w->in);
  if(!error)
    error = mote_posix_prepare(w->out);
  if(error)
    mote_port_wake_close(w);
  return error;
}

int mote_port_wake_signal(const struct mote_wake *w)
{
  int saved = errno;
  int error = 0;
  /* EAGAIN: the pipe is full, so the waiter is woken already. */
  while(write(w->out, "", 1) < 0) {
    if(errno == EINTR)
      continue;
    error = errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
    break;
  }
  errno = saved;
  return error;
}

int mote_port_wake_drain(const struct mote_wake *w)
{
  char bytes[64];
  for(;;) {
    ssize_t n = read(w->in, bytes, sizeof bytes);
    if(n < 0 && errno != EINTR)
      return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
    if(n >= 0 && (size_t)n < sizeof bytes)
      return 0;
  }
}

void mote_port_wake_close(struct mote_wake *w)
{
  if(w->in != CURL_SOCKET_BAD)
    (void)close(w->in);
  if(w->out != CURL_SOCKET_BAD)
    (void)close(w->out);
  w->in = CURL_SOCKET_BAD;
  w->out = CURL_SOCKET_BAD;
}
