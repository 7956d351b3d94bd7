/* log/calls.c: the C library's calls that may fail, the allocator's excepted, logged. */
#define _GNU_SOURCE
#define MOTE_LOG_ITSELF
#include "log/calls.h"

#include <errno.h>
#include <stdarg.h>

#include "log/inner.h"

enum {
  NAME = 500 /* bytes of a file's name in a line */
};

/* ---- what moves bytes or waits for them: RECV and SEND lines ---- */

static ssize_t calls_moved(const char *word, enum mote_log_call call, size_t wanted, ssize_t n)
{
  mote_log_line(word, "%s(%zu) = %zd%s", mote_log_calls[call].name, wanted, n, mote_log_why(n));
  return n;
}

static ssize_t calls_receive(int fd, void *p, size_t n, int flags)
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
  return calls_moved("RECV", MOTE_LOG_RECV, n, calls_receive(fd, p, n, flags));
}

ssize_t mote_log_send(int fd, const void *p, size_t n, int flags)
{
  ssize_t put = mote_log_fails(MOTE_LOG_SEND) ? -1 : send(fd, p, mote_log_room(false, n), flags);
  return calls_moved("SEND", MOTE_LOG_SEND, n, put);
}

ssize_t mote_log_sendfile(int fd, int file, off_t *at, size_t n)
{
  ssize_t put = mote_log_fails(MOTE_LOG_SENDFILE) ? -1 : sendfile(fd, file, at, mote_log_room(false, n));
  return calls_moved("SEND", MOTE_LOG_SENDFILE, n, put);
}

/* A datagram is moved whole. */
ssize_t mote_log_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *a, socklen_t *size)
{
  ssize_t got = mote_log_fails(MOTE_LOG_RECVFROM) ? -1 : recvfrom(fd, p, n, flags, a, size);
  return calls_moved("RECV", MOTE_LOG_RECVFROM, n, got);
}

ssize_t mote_log_sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a, socklen_t size)
{
  ssize_t put = mote_log_fails(MOTE_LOG_SENDTO) ? -1 : sendto(fd, p, n, flags, a, size);
  return calls_moved("SEND", MOTE_LOG_SENDTO, n, put);
}

/* The room for one message, or for that of many. */
static size_t calls_room_of_message(const struct msghdr *m)
{
  size_t n = 0, i;
  for(i = 0; i < (size_t)m->msg_iovlen; i++)
    n += m->msg_iov[i].iov_len;
  return n;
}

ssize_t mote_log_recvmsg(int fd, struct msghdr *m, int flags)
{
  size_t room = calls_room_of_message(m);
  return calls_moved("RECV", MOTE_LOG_RECVMSG, room,
                     mote_log_fails(MOTE_LOG_RECVMSG) ? -1 : recvmsg(fd, m, flags));
}

ssize_t mote_log_sendmsg(int fd, const struct msghdr *m, int flags)
{
  size_t room = calls_room_of_message(m);
  return calls_moved("SEND", MOTE_LOG_SENDMSG, room,
                     mote_log_fails(MOTE_LOG_SENDMSG) ? -1 : sendmsg(fd, m, flags));
}

/* The line has the room for all and the bytes of all that came. */
int mote_log_recvmmsg(int fd, struct mmsghdr *m, unsigned count, int flags, struct timespec *most)
{
  int got = mote_log_fails(MOTE_LOG_RECVMMSG) ? -1 : recvmmsg(fd, m, count, flags, most);
  size_t room = 0, bytes = 0;
  unsigned i;
  for(i = 0; i < count; i++) {
    room += calls_room_of_message(&m[i].msg_hdr);
    bytes += (int)i < got ? m[i].msg_len : 0;
  }
  (void)calls_moved("RECV", MOTE_LOG_RECVMMSG, room, got < 0 ? -1 : (ssize_t)bytes);
  return got;
}

/* An eventfd takes and gives eight bytes at once, or fails. */
static size_t calls_room_of(int fd, size_t n)
{
  return mote_log_is_eventfd(fd) ? n : mote_log_room(false, n);
}

