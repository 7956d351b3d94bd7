/* log/descriptors.c: the calls that make and close descriptors and FILEs, logged. */
#define _GNU_SOURCE
#define MOTE_LOG_ITSELF
#include "log/calls.h"

#include <errno.h>
#include <stdarg.h>

#include "log/inner.h"

enum {
  NAME = 500 /* bytes of a file's name in a line */
};

/* A new descriptor, or -1. */
static int made(enum mote_log_call call, int fd)
{
  mote_log_hold_fd(fd, call);
  mote_log_line("FD", "%s() = %d%s", mote_log_calls[call].name, fd, mote_log_why(fd));
  return fd;
}

int mote_log_socket(int domain, int type, int protocol)
{
  return made(MOTE_LOG_SOCKET, mote_log_fails(MOTE_LOG_SOCKET) ? -1 : socket(domain, type, protocol));
}

int mote_log_accept(int fd, struct sockaddr *a, socklen_t *n)
{
  return made(MOTE_LOG_ACCEPT, mote_log_fails(MOTE_LOG_ACCEPT) ? -1 : accept(fd, a, n));
}

int mote_log_eventfd(unsigned value, int flags)
{
  return made(MOTE_LOG_EVENTFD, mote_log_fails(MOTE_LOG_EVENTFD) ? -1 : eventfd(value, flags));
}

int mote_log_epoll_create1(int flags)
{
  return made(MOTE_LOG_EPOLL_CREATE1, mote_log_fails(MOTE_LOG_EPOLL_CREATE1) ? -1 : epoll_create1(flags));
}

int mote_log_pipe(int fds[2])
{
  int rc = mote_log_fails(MOTE_LOG_PIPE) ? -1 : pipe(fds);
  (void)made(MOTE_LOG_PIPE, rc ? -1 : fds[0]);
  if(!rc)
    (void)made(MOTE_LOG_PIPE, fds[1]);
  return rc;
}

int mote_log_open(const char *path, int flags, ...)
{
  char text[NAME];
  mode_t mode = 0;
  int fd;
  if(flags & O_CREAT) {
    va_list ap;
    va_start(ap, flags);
    mode = va_arg(ap, mode_t);
    va_end(ap);
  }
  fd = mote_log_fails(MOTE_LOG_OPEN) ? -1 : open(path, flags, mode);
  mote_log_hold_fd(fd, MOTE_LOG_OPEN);
  mote_log_line("FD", "open(\"%s\") = %d%s", mote_log_text(text, sizeof text, path), fd, mote_log_why(fd));
  return fd;
}

int mote_log_close(int fd)
{
  int error = mote_log_failure(MOTE_LOG_CLOSE);
  int rc;
  mote_log_line("FD", "sclose(%d)", fd);
  mote_log_drop_fd(fd);
  rc = close(fd);
  if(error) {
    errno = error;
    rc = -1;
  }
  return rc ? mote_log_told(MOTE_LOG_CLOSE, fd, rc) : 0;
}

static FILE *made_file(FILE *f)
{
  if(f)
    mote_log_hold_fd(fileno(f), MOTE_LOG_FOPEN);
  return f;
}

FILE *mote_log_fopen(const char *path, const char *mode)
{
  char text[NAME];
  FILE *f = made_file(mote_log_fails(MOTE_LOG_FOPEN) ? NULL : fopen(path, mode));
  mote_log_line("FILE", "fopen(\"%s\",\"%s\") = 0x%lx%s", mote_log_text(text, sizeof text, path), mode,
                (unsigned long)(uintptr_t)f, mote_log_why(f ? 0 : -1));
  return f;
}

FILE *mote_log_fdopen(int fd, const char *mode)
{
  FILE *f = made_file(mote_log_fails(MOTE_LOG_FDOPEN) ? NULL : fdopen(fd, mode));
  mote_log_line("FILE", "fdopen(%d,\"%s\") = 0x%lx%s", fd, mode, (unsigned long)(uintptr_t)f,
                mote_log_why(f ? 0 : -1));
  return f;
}

int mote_log_fclose(FILE *f)
{
  int error = mote_log_failure(MOTE_LOG_FCLOSE);
  int fd = fileno(f);
  int rc;
  mote_log_line("FILE", "fclose(0x%lx)", (unsigned long)(uintptr_t)f);
  mote_log_drop_fd(fd);
  rc = fclose(f);
  if(error) {
    errno = error;
    rc = EOF;
  }
  return rc ? mote_log_told(MOTE_LOG_FCLOSE, fd, rc) : 0;
}
