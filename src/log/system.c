/* log/system.c: the other fallible calls, logged: CALL lines, and ADDR for getaddrinfo. */
#define _GNU_SOURCE
#define MOTE_LOG_ITSELF
#include "log/calls.h"

#include <errno.h>
#include <stdarg.h>

#include "log/inner.h"

int mote_log_bind(int fd, const struct sockaddr *a, socklen_t n)
{
  return mote_log_told(MOTE_LOG_BIND, fd, mote_log_fails(MOTE_LOG_BIND) ? -1 : bind(fd, a, n));
}

int mote_log_shutdown(int fd, int how)
{
  return mote_log_told(MOTE_LOG_SHUTDOWN, fd, mote_log_fails(MOTE_LOG_SHUTDOWN) ? -1 : shutdown(fd, how));
}

int mote_log_getsockopt(int fd, int level, int name, void *v, socklen_t *n)
{
  int rc = mote_log_fails(MOTE_LOG_GETSOCKOPT) ? -1 : getsockopt(fd, level, name, v, n);
  return mote_log_told(MOTE_LOG_GETSOCKOPT, fd, rc);
}

int mote_log_setsockopt(int fd, int level, int name, const void *v, socklen_t n)
{
  int rc = mote_log_fails(MOTE_LOG_SETSOCKOPT) ? -1 : setsockopt(fd, level, name, v, n);
  return mote_log_told(MOTE_LOG_SETSOCKOPT, fd, rc);
}

int mote_log_getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
  int rc = mote_log_fails(MOTE_LOG_GETSOCKNAME) ? -1 : getsockname(fd, a, n);
  return mote_log_told(MOTE_LOG_GETSOCKNAME, fd, rc);
}

int mote_log_getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
  int rc = mote_log_fails(MOTE_LOG_GETPEERNAME) ? -1 : getpeername(fd, a, n);
  return mote_log_told(MOTE_LOG_GETPEERNAME, fd, rc);
}

int mote_log_fcntl(int fd, int command, ...)
{
  va_list ap;
  int value;
  va_start(ap, command);
  value = command == F_GETFL || command == F_GETFD ? 0 : va_arg(ap, int);
  va_end(ap);
  return mote_log_told(MOTE_LOG_FCNTL, fd, mote_log_fails(MOTE_LOG_FCNTL) ? -1 : fcntl(fd, command, value));
}

int mote_log_ioctl(int fd, unsigned long command, ...)
{
  va_list ap;
  void *value;
  va_start(ap, command);
  value = va_arg(ap, void *);
  va_end(ap);
  return mote_log_told(MOTE_LOG_IOCTL, fd, mote_log_fails(MOTE_LOG_IOCTL) ? -1 : ioctl(fd, command, value));
}

int mote_log_epoll_ctl(int set, int how, int fd, struct epoll_event *e)
{
  int rc = mote_log_fails(MOTE_LOG_EPOLL_CTL) ? -1 : epoll_ctl(set, how, fd, e);
  return mote_log_told(MOTE_LOG_EPOLL_CTL, fd, rc);
}

off_t mote_log_lseek(int fd, off_t offset, int whence)
{
  off_t at = mote_log_fails(MOTE_LOG_LSEEK) ? -1 : lseek(fd, offset, whence);
  mote_log_line("CALL", "lseek(%d) = %lld%s", fd, (long long)at, mote_log_why(at < 0 ? -1 : 0));
  return at;
}

int mote_log_fstat(int fd, struct stat *st)
{
  return mote_log_told(MOTE_LOG_FSTAT, fd, mote_log_fails(MOTE_LOG_FSTAT) ? -1 : fstat(fd, st));
}

int mote_log_stat(const char *path, struct stat *st)
{
  return mote_log_told_path(MOTE_LOG_STAT, path, mote_log_fails(MOTE_LOG_STAT) ? -1 : stat(path, st));
}

int mote_log_access(const char *path, int mode)
{
  return mote_log_told_path(MOTE_LOG_ACCESS, path, mote_log_fails(MOTE_LOG_ACCESS) ? -1 : access(path, mode));
}

int mote_log_mkdir(const char *path, mode_t mode)
{
  return mote_log_told_path(MOTE_LOG_MKDIR, path, mote_log_fails(MOTE_LOG_MKDIR) ? -1 : mkdir(path, mode));
}

int mote_log_unlink(const char *path)
{
  return mote_log_told_path(MOTE_LOG_UNLINK, path, mote_log_fails(MOTE_LOG_UNLINK) ? -1 : unlink(path));
}

