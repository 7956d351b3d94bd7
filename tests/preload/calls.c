/* calls.c: system calls of the library that fail, are cut short or come at a rare moment (preload.h). */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "inner.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define OF_LIBRARY() (preload_module_of(PRELOAD_CALLER) == PRELOAD_LIBRARY)
#define OF_LIBRARY_OR_TLS() ((preload_module_of(PRELOAD_CALLER) & (PRELOAD_LIBRARY | PRELOAD_TLS)) != 0)

/* The function that this one stands before. */
#define NEXT(name) \
  static __typeof__(&name) next; \
  if(!next) { \
    void *sym_ = dlsym(RTLD_NEXT, #name); \
    memcpy(&next, &sym_, sizeof sym_); \
  }
#define FAIL(kind, err, result) \
  if(OF_LIBRARY_OR_TLS() && preload_fails(kind)) { \
    errno = err; \
    return result; \
  }

/* The signal comes where it is noticed last. */
static void interrupt_before(int fd)
{
  if(preload_settings.interrupts && isatty(fd))
    raise(SIGINT);
}

PRELOAD_EXPORT int socket(int domain, int type, int protocol)
{
  NEXT(socket)
  FAIL("socket", EMFILE, -1)
  return next(domain, type, protocol);
}

PRELOAD_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
  NEXT(socketpair)
  FAIL("socketpair", EMFILE, -1)
  return next(domain, type, protocol, fds);
}

PRELOAD_EXPORT int pipe(int fds[2])
{
  NEXT(pipe)
  FAIL("pipe", EMFILE, -1)
  return next(fds);
}

PRELOAD_EXPORT int connect(int fd, const struct sockaddr *a, socklen_t n)
{
  NEXT(connect)
  FAIL("connect", EADDRNOTAVAIL, -1)
  if(preload_settings.send_buffer)
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &preload_settings.send_buffer, sizeof(int));
  return next(fd, a, n);
}

PRELOAD_EXPORT int getsockopt(int fd, int level, int name, void *v, socklen_t *n)
{
  NEXT(getsockopt)
  FAIL("getsockopt", ENOBUFS, -1)
  return next(fd, level, name, v, n);
}

PRELOAD_EXPORT int setsockopt(int fd, int level, int name, const void *v, socklen_t n)
{
  NEXT(setsockopt)
  FAIL("setsockopt", ENOBUFS, -1)
  return next(fd, level, name, v, n);
}

PRELOAD_EXPORT int getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
  NEXT(getsockname)
  FAIL("getsockname", ENOBUFS, -1)
  return next(fd, a, n);
}

PRELOAD_EXPORT int getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
  NEXT(getpeername)
  FAIL("getpeername", ENOBUFS, -1)
  return next(fd, a, n);
}

PRELOAD_EXPORT int fcntl(int fd, int cmd, ...)
{
  NEXT(fcntl)
  va_list ap;
  long arg;
  va_start(ap, cmd);
  arg = va_arg(ap, long);
  va_end(ap);
  FAIL("fcntl", EINVAL, -1)
  return next(fd, cmd, arg);
}

PRELOAD_EXPORT int ioctl(int fd, unsigned long cmd, ...)
{
  NEXT(ioctl)
  va_list ap;
  void *arg;
  va_start(ap, cmd);
  arg = va_arg(ap, void *);
  va_end(ap);
  FAIL("ioctl", EINVAL, -1)
  return next(fd, cmd, arg);
}

PRELOAD_EXPORT int poll(struct pollfd *p, nfds_t n, int ms)
{
  NEXT(poll)
  FAIL("poll", ENOMEM, -1)
  return next(p, n, ms);
}

int __poll_chk(struct pollfd *p, nfds_t n, int ms, size_t room);
PRELOAD_EXPORT int __poll_chk(struct pollfd *p, nfds_t n, int ms, size_t room)
{
  (void)room;
  NEXT(poll)
  FAIL("poll", ENOMEM, -1)
  return next(p, n, ms);
}

PRELOAD_EXPORT int pselect(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *wait,
                           const sigset_t *mask)
{
  NEXT(pselect)
  if(n > 0 && r && FD_ISSET(n - 1, r))
    interrupt_before(n - 1);
  return next(n, r, w, x, wait, mask);
}

PRELOAD_EXPORT int epoll_create1(int flags)
{
  NEXT(epoll_create1)
  FAIL("epoll_create1", EMFILE, -1)
  return next(flags);
}

PRELOAD_EXPORT int epoll_ctl(int e, int op, int fd, struct epoll_event *ev)
{
  NEXT(epoll_ctl)
  FAIL("epoll_ctl", ENOMEM, -1)
  return next(e, op, fd, ev);
}

PRELOAD_EXPORT int epoll_wait(int e, struct epoll_event *ev, int n, int ms)
{
  NEXT(epoll_wait)
  FAIL("epoll_wait", EINVAL, -1)
  return next(e, ev, n, ms);
}

PRELOAD_EXPORT int eventfd(unsigned int v, int flags)
{
  NEXT(eventfd)
  FAIL("eventfd", EMFILE, -1)
  return next(v, flags);
}

static size_t receive_limit(int fd, size_t n)
{
  struct stat st;
  if((!preload_settings.recv_max && preload_settings.recv_cut < 0) || fstat(fd, &st) || !S_ISSOCK(st.st_mode))
    return n;
  if(preload_settings.recv_cut == 0) {
    preload_settings.recv_cut = -1;
    return 0;
  }
  if(preload_settings.recv_cut > 0 && (long long)n > preload_settings.recv_cut)
    n = (size_t)preload_settings.recv_cut;
  if(preload_settings.recv_max && (long long)n > preload_settings.recv_max)
    n = (size_t)preload_settings.recv_max;
  return n;
}

