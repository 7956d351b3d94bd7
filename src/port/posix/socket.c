/* port/posix/socket.c: sockets and their options, and waiting on an array of them. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "port/bsd/address.h"
#include "port/port.h"
#include "port/posix/internal.h"
#include "port/unix.h"

enum {
  MOST = 1 << 30 /* bytes of one call: more than any buffer of ours, less than SSIZE_MAX */
};

/* ---- Unix sockets ---- */

_Static_assert(sizeof(struct sockaddr_un) <= 128, "no room for a path");

int (mote_port_target_unix)(struct mote_target *t, const char *path, size_t len, bool abstract)
{
  struct sockaddr_un un = { 0 };
  size_t start;
  int error = mote_posix_unix_start(abstract, &start);
  memset(t, 0, sizeof *t);
  if(error)
    return error;
  /* A path ends with a NUL inside sun_path; an abstract name begins with one and may fill the rest. */
  if(!len || len >= sizeof un.sun_path)
    return ENAMETOOLONG;
  un.sun_family = AF_UNIX;
  memcpy(un.sun_path + start, path, len);
  memcpy(mote_bsd_sockaddr(t), &un, sizeof un);
  t->u.sa.family = AF_UNIX;
  t->u.sa.socktype = SOCK_STREAM;
  t->u.sa.addrlen = (unsigned)(offsetof(struct sockaddr_un, sun_path) + len + 1);
  return 0;
}

/* ---- sockets ---- */

int mote_port_nonblocking(curl_socket_t fd)
{
  int flags = fcntl(fd, F_GETFL, 0);
  if(flags < 0)
    return errno;
  if(!(flags & O_NONBLOCK) && fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
    return errno;
  return 0;
}

int mote_posix_prepare(int fd)
{
  int flags = fcntl(fd, F_GETFD, 0);
  if(flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0)
    return errno;
  return mote_port_nonblocking(fd);
}

int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out)
{
  return mote_posix_socket(sa->family, sa->socktype, sa->protocol, out);
}

int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa)
{
  const void *address = (const char *)sa + offsetof(struct curl_sockaddr, addr);
  if(!connect(fd, address, (socklen_t)sa->addrlen))
    return 0;
  /* EAGAIN is an error here: no local port left, or a Unix listener's queue is full. */
  if(errno == EINPROGRESS || errno == EINTR || errno == EALREADY)
    return MOTE_PORT_AGAIN;
  return errno == EISCONN ? 0 : errno;
}

int mote_port_connect_result(curl_socket_t fd)
{
  struct sockaddr_storage peer;
  socklen_t len = sizeof peer;
  int error = 0, why;
  if(!getpeername(fd, (struct sockaddr *)&peer, &len)) /* the one call when all is well */
    return 0;
  why = errno;
  len = sizeof error;
  if(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len))
    return errno;
  if(error)
    return error;
  return why == ENOTCONN ? MOTE_PORT_AGAIN : why;
}

/* Why a call failed. An inline function that other files call may name no static one (C11 6.7.4). */
#define IO_ERROR (errno == EAGAIN || errno == EWOULDBLOCK ? MOTE_PORT_AGAIN : errno)

/* Inline although other files call them: a shared library has them in the TCP layer then, which each piece of
 * a body passes (cmake/inline.cmake). */
inline int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  ssize_t got = 0;
  if(len)
    do
      got = recv(fd, buf, len < MOST ? len : MOST, 0);
    while(got < 0 && errno == EINTR);
  *n = got > 0 ? (size_t)got : 0;
  return got < 0 ? IO_ERROR : 0;
}

inline int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  ssize_t got = 0;
  if(len)
    do
      got = send(fd, buf, len < MOST ? len : MOST, MSG_NOSIGNAL);
    while(got < 0 && errno == EINTR);
  *n = got > 0 ? (size_t)got : 0;
  return got < 0 ? IO_ERROR : 0;
}