int mote_log_ftruncate(int fd, off_t size)
{
  return mote_log_told(MOTE_LOG_FTRUNCATE, fd, mote_log_fails(MOTE_LOG_FTRUNCATE) ? -1 : ftruncate(fd, size));
}

int mote_log_futimens(int fd, const struct timespec times[2])
{
  return mote_log_told(MOTE_LOG_FUTIMENS, fd, mote_log_fails(MOTE_LOG_FUTIMENS) ? -1 : futimens(fd, times));
}

int mote_log_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
  int rc = mote_log_fails(MOTE_LOG_FSETXATTR) ? -1 : fsetxattr(fd, name, value, size, flags);
  return mote_log_told(MOTE_LOG_FSETXATTR, fd, rc);
}

int mote_log_tcgetattr(int fd, struct termios *t)
{
  return mote_log_told(MOTE_LOG_TCGETATTR, fd, mote_log_fails(MOTE_LOG_TCGETATTR) ? -1 : tcgetattr(fd, t));
}

int mote_log_tcsetattr(int fd, int when, const struct termios *t)
{
  int rc = mote_log_fails(MOTE_LOG_TCSETATTR) ? -1 : tcsetattr(fd, when, t);
  return mote_log_told(MOTE_LOG_TCSETATTR, fd, rc);
}

int mote_log_nanosleep(const struct timespec *wanted, struct timespec *left)
{
  bool fails = mote_log_fails(MOTE_LOG_NANOSLEEP);
  if(fails && left)
    *left = *wanted;
  return mote_log_told(MOTE_LOG_NANOSLEEP, (int)wanted->tv_sec, fails ? -1 : nanosleep(wanted, left));
}

int mote_log_getentropy(void *p, size_t n)
{
  int rc = mote_log_fails(MOTE_LOG_GETENTROPY) ? -1 : getentropy(p, n);
  return mote_log_told(MOTE_LOG_GETENTROPY, (int)n, rc);
}

/* A failure is an EAI code (negative), or EAI_SYSTEM and an errno. */
int mote_log_getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                         struct addrinfo **out)
{
  int error = mote_log_failure(MOTE_LOG_GETADDRINFO);
  int rc = error < 0 ? error : EAI_SYSTEM;
  if(!error)
    rc = getaddrinfo(name, service, hints, out);
  else if(error > 0)
    errno = error;
  if(rc)
    mote_log_line("ADDR", "getaddrinfo() failed");
  else
    mote_log_line("ADDR", "getaddrinfo() = 0x%lx", (unsigned long)(uintptr_t)*out);
  return rc;
}

void mote_log_freeaddrinfo(struct addrinfo *all)
{
  mote_log_line("ADDR", "freeaddrinfo(0x%lx)", (unsigned long)(uintptr_t)all);
  freeaddrinfo(all);
}

int mote_log_getifaddrs(struct ifaddrs **out)
{
  return mote_log_told(MOTE_LOG_GETIFADDRS, 0, mote_log_fails(MOTE_LOG_GETIFADDRS) ? -1 : getifaddrs(out));
}

unsigned mote_log_if_nametoindex(const char *name)
{
  unsigned index = mote_log_fails(MOTE_LOG_IF_NAMETOINDEX) ? 0 : if_nametoindex(name);
  (void)mote_log_told_path(MOTE_LOG_IF_NAMETOINDEX, name, index ? (int)index : -1);
  return index;
}

struct passwd *mote_log_getpwuid(uid_t uid)
{
  struct passwd *found = mote_log_fails(MOTE_LOG_GETPWUID) ? NULL : getpwuid(uid);
  (void)mote_log_told(MOTE_LOG_GETPWUID, (int)uid, found ? 0 : -1);
  return found;
}

/* These answer the error instead of setting errno. */
static int told_error(enum mote_log_call call, int error)
{
  int saved = errno;
  errno = error;
  (void)mote_log_told(call, 0, error ? -1 : 0);
  errno = saved;
  return error;
}

int mote_log_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
  int error = mote_log_failure(MOTE_LOG_PTHREAD_CREATE);
  return told_error(MOTE_LOG_PTHREAD_CREATE, error ? error : pthread_create(id, attr, run, arg));
}

int mote_log_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
  int error = mote_log_failure(MOTE_LOG_PTHREAD_ATFORK);
  return told_error(MOTE_LOG_PTHREAD_ATFORK, error ? error : pthread_atfork(prepare, parent, child));
}

int mote_log_pthread_attr_init(pthread_attr_t *attr)
{
  int error = mote_log_failure(MOTE_LOG_PTHREAD_ATTR_INIT);
  return told_error(MOTE_LOG_PTHREAD_ATTR_INIT, error ? error : pthread_attr_init(attr));
}
