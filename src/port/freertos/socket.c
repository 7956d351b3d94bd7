/* port/freertos/socket.c: lwIP's sockets, in non-blocking mode.
 *
 * The window opens as bytes are read, so that a connection that is not read holds at most TCP_WND bytes. */
#include "port/freertos/internal.h"

#include <lwip/priv/tcp_priv.h>
#include <lwip/tcpip.h>
#include <string.h>

#include "port/embedded/ip4.h"

/* ---- opening and closing ---- */

int mote_port_nonblocking(curl_socket_t fd)
{
  return lwip_fcntl(fd, F_SETFL, O_NONBLOCK) ? mote_freertos_error() : 0;
}

int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out)
{
  int fd, error;
  *out = CURL_SOCKET_BAD;
  if(sa->family != AF_INET || sa->socktype != SOCK_STREAM)
    return EAFNOSUPPORT;
  fd = lwip_socket(sa->family, sa->socktype, sa->protocol);
  if(fd < 0) /* ENOBUFS too: lwIP has as many connections as descriptors, and they end together */
    return EMFILE;
  error = mote_port_nonblocking(fd);
  if(error)
    lwip_close(fd);
  else
    *out = fd;
  return error;
}

int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa)
{
  return lwip_connect(fd, &sa->addr, (socklen_t)sa->addrlen) ? mote_freertos_error() : 0;
}

int mote_port_connect_result(curl_socket_t fd)
{
  struct curl_waitfd p = {.fd = fd, .events = CURL_WAIT_POLLOUT};
  socklen_t size = sizeof(int);
  int error = 0;
  if(mote_freertos_look(&p, 1, 0) <= 0)
    return MOTE_PORT_AGAIN;
  if(lwip_getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
    return mote_freertos_error();
  error = mote_freertos_number(error);
  if(error == ECONNRESET)
    return ECONNREFUSED; /* the answer to a connect; later it is a reset */
  return error == ECONNABORTED ? ETIMEDOUT : error;
}

int mote_port_shutdown(curl_socket_t fd)
{
  return lwip_shutdown(fd, SHUT_WR) ? mote_freertos_error() : 0;
}

/* A connection that is closing is the first to go when a new one needs its place. In lwIP's task, or under
 * its core lock; arg: the local port. */
static void make_unimportant(void *arg)
{
  struct tcp_pcb *p;
  for(p = tcp_active_pcbs; p; p = p->next)
    if(p->local_port == (uintptr_t)arg)
      tcp_setprio(p, TCP_PRIO_MIN);
}

/* lwIP still delivers what was sent, and then the end; bytes that were not read make it a reset. Where lwIP
 * has no room for the end it waits, at most LWIP_TCP_CLOSE_TIMEOUT_MS_DEFAULT. */
void mote_port_close(curl_socket_t fd)
{
  struct sockaddr_in in;
  socklen_t size = sizeof in;
  bool named = !lwip_getsockname(fd, (struct sockaddr *)&in, &size);
  (void)lwip_close(fd);
  if(named && in.sin_port)
    (void)mote_freertos_in_lwip(make_unimportant, (void *)(uintptr_t)lwip_ntohs(in.sin_port));
}

/* ---- bytes ---- */

int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  ssize_t got = lwip_recv(fd, buf, len, 0);
  *n = got > 0 ? (size_t)got : 0;
  return got < 0 ? mote_freertos_error() : 0;
}

int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  ssize_t sent;
  *n = 0;
  if(!len)
    return 0;
  /* A segment at a time: more may not fit into what is left of lwIP's memory, although a part does. */
  sent = lwip_send(fd, buf, len < TCP_MSS ? len : TCP_MSS, 0);
  if(sent < 0)
    return mote_freertos_error();
  *n = (size_t)sent;
  return 0;
}

enum mote_peek mote_port_peek(curl_socket_t fd)
{
  char byte;
  ssize_t got = lwip_recv(fd, &byte, 1, MSG_PEEK);
  if(got > 0)
    return MOTE_PEEK_BYTES;
  return got < 0 && mote_freertos_error() == MOTE_PORT_AGAIN ? MOTE_PEEK_QUIET : MOTE_PEEK_CLOSED;
}

/* ---- names and options ---- */

static int freertos_socket_name(int result, const struct sockaddr_in *in, struct mote_addr *out)
{
  memset(out, 0, sizeof *out);
  if(result)
    return mote_freertos_error();
  mote_addr_set_ip4(out, &in->sin_addr.s_addr, lwip_ntohs(in->sin_port));
  return 0;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_in in;
  socklen_t size = sizeof in;
  return freertos_socket_name(lwip_getsockname(fd, (struct sockaddr *)&in, &size), &in, out);
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_in in;
  socklen_t size = sizeof in;
  return freertos_socket_name(lwip_getpeername(fd, (struct sockaddr *)&in, &size), &in, out);
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
    number = TCP_KEEPALIVE; /* milliseconds; TCP_KEEPIDLE needs LWIP_TCP_KEEPALIVE */
    value *= 1000;
    break;
  case MOTE_SOCKOPT_TOS:
    level = IPPROTO_IP;
    number = IP_TOS;
    break;
  default:
    return ENOPROTOOPT;
  }
  return lwip_setsockopt(fd, level, number, &value, sizeof value) ? mote_freertos_error() : 0;
}
