/* fault.c: LD_PRELOAD library that counts the library's memory and makes its calls fail.
 *
 * Only calls from the transfer library itself count (found by return address; for system calls also those
 * of the TLS library), so the driver's own calls are never touched. The driver steers it by
 * mote_fault_control():
 *   KIND N      arm: the N-th call of KIND from now on fails (once; N < 0: every one does); KIND is
 *               "alloc", a system call, or "any"; "nosendfile" is sendfile() that cannot send this file
 *   seen 0      how many calls of the armed kind were made since
 *   fired 0     1 when the failure happened
 *   disarm 0    no more failures; answers like fired
 *   live 0 / livebytes 0 / allocs 0 / peak 0   blocks and bytes held, allocations, most bytes
 *   recvmax N / sendmax N   every receive or send moves at most N bytes (0: no limit)
 *   recvcut N   the receiver sees N bytes, then EAGAIN once, then the rest (-1: off) */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

#define SLOTS (1u << 18)
#define GONE ((void *)1)

static struct { void *p; size_t n; } slots[SLOTS];
static long long live, live_bytes, peak, allocs;
static char lock_word;
static char armed[16];
static long long countdown, seen, recv_max, send_max, recv_cut = -1;
static int fired;

static struct { char *from, *to; } lib[4], tls[8];
static int nlib, ntls, lib_known;

#define LOCK() while(__atomic_test_and_set(&lock_word, __ATOMIC_ACQUIRE)) ;
#define UNLOCK() __atomic_clear(&lock_word, __ATOMIC_RELEASE)

/* Learns where the modules lie, from the process map; no allocation. */
static void learn(void)
{
  static char text[1 << 17];
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  size_t used = 0;
  ssize_t n;
  if(fd < 0)
    return;
  while((n = read(fd, text + used, sizeof text - 1 - used)) > 0)
    used += (size_t)n;
  close(fd);
  text[used] = 0;
  for(char *line = text, *next; line && *line; line = next) {
    unsigned long a, b;
    char *end;
    next = strchr(line, '\n');
    if(next)
      *next++ = 0;
    a = strtoul(line, &end, 16);
    b = strtoul(end + 1, &end, 16);
    if(strncmp(end, " r-x", 4))
      continue;
    if((strstr(line, "/libcurl") || strstr(line, "/libmote")) && nlib < 4) {
      lib[nlib].from = (char *)a;
      lib[nlib++].to = (char *)b;
    }
    if((strstr(line, "/libcrypto") || strstr(line, "/libssl")) && ntls < 8) {
      tls[ntls].from = (char *)a;
      tls[ntls++].to = (char *)b;
    }
  }
  lib_known = 1;
}

static int ours(void *caller)
{
  for(int i = 0; i < nlib; i++)
    if((char *)caller >= lib[i].from && (char *)caller < lib[i].to)
      return 1;
  return 0;
}

static int ours_or_tls(void *caller)
{
  for(int i = 0; i < ntls; i++)
    if((char *)caller >= tls[i].from && (char *)caller < tls[i].to)
      return 1;
  return ours(caller);
}

static unsigned slot_of(void *p)
{
  unsigned long v = (unsigned long)p >> 4;
  return (unsigned)((v * 2654435761u) ^ (v >> 13)) & (SLOTS - 1);
}

static void track(void *p, size_t n)
{
  if(!p)
    return;
  LOCK();
  unsigned i = slot_of(p);
  while(slots[i].p && slots[i].p != GONE)
    i = (i + 1) & (SLOTS - 1);
  slots[i].p = p;
  slots[i].n = n;
  live++;
  allocs++;
  live_bytes += (long long)n;
  if(live_bytes > peak)
    peak = live_bytes;
  UNLOCK();
}

static void forget(void *p)
{
  if(!p || !live)
    return;
  LOCK();
  for(unsigned i = slot_of(p); slots[i].p; i = (i + 1) & (SLOTS - 1))
    if(slots[i].p == p) {
      unsigned after = (i + 1) & (SLOTS - 1);
      slots[i].p = slots[after].p ? GONE : NULL;
      live--;
      live_bytes -= (long long)slots[i].n;
      break;
    }
  UNLOCK();
}

static int fails(const char *kind)
{
  int hit = 0;
  if(!armed[0] || (strcmp(armed, kind) && (strcmp(armed, "any") || !strcmp(kind, "alloc"))))
    return 0;
  LOCK();
  seen++;
  if(countdown < 0 || (countdown > 0 && --countdown == 0))
    fired = hit = 1;
  UNLOCK();
  return hit;
}