static void received(ssize_t got, int flags)
{
  if(preload_settings.recv_cut > 0 && got > 0 && !(flags & MSG_PEEK))
    preload_settings.recv_cut -= got < preload_settings.recv_cut ? got : preload_settings.recv_cut;
}

#define RECEIVE(kind, call) \
  size_t full = n; \
  ssize_t got; \
  if(OF_LIBRARY_OR_TLS() && !(flags & MSG_PEEK)) { \
    if(preload_fails(kind)) { \
      errno = ECONNRESET; \
      return -1; \
    } \
    n = receive_limit(fd, n); \
    if(!n && full) { \
      errno = EAGAIN; \
      return -1; \
    } \
  } \
  got = call; \
  received(got, flags); \
  return got;

PRELOAD_EXPORT ssize_t recv(int fd, void *p, size_t n, int flags)
{
  NEXT(recv)
  RECEIVE("recv", next(fd, p, n, flags))
}

ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
PRELOAD_EXPORT ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags)
{
  NEXT(recv)
  (void)room;
  RECEIVE("recv", next(fd, p, n, flags))
}

PRELOAD_EXPORT ssize_t read(int fd, void *p, size_t n)
{
  NEXT(read)
  int flags = 0;
  struct stat st;
  interrupt_before(fd);
  if(OF_LIBRARY_OR_TLS() && !fstat(fd, &st) && !S_ISSOCK(st.st_mode)) {
    if(preload_fails("read")) {
      errno = EIO;
      return -1;
    }
    return next(fd, p, n);
  }
  RECEIVE("recv", next(fd, p, n))
}

#define SEND(kind) \
  if(OF_LIBRARY_OR_TLS()) { \
    if(preload_fails(kind)) { \
      errno = ECONNRESET; \
      return -1; \
    } \
    if(preload_settings.send_max && (long long)n > preload_settings.send_max) \
      n = (size_t)preload_settings.send_max; \
  }

PRELOAD_EXPORT ssize_t send(int fd, const void *p, size_t n, int flags)
{
  NEXT(send)
  SEND("send")
  return next(fd, p, n, flags);
}

PRELOAD_EXPORT ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a,
                              socklen_t an)
{
  NEXT(sendto)
  SEND("send")
  return next(fd, p, n, flags, a, an);
}

PRELOAD_EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
  NEXT(sendmsg)
  FAIL("send", ECONNRESET, -1)
  if(preload_settings.send_max && OF_LIBRARY_OR_TLS() && m->msg_iovlen) {
    struct msghdr one = *m;
    struct iovec v = m->msg_iov[0];
    if((long long)v.iov_len > preload_settings.send_max)
      v.iov_len = (size_t)preload_settings.send_max;
    one.msg_iov = &v;
    one.msg_iovlen = 1;
    return next(fd, &one, flags);
  }
  return next(fd, m, flags);
}

PRELOAD_EXPORT ssize_t sendfile64(int fd, int file, off64_t *at, size_t n)
{
  NEXT(sendfile64)
  if(OF_LIBRARY_OR_TLS() && preload_fails("nosendfile")) {
    errno = EINVAL;
    return -1;
  }
  SEND("sendfile")
  return next(fd, file, at, n);
}

PRELOAD_EXPORT ssize_t write(int fd, const void *p, size_t n)
{
  NEXT(write)
  struct stat st;
  mode_t kind = OF_LIBRARY_OR_TLS() && !fstat(fd, &st) ? st.st_mode & S_IFMT : 0;
  if(kind == S_IFSOCK) {
    SEND("send")
  }
  else if(n == 8 || (n == 1 && kind == S_IFIFO)) { /* an eventfd, or the pipe in its place */
    FAIL("wake", EIO, -1)
  }
  else {
    FAIL("write", ENOSPC, -1)
  }
  return next(fd, p, n);
}

PRELOAD_EXPORT int open(const char *path, int flags, ...)
{
  NEXT(open)
  va_list ap;
  mode_t mode;
  va_start(ap, flags);
  mode = (mode_t)va_arg(ap, int);
  va_end(ap);
  FAIL("open", EMFILE, -1)
  return next(path, flags, mode);
}

PRELOAD_EXPORT int open64(const char *path, int flags, ...)
{
  NEXT(open64)
  va_list ap;
  mode_t mode;
  va_start(ap, flags);
  mode = (mode_t)va_arg(ap, int);
  va_end(ap);
  FAIL("file", EMFILE, -1)
  return next(path, flags, mode);
}

PRELOAD_EXPORT int rename(const char *from, const char *to)
{
  NEXT(rename)
  FAIL("rename", EACCES, -1)
  return next(from, to);
}

PRELOAD_EXPORT int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg)
{
  NEXT(pthread_create)
  if(OF_LIBRARY() && preload_fails("pthread_create"))
    return EAGAIN;
  return next(t, a, fn, arg);
}

PRELOAD_EXPORT int getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **r)
{
  NEXT(getaddrinfo)
  if(OF_LIBRARY() && preload_fails("getaddrinfo"))
    return EAI_MEMORY;
  if(n && preload_settings.loopback && !strcmp(n, preload_settings.loopback))
    n = "127.0.0.1";
  return next(n, s, h, r);
}