enum mote_peek mote_port_peek(curl_socket_t fd)
{
  char byte;
  ssize_t got;
  do
    got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  while(got < 0 && errno == EINTR);
  if(got > 0)
    return MOTE_PEEK_BYTES;
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? MOTE_PEEK_QUIET : MOTE_PEEK_CLOSED;
}

int mote_port_shutdown(curl_socket_t fd)
{
  return shutdown(fd, SHUT_WR) ? errno : 0;
}

void mote_port_close(curl_socket_t fd)
{
  (void)close(fd);
}

/* `failed` is what getsockname() or getpeername() returned. */
static int posix_socket_name(int failed, const struct sockaddr_storage *name, socklen_t len,
                             struct mote_addr *out)
{
  memset(out, 0, sizeof *out);
  if(failed)
    return errno;
  (void)mote_bsd_to_addr(name, len, out);
  return 0;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_storage name;
  socklen_t len = sizeof name;
  int failed = getsockname(fd, (struct sockaddr *)&name, &len);
  return posix_socket_name(failed, &name, len, out);
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_storage name;
  socklen_t len = sizeof name;
  int failed = getpeername(fd, (struct sockaddr *)&name, &len);
  return posix_socket_name(failed, &name, len, out);
}

/* ---- options ---- */

static const struct option_row {
  bool there;
  int level;
  int name;
} options[] = {
  [MOTE_SOCKOPT_NODELAY] = { true, IPPROTO_TCP, TCP_NODELAY },
  [MOTE_SOCKOPT_KEEPALIVE] = { true, SOL_SOCKET, SO_KEEPALIVE },
#ifdef TCP_KEEPIDLE
  [MOTE_SOCKOPT_KEEPALIVE_IDLE] = { true, IPPROTO_TCP, TCP_KEEPIDLE },
#elif defined(TCP_KEEPALIVE)
  [MOTE_SOCKOPT_KEEPALIVE_IDLE] = { true, IPPROTO_TCP, TCP_KEEPALIVE },
#endif
#ifdef TCP_KEEPINTVL
  [MOTE_SOCKOPT_KEEPALIVE_INTERVAL] = { true, IPPROTO_TCP, TCP_KEEPINTVL },
#endif
#ifdef TCP_KEEPCNT
  [MOTE_SOCKOPT_KEEPALIVE_COUNT] = { true, IPPROTO_TCP, TCP_KEEPCNT },
#endif
  [MOTE_SOCKOPT_TOS] = { true, IPPROTO_IP, IP_TOS },
#ifdef SO_PRIORITY
  [MOTE_SOCKOPT_PRIORITY] = { true, SOL_SOCKET, SO_PRIORITY },
#endif
#ifdef TCP_FASTOPEN_CONNECT
  [MOTE_SOCKOPT_FASTOPEN] = { true, IPPROTO_TCP, TCP_FASTOPEN_CONNECT },
#endif
  [MOTE_SOCKOPT_RECEIVE_BUFFER] = { true, SOL_SOCKET, SO_RCVBUF },
  [MOTE_SOCKOPT_SEND_BUFFER] = { true, SOL_SOCKET, SO_SNDBUF },
};

static const struct option_row traffic_class = { true, IPPROTO_IPV6, IPV6_TCLASS };

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  const struct option_row *row;
  if((size_t)option >= sizeof options / sizeof *options || !options[option].there)
    return ENOPROTOOPT;
  row = &options[option];
  if(option == MOTE_SOCKOPT_TOS) {
    struct mote_addr local;
    int error = mote_port_local_name(fd, &local);
    if(error)
      return error;
    if(local.family == MOTE_FAMILY_IP6)
      row = &traffic_class;
  }
  return setsockopt(fd, row->level, row->name, &value, (socklen_t)sizeof value) ? errno : 0;
}

/* ---- waiting; a curl_waitfd is a pollfd ---- */

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