ssize_t mote_log_read(int fd, void *p, size_t n)
{
  ssize_t got = mote_log_fails(MOTE_LOG_READ) ? -1 : read(fd, p, calls_room_of(fd, n));
  return calls_moved("RECV", MOTE_LOG_READ, n, got);
}

ssize_t mote_log_write(int fd, const void *p, size_t n)
{
  ssize_t put = mote_log_fails(MOTE_LOG_WRITE) ? -1 : write(fd, p, calls_room_of(fd, n));
  return calls_moved("SEND", MOTE_LOG_WRITE, n, put);
}

/* A connect that a signal interrupts goes on, and so does one that is under way, so these are made. */
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
  return mote_log_result(MOTE_LOG_CONNECT, fd, rc);
}

int mote_log_poll(struct pollfd *p, nfds_t n, int ms)
{
  return mote_log_result(MOTE_LOG_POLL, (int)n, mote_log_fails(MOTE_LOG_POLL) ? -1 : poll(p, n, ms));
}

int mote_log_epoll_wait(int set, struct epoll_event *e, int n, int ms)
{
  return mote_log_result(MOTE_LOG_EPOLL_WAIT, set,
                       mote_log_fails(MOTE_LOG_EPOLL_WAIT) ? -1 : epoll_wait(set, e, n, ms));
}

/* ---- what makes and closes descriptors and FILEs: FD and FILE lines ---- */

/* A new descriptor, or -1. */
static int calls_made(enum mote_log_call call, int fd)
{
  mote_log_hold_fd(fd, call);
  mote_log_line("FD", "%s() = %d%s", mote_log_calls[call].name, fd, mote_log_why(fd));
  return fd;
}

int mote_log_socket(int domain, int type, int protocol)
{
  return calls_made(MOTE_LOG_SOCKET, mote_log_fails(MOTE_LOG_SOCKET) ? -1 : socket(domain, type, protocol));
}

int mote_log_accept(int fd, struct sockaddr *a, socklen_t *n)
{
  return calls_made(MOTE_LOG_ACCEPT, mote_log_fails(MOTE_LOG_ACCEPT) ? -1 : accept(fd, a, n));
}

int mote_log_eventfd(unsigned value, int flags)
{
  return calls_made(MOTE_LOG_EVENTFD, mote_log_fails(MOTE_LOG_EVENTFD) ? -1 : eventfd(value, flags));
}

int mote_log_epoll_create1(int flags)
{
  return calls_made(MOTE_LOG_EPOLL_CREATE1, mote_log_fails(MOTE_LOG_EPOLL_CREATE1) ? -1
                    : epoll_create1(flags));
}

int mote_log_pipe(int fds[2])
{
  int rc = mote_log_fails(MOTE_LOG_PIPE) ? -1 : pipe(fds);
  (void)calls_made(MOTE_LOG_PIPE, rc ? -1 : fds[0]);
  if(!rc)
    (void)calls_made(MOTE_LOG_PIPE, fds[1]);
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
  return rc ? mote_log_result(MOTE_LOG_CLOSE, fd, rc) : 0;
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
  return rc ? mote_log_result(MOTE_LOG_FCLOSE, fd, rc) : 0;
}

/* ---- all others: CALL lines, and ADDR for getaddrinfo ---- */

int mote_log_bind(int fd, const struct sockaddr *a, socklen_t n)
{
  return mote_log_result(MOTE_LOG_BIND, fd, mote_log_fails(MOTE_LOG_BIND) ? -1 : bind(fd, a, n));
}

int mote_log_listen(int fd, int backlog)
{
  return mote_log_result(MOTE_LOG_LISTEN, fd, mote_log_fails(MOTE_LOG_LISTEN) ? -1 : listen(fd, backlog));
}

int mote_log_shutdown(int fd, int how)
{
  return mote_log_result(MOTE_LOG_SHUTDOWN, fd, mote_log_fails(MOTE_LOG_SHUTDOWN) ? -1 : shutdown(fd, how));
}