long long mote_fault_control(const char *what, long long n);
long long mote_fault_control(const char *what, long long n)
{
  if(!lib_known)
    learn();
  if(!strcmp(what, "seen"))
    return seen;
  if(!strcmp(what, "live"))
    return live;
  if(!strcmp(what, "livebytes"))
    return live_bytes;
  if(!strcmp(what, "peak"))
    return peak;
  if(!strcmp(what, "allocs"))
    return allocs;
  if(!strcmp(what, "fired"))
    return fired;
  if(!strcmp(what, "disarm")) {
    armed[0] = 0;
    return fired;
  }
  if(!strcmp(what, "recvmax"))
    return recv_max = n;
  if(!strcmp(what, "sendmax"))
    return send_max = n;
  if(!strcmp(what, "recvcut"))
    return recv_cut = n;
  seen = fired = 0;
  countdown = n;
  strncpy(armed, what, sizeof armed - 1);
  return n;
}

__attribute__((constructor)) static void start(void)
{
  learn();
}

#ifndef FAULT_NO_MEMORY /* a sanitizer's runtime replaces these itself */

void *malloc(size_t n)
{
  void *p;
  if(!ours(__builtin_return_address(0)))
    return __libc_malloc(n);
  if(fails("alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  p = __libc_malloc(n);
  track(p, n);
  return p;
}

void *calloc(size_t a, size_t b)
{
  void *p;
  if(!ours(__builtin_return_address(0)))
    return __libc_calloc(a, b);
  if(fails("alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  p = __libc_calloc(a, b);
  track(p, a * b);
  return p;
}

void *realloc(void *old, size_t n)
{
  void *p;
  if(!ours(__builtin_return_address(0))) {
    forget(old);
    return __libc_realloc(old, n);
  }
  if(n && fails("alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  forget(old);
  p = __libc_realloc(old, n);
  track(p, n);
  return p;
}

void free(void *p)
{
  forget(p);
  __libc_free(p);
}

char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  int mine = ours(__builtin_return_address(0));
  char *p;
  if(mine && fails("alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  p = __libc_malloc(n);
  if(p)
    memcpy(p, s, n);
  if(mine)
    track(p, n);
  return p;
}

#endif

#define NEXT(name) \
  static __typeof__(&name) next; \
  if(!next) { \
    void *sym_ = dlsym(RTLD_NEXT, #name); \
    memcpy(&next, &sym_, sizeof sym_); \
  }
#define FAIL(kind, err, result) \
  if(ours_or_tls(__builtin_return_address(0)) && fails(kind)) { \
    errno = err; \
    return result; \
  }

int socket(int domain, int type, int protocol)
{
  NEXT(socket)
  FAIL("socket", EMFILE, -1)
  return next(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
  NEXT(socketpair)
  FAIL("socketpair", EMFILE, -1)
  return next(domain, type, protocol, fds);
}

int pipe(int fds[2])
{
  NEXT(pipe)
  FAIL("pipe", EMFILE, -1)
  return next(fds);
}

int connect(int fd, const struct sockaddr *a, socklen_t n)
{
  NEXT(connect)
  FAIL("connect", EADDRNOTAVAIL, -1)
  return next(fd, a, n);
}

int getsockopt(int fd, int level, int name, void *v, socklen_t *n)
{
  NEXT(getsockopt)
  FAIL("getsockopt", ENOBUFS, -1)
  return next(fd, level, name, v, n);
}

int setsockopt(int fd, int level, int name, const void *v, socklen_t n)
{
  NEXT(setsockopt)
  FAIL("setsockopt", ENOBUFS, -1)
  return next(fd, level, name, v, n);
}

int getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
  NEXT(getsockname)
  FAIL("getsockname", ENOBUFS, -1)
  return next(fd, a, n);
}

int getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
  NEXT(getpeername)
  FAIL("getpeername", ENOBUFS, -1)
  return next(fd, a, n);
}

int fcntl(int fd, int cmd, ...)
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

int ioctl(int fd, unsigned long cmd, ...)
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

int poll(struct pollfd *p, nfds_t n, int ms)
{
  NEXT(poll)
  FAIL("poll", ENOMEM, -1)
  return next(p, n, ms);
}

int __poll_chk(struct pollfd *p, nfds_t n, int ms, size_t room);
int __poll_chk(struct pollfd *p, nfds_t n, int ms, size_t room)
{
  (void)room;
  NEXT(poll)
  FAIL("poll", ENOMEM, -1)
  return next(p, n, ms);
}

int epoll_create1(int flags)
{
  NEXT(epoll_create1)
  FAIL("epoll_create1", EMFILE, -1)
  return next(flags);
}

int epoll_ctl(int e, int op, int fd, struct epoll_event *ev)
{
  NEXT(epoll_ctl)
  FAIL("epoll_ctl", ENOMEM, -1)
  return next(e, op, fd, ev);
}

int epoll_wait(int e, struct epoll_event *ev, int n, int ms)
{
  NEXT(epoll_wait)
  FAIL("epoll_wait", EINVAL, -1)
  return next(e, ev, n, ms);
}

int eventfd(unsigned int v, int flags)
{
  NEXT(eventfd)
  FAIL("eventfd", EMFILE, -1)
  return next(v, flags);
}

static size_t receive_limit(int fd, size_t n)
{
  struct stat st;
  if((!recv_max && recv_cut < 0) || fstat(fd, &st) || !S_ISSOCK(st.st_mode))
    return n;
  if(recv_cut == 0) {
    recv_cut = -1;
    return 0;
  }
  if(recv_cut > 0 && (long long)n > recv_cut)
    n = (size_t)recv_cut;
  if(recv_max && (long long)n > recv_max)
    n = (size_t)recv_max;
  return n;
}

static void received(ssize_t got, int flags)
{
  if(recv_cut > 0 && got > 0 && !(flags & MSG_PEEK))
    recv_cut -= got < recv_cut ? got : recv_cut;
}

#define RECEIVE(kind, call) \
  size_t full = n; \
  ssize_t got; \
  if(ours_or_tls(__builtin_return_address(0)) && !(flags & MSG_PEEK)) { \
    if(fails(kind)) { \
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

ssize_t recv(int fd, void *p, size_t n, int flags)
{
  NEXT(recv)
  RECEIVE("recv", next(fd, p, n, flags))
}

ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags)
{
  NEXT(recv)
  (void)room;
  RECEIVE("recv", next(fd, p, n, flags))
}

ssize_t read(int fd, void *p, size_t n)
{
  NEXT(read)
  int flags = 0;
  struct stat st;
  if(lib_known && ours_or_tls(__builtin_return_address(0)) && !fstat(fd, &st) && !S_ISSOCK(st.st_mode)) {
    if(fails("read")) {
      errno = EIO;
      return -1;
    }
    return next(fd, p, n);
  }
  RECEIVE("recv", next(fd, p, n))
}

#define SEND(kind) \
  if(ours_or_tls(__builtin_return_address(0))) { \
    if(fails(kind)) { \
      errno = ECONNRESET; \
      return -1; \
    } \
    if(send_max && (long long)n > send_max) \
      n = (size_t)send_max; \
  }

ssize_t send(int fd, const void *p, size_t n, int flags)
{
  NEXT(send)
  SEND("send")
  return next(fd, p, n, flags);
}

ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a, socklen_t an)
{
  NEXT(sendto)
  SEND("send")
  return next(fd, p, n, flags, a, an);
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
  NEXT(sendmsg)
  FAIL("send", ECONNRESET, -1)
  if(send_max && ours_or_tls(__builtin_return_address(0)) && m->msg_iovlen) {
    struct msghdr one = *m;
    struct iovec v = m->msg_iov[0];
    if((long long)v.iov_len > send_max)
      v.iov_len = (size_t)send_max;
    one.msg_iov = &v;
    one.msg_iovlen = 1;
    return next(fd, &one, flags);
  }
  return next(fd, m, flags);
}

ssize_t sendfile64(int fd, int file, off64_t *at, size_t n)
{
  NEXT(sendfile64)
  if(ours_or_tls(__builtin_return_address(0)) && fails("nosendfile")) {
    errno = EINVAL;
    return -1;
  }
  SEND("sendfile")
  return next(fd, file, at, n);
}

ssize_t write(int fd, const void *p, size_t n)
{
  NEXT(write)
  struct stat st;
  if(ours_or_tls(__builtin_return_address(0)) && !fstat(fd, &st) && S_ISSOCK(st.st_mode)) {
    SEND("send")
  }
  else if(n == 8) { /* an eventfd */
    FAIL("wake", EIO, -1)
  }
  else {
    FAIL("write", ENOSPC, -1)
  }
  return next(fd, p, n);
}

int open(const char *path, int flags, ...)
{
  NEXT(open)
  va_list ap;
  mode_t mode;
  va_start(ap, flags);
  mode = (mode_t)va_arg(ap, int);
  va_end(ap);
  if(lib_known)
    FAIL("open", EMFILE, -1)
  return next(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
  NEXT(open64)
  va_list ap;
  mode_t mode;
  va_start(ap, flags);
  mode = (mode_t)va_arg(ap, int);
  va_end(ap);
  if(lib_known)
    FAIL("file", EMFILE, -1)
  return next(path, flags, mode);
}

int rename(const char *from, const char *to)
{
  NEXT(rename)
  FAIL("rename", EACCES, -1)
  return next(from, to);
}

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg)
{
  NEXT(pthread_create)
  if(ours(__builtin_return_address(0)) && fails("pthread_create"))
    return EAGAIN;
  return next(t, a, fn, arg);
}

int getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **r)
{
  NEXT(getaddrinfo)
  if(ours(__builtin_return_address(0)) && fails("getaddrinfo"))
    return EAI_MEMORY;
  return next(n, s, h, r);
}
