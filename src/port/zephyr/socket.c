/* port/zephyr/socket.c: Zephyr's sockets, in non-blocking mode. */
#include "port/zephyr/internal.h"

#include <string.h>
#include <zephyr/posix/fcntl.h>

#include "port/embedded/ip4.h"

static int zephyr_socket_error_of(void)
{
  if(errno == EWOULDBLOCK || errno == EAGAIN || errno == EINPROGRESS || errno == EALREADY)
    return MOTE_PORT_AGAIN;
  return errno ? errno : EIO;
}

/* ---- opening and closing ---- */

int mote_port_nonblocking(curl_socket_t fd)
{
  int flags = zsock_fcntl(fd, F_GETFL, 0);
  return flags < 0 || zsock_fcntl(fd, F_SETFL, flags | O_NONBLOCK) ? zephyr_socket_error_of() : 0;
}

int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out)
{
  int fd, error;
  *out = CURL_SOCKET_BAD;
  if(sa->family != AF_INET || sa->socktype != SOCK_STREAM)
    return EAFNOSUPPORT;
  fd = zsock_socket(sa->family, sa->socktype, sa->protocol);
  if(fd < 0)
    return errno == ENFILE || errno == ENOMEM ? EMFILE : zephyr_socket_error_of();
  error = mote_port_nonblocking(fd);
  if(error)
    (void)zsock_close(fd);
  else
    *out = fd;
  return error;
}

int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa)
{
  return zsock_connect(fd, &sa->addr, (socklen_t)sa->addrlen) ? zephyr_socket_error_of() : 0;
}

int mote_port_connect_result(curl_socket_t fd)
{
  struct zsock_pollfd p = {.fd = fd, .events = ZSOCK_POLLOUT};
  socklen_t size = sizeof(int);
  int error = 0;
  if(zsock_poll(&p, 1, 0) <= 0)
    return MOTE_PORT_AGAIN;
  return zsock_getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) ? zephyr_socket_error_of() : error;
}

int mote_port_shutdown(curl_socket_t fd)
{
  return zsock_shutdown(fd, ZSOCK_SHUT_WR) ? zephyr_socket_error_of() : 0;
}

void mote_port_close(curl_socket_t fd)
{
  (void)zsock_close(fd);
}

/* ---- bytes ---- */

int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  ssize_t got = zsock_recv(fd, buf, len, 0);
  *n = got > 0 ? (size_t)got : 0;
  return got < 0 ? zephyr_socket_error_of() : 0;
}

int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  ssize_t sent;
  *n = 0;
  if(!len)
    return 0;
  sent = zsock_send(fd, buf, len, 0);
  if(sent < 0)
    return zephyr_socket_error_of();
  *n = (size_t)sent;
  return sent ? 0 : MOTE_PORT_AGAIN;
}

enum mote_peek mote_port_peek(curl_socket_t fd)
{
  char byte;
  ssize_t got = zsock_recv(fd, &byte, 1, ZSOCK_MSG_PEEK);
  if(got > 0)
    return MOTE_PEEK_BYTES;
  return got < 0 && zephyr_socket_error_of() == MOTE_PORT_AGAIN ? MOTE_PEEK_QUIET : MOTE_PEEK_CLOSED;
}

/* ---- names and options ---- */

static int zephyr_socket_name(int result, const struct sockaddr_in *in, struct mote_addr *out)
{
  memset(out, 0, sizeof *out);
  if(result)
    return zephyr_socket_error_of();
  if(in->sin_family != AF_INET)
    return 0;
  mote_addr_set_ip4(out, &in->sin_addr, ntohs(in->sin_port));
  return 0;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_in in = {0};
  socklen_t size = sizeof in;
  return zephyr_socket_name(zsock_getsockname(fd, (struct sockaddr *)&in, &size), &in, out);
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_in in = {0};
  socklen_t size = sizeof in;
  return zephyr_socket_name(zsock_getpeername(fd, (struct sockaddr *)&in, &size), &in, out);
}

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  int level = IPPROTO_TCP, number;
  switch(option) {
  case MOTE_SOCKOPT_NODELAY:
    number = TCP_NODELAY;
    break;
  case MOTE_SOCKOPT_KEEPALIVE:
    level = SOL_SOCKET;
    number = SO_KEEPALIVE;
    break;
  case MOTE_SOCKOPT_KEEPALIVE_IDLE:
    number = TCP_KEEPIDLE;
    break;
  case MOTE_SOCKOPT_KEEPALIVE_INTERVAL:
    number = TCP_KEEPINTVL;
    break;
  case MOTE_SOCKOPT_KEEPALIVE_COUNT:
    number = TCP_KEEPCNT;
    break;
  default:
    return ENOPROTOOPT;
  }
  return zsock_setsockopt(fd, level, number, &value, sizeof value) ? zephyr_socket_error_of() : 0;
}