int mote_log_getsockopt(int fd, int level, int name, void *v, socklen_t *n)
{
  int rc = mote_log_fails(MOTE_LOG_GETSOCKOPT) ? -1 : getsockopt(fd, level, name, v, n);
  return mote_log_result(MOTE_LOG_GETSOCKOPT, fd, rc);
}

int mote_log_setsockopt(int fd, int level, int name, const void *v, socklen_t n)
{
  int rc = mote_log_fails(MOTE_LOG_SETSOCKOPT) ? -1 : setsockopt(fd, level, name, v, n);
  return mote_log_result(MOTE_LOG_SETSOCKOPT, fd, rc);
}

int mote_log_getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
  int rc = mote_log_fails(MOTE_LOG_GETSOCKNAME) ? -1 : getsockname(fd, a, n);
  return mote_log_result(MOTE_LOG_GETSOCKNAME, fd, rc);
}

int mote_log_getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
  int rc = mote_log_fails(MOTE_LOG_GETPEERNAME) ? -1 : getpeername(fd, a, n);
  return mote_log_result(MOTE_LOG_GETPEERNAME, fd, rc);
}

int mote_log_gethostname(char *out, size_t size)
{
  int rc = mote_log_fails(MOTE_LOG_GETHOSTNAME) ? -1 : gethostname(out, size);
  return mote_log_result(MOTE_LOG_GETHOSTNAME, (int)size, rc);
}

int mote_log_fcntl(int fd, int command, ...)
{
  va_list ap;
  int value;
  va_start(ap, command);
  value = command == F_GETFL || command == F_GETFD ? 0 : va_arg(ap, int);
  va_end(ap);
  return mote_log_result(MOTE_LOG_FCNTL, fd, mote_log_fails(MOTE_LOG_FCNTL) ? -1 : fcntl(fd, command, value));
}

int mote_log_ioctl(int fd, unsigned long command, ...)
{
  va_list ap;
  void *value;
  va_start(ap, command);
  value = va_arg(ap, void *);
  va_end(ap);
  return mote_log_result(MOTE_LOG_IOCTL, fd, mote_log_fails(MOTE_LOG_IOCTL) ? -1 : ioctl(fd, command, value));
}

int mote_log_epoll_ctl(int set, int how, int fd, struct epoll_event *e)
{
  int rc = mote_log_fails(MOTE_LOG_EPOLL_CTL) ? -1 : epoll_ctl(set, how, fd, e);
  return mote_log_result(MOTE_LOG_EPOLL_CTL, fd, rc);
}

off_t mote_log_lseek(int fd, off_t offset, int whence)
{
  off_t at = mote_log_fails(MOTE_LOG_LSEEK) ? -1 : lseek(fd, offset, whence);
  mote_log_line("CALL", "lseek(%d) = %lld%s", fd, (long long)at, mote_log_why(at < 0 ? -1 : 0));
  return at;
}

int mote_log_fstat(int fd, struct stat *st)
{
  return mote_log_result(MOTE_LOG_FSTAT, fd, mote_log_fails(MOTE_LOG_FSTAT) ? -1 : fstat(fd, st));
}

int mote_log_stat(const char *path, struct stat *st)
{
  return mote_log_result_path(MOTE_LOG_STAT, path, mote_log_fails(MOTE_LOG_STAT) ? -1 : stat(path, st));
}

int mote_log_access(const char *path, int mode)
{
  int rc = mote_log_fails(MOTE_LOG_ACCESS) ? -1 : access(path, mode);
  return mote_log_result_path(MOTE_LOG_ACCESS, path, rc);
}

int mote_log_mkdir(const char *path, mode_t mode)
{
  return mote_log_result_path(MOTE_LOG_MKDIR, path, mote_log_fails(MOTE_LOG_MKDIR) ? -1 : mkdir(path, mode));
}

int mote_log_unlink(const char *path)
{
  return mote_log_result_path(MOTE_LOG_UNLINK, path, mote_log_fails(MOTE_LOG_UNLINK) ? -1 : unlink(path));
}

