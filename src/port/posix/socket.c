/* port/posix/socket.c: sockets and their options. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/port.h"
#include "port/posix/internal.h"

enum {
  MOST = 1 << 30 /* bytes of one call: more than any buffer of ours, less than SSIZE_MAX */
};

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

static int io_result(ssize_t got, size_t *n)
{
  if(got >= 0) {
    *n = (size_t)got;
    return 0;
  }
  *n = 0;
  return errno == EAGAIN || errno == EWOULDBLOCK ? MOTE_PORT_AGAIN : errno;
}

int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  ssize_t got = 0;
  if(len)
    do
      got = recv(fd, buf, len < MOST ? len : MOST, 0);
    while(got < 0 && errno == EINTR);
  return io_result(got, n);
}

int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  ssize_t got = 0;
  if(len)
    do
      got = send(fd, buf, len < MOST ? len : MOST, MSG_NOSIGNAL);
    while(got < 0 && errno == EINTR);
  return io_result(got, n);
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

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_storage name;
  socklen_t len = sizeof name;
  memset(out, 0, sizeof *out);
  if(getsockname(fd, (struct sockaddr *)&name, &len))
    return errno;
  (void)mote_posix_to_addr(&name, len, out);
  return 0;
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_storage name;
  socklen_t len = sizeof name;
  memset(out, 0, sizeof *out);
  if(getpeername(fd, (struct sockaddr *)&name, &len))
    return errno;
  (void)mote_posix_to_addr(&name, len, out);
  return 0;
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
