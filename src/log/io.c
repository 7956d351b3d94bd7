/* log/io.c: the calls that move bytes or wait for them, logged. */
#define _GNU_SOURCE
#define MOTE_LOG_ITSELF
#include "log/calls.h"

#include <errno.h>

#include "log/inner.h"

static ssize_t moved(const char *word, enum mote_log_call call, size_t wanted, ssize_t n)
{
  mote_log_line(word, "%s(%zu) = %zd%s", mote_log_calls[call].name, wanted, n, mote_log_why(n));
  return n;
}

static ssize_t receive(int fd, void *p, size_t n, int flags)
{
  size_t room = n;
  ssize_t got;
  if(mote_log_fails(MOTE_LOG_RECV))
    return -1;
  if(!(flags & MSG_PEEK)) {
    room = mote_log_room(true, n);
    if(!room && n) {
      errno = EAGAIN;
      return -1;
    }
  }
  got = recv(fd, p, room, flags);
  if(!(flags & MSG_PEEK))
    mote_log_received(got);
  return got;
}

ssize_t mote_log_recv(int fd, void *p, size_t n, int flags)
{
  return moved("RECV", MOTE_LOG_RECV, n, receive(fd, p, n, flags));
}

ssize_t mote_log_send(int fd, const void *p, size_t n, int flags)
{
  ssize_t put = mote_log_fails(MOTE_LOG_SEND) ? -1 : send(fd, p, mote_log_room(false, n), flags);
  return moved("SEND", MOTE_LOG_SEND, n, put);
}

/* An eventfd takes and gives eight bytes at once, or fails. */
static size_t room_of(int fd, size_t n)
{
  return mote_log_is_eventfd(fd) ? n : mote_log_room(false, n);
}

ssize_t mote_log_read(int fd, void *p, size_t n)
{
  ssize_t got = mote_log_fails(MOTE_LOG_READ) ? -1 : read(fd, p, room_of(fd, n));
  return moved("RECV", MOTE_LOG_READ, n, got);
}

ssize_t mote_log_write(int fd, const void *p, size_t n)
{
  ssize_t put = mote_log_fails(MOTE_LOG_WRITE) ? -1 : write(fd, p, room_of(fd, n));
  return moved("SEND", MOTE_LOG_WRITE, n, put);
}

/* A connect that a signal interrupts goes on, and so does one that says that it is under way: it is made. */
int mote_log_connect(int fd, const struct sockaddr *a, socklen_t n)
{
  int error = mote_log_failure(MOTE_LOG_CONNECT);
  int rc = -1;
  if(error && error != EINTR && error != EINPROGRESS && error != EALREADY)
    errno = error;
  else {
    rc = connect(fd, a, n);
    if(error && (!rc || errno == EINPROGRESS)) {
      errno = error;
      rc = -1;
    }
  }
  return mote_log_told(MOTE_LOG_CONNECT, fd, rc);
}

int mote_log_poll(struct pollfd *p, nfds_t n, int ms)
{
  return mote_log_told(MOTE_LOG_POLL, (int)n, mote_log_fails(MOTE_LOG_POLL) ? -1 : poll(p, n, ms));
}

int mote_log_epoll_wait(int set, struct epoll_event *e, int n, int ms)
{
  return mote_log_told(MOTE_LOG_EPOLL_WAIT, set,
                       mote_log_fails(MOTE_LOG_EPOLL_WAIT) ? -1 : epoll_wait(set, e, n, ms));
}