int mote_log_rename(const char *from, const char *to)
{
  return mote_log_result_path(MOTE_LOG_RENAME, to, mote_log_fails(MOTE_LOG_RENAME) ? -1 : rename(from, to));
}

int mote_log_ftruncate(int fd, off_t size)
{
  int rc = mote_log_fails(MOTE_LOG_FTRUNCATE) ? -1 : ftruncate(fd, size);
  return mote_log_result(MOTE_LOG_FTRUNCATE, fd, rc);
}

int mote_log_futimens(int fd, const struct timespec times[2])
{
  return mote_log_result(MOTE_LOG_FUTIMENS, fd, mote_log_fails(MOTE_LOG_FUTIMENS) ? -1 : futimens(fd, times));
}

int mote_log_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
  int rc = mote_log_fails(MOTE_LOG_FSETXATTR) ? -1 : fsetxattr(fd, name, value, size, flags);
  return mote_log_result(MOTE_LOG_FSETXATTR, fd, rc);
}

int mote_log_tcgetattr(int fd, struct termios *t)
{
  return mote_log_result(MOTE_LOG_TCGETATTR, fd, mote_log_fails(MOTE_LOG_TCGETATTR) ? -1 : tcgetattr(fd, t));
}

int mote_log_tcsetattr(int fd, int when, const struct termios *t)
{
  int rc = mote_log_fails(MOTE_LOG_TCSETATTR) ? -1 : tcsetattr(fd, when, t);
  return mote_log_result(MOTE_LOG_TCSETATTR, fd, rc);
}

int mote_log_nanosleep(const struct timespec *wanted, struct timespec *left)
{
  bool fails = mote_log_fails(MOTE_LOG_NANOSLEEP);
  if(fails && left)
    *left = *wanted;
  return mote_log_result(MOTE_LOG_NANOSLEEP, (int)wanted->tv_sec, fails ? -1 : nanosleep(wanted, left));
}

int mote_log_getentropy(void *p, size_t n)
{
  int rc = mote_log_fails(MOTE_LOG_GETENTROPY) ? -1 : getentropy(p, n);
  return mote_log_result(MOTE_LOG_GETENTROPY, (int)n, rc);
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
  return mote_log_result(MOTE_LOG_GETIFADDRS, 0, mote_log_fails(MOTE_LOG_GETIFADDRS) ? -1 : getifaddrs(out));
}

unsigned mote_log_if_nametoindex(const char *name)
{
  unsigned index = mote_log_fails(MOTE_LOG_IF_NAMETOINDEX) ? 0 : if_nametoindex(name);
  (void)mote_log_result_path(MOTE_LOG_IF_NAMETOINDEX, name, index ? (int)index : -1);
  return index;
}

struct passwd *mote_log_getpwuid(uid_t uid)
{
  struct passwd *found = mote_log_fails(MOTE_LOG_GETPWUID) ? NULL : getpwuid(uid);
  (void)mote_log_result(MOTE_LOG_GETPWUID, (int)uid, found ? 0 : -1);
  return found;
}

/* These return the error instead of setting errno. */
static int error_result(enum mote_log_call call, int error)
{
  int saved = errno;
  errno = error;
  (void)mote_log_result(call, 0, error ? -1 : 0);
  errno = saved;
  return error;
}

int mote_log_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
  int error = mote_log_failure(MOTE_LOG_PTHREAD_CREATE);
  return error_result(MOTE_LOG_PTHREAD_CREATE, error ? error : pthread_create(id, attr, run, arg));
}

int mote_log_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
  int error = mote_log_failure(MOTE_LOG_PTHREAD_ATFORK);
  return error_result(MOTE_LOG_PTHREAD_ATFORK, error ? error : pthread_atfork(prepare, parent, child));
}

int mote_log_pthread_attr_init(pthread_attr_t *attr)
{
  int error = mote_log_failure(MOTE_LOG_PTHREAD_ATTR_INIT);
  return error_result(MOTE_LOG_PTHREAD_ATTR_INIT, error ? error : pthread_attr_init(attr));
}
