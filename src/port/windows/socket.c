/* port/windows/socket.c: sockets of Winsock and their options, and waiting on an array of them.
 *
 * A socket is a handle here and no small number. Winsock counts bytes and lengths in ints. Bytes that came
 * before a reset are lost with it: Windows gives the reset first. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <windows.h>
#include <winsock2.h>
#include <ws2tcpip.h>

#include "port/bsd/address.h"
#include "port/port.h"
#include "port/windows/internal.h"

enum {
  MOST = 1 << 30 /* bytes of one call: more than any buffer of ours, less than INT_MAX */
};

static int winsock_error(void)
{
  return mote_windows_error((unsigned long)WSAGetLastError());
}

/* Why a call that moves bytes failed. */
static int moving_error(void)
{
  const int number = WSAGetLastError();
  return number == WSAEWOULDBLOCK ? MOTE_PORT_AGAIN : mote_windows_error((unsigned long)number);
}

/* Winsock counts its starts, and one more than is needed does no harm: two threads may both be first. */
int mote_bsd_start(void)
{
  static atomic_int runs;
  WSADATA about;
  int number;
  if(atomic_load_explicit(&runs, memory_order_acquire))
    return 0;
  number = WSAStartup(MAKEWORD(2, 2), &about);
  if(number)
    return mote_windows_error((unsigned long)number);
  atomic_store_explicit(&runs, 1, memory_order_release);
  return 0;
}

/* ---- sockets ---- */

int mote_port_nonblocking(curl_socket_t fd)
{
  u_long on = 1;
  return ioctlsocket(fd, (long)FIONBIO, &on) ? winsock_error() : 0;
}

int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out)
{
  int error = mote_bsd_start();
  *out = CURL_SOCKET_BAD;
  if(error)
    return error;
  *out = WSASocketW(sa->family, sa->socktype, sa->protocol, NULL, 0,
                    WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if(*out == INVALID_SOCKET)
    return winsock_error();
  error = mote_port_nonblocking(*out);
  if(error) {
    (void)closesocket(*out);
    *out = CURL_SOCKET_BAD;
  }
  return error;
}

/* WSAEINVAL: the socket's connect is under way already. */
int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa)
{
  const char *address = (const char *)sa + offsetof(struct curl_sockaddr, addr);
  int number;
  if(!connect(fd, (const struct sockaddr *)(const void *)address, (int)sa->addrlen))
    return 0;
  number = WSAGetLastError();
  if(number == WSAEWOULDBLOCK || number == WSAEINPROGRESS || number == WSAEALREADY)
    return MOTE_PORT_AGAIN;
  return number == WSAEISCONN ? 0 : mote_windows_error((unsigned long)number);
}

/* A socket that is still connecting reports nothing. One that connected and was reset has no peer any more,
 * and the system may have no error left for it. */
static bool winsock_is_gone(curl_socket_t fd)
{
  WSAPOLLFD look = { .fd = fd, .events = POLLWRNORM };
  return WSAPoll(&look, 1, 0) > 0 && (look.revents & (POLLERR | POLLHUP));
}

int mote_port_connect_result(curl_socket_t fd)
{
  struct sockaddr_storage peer;
  int len = (int)sizeof peer;
  int number = 0, why;
  if(!getpeername(fd, (struct sockaddr *)&peer, &len)) /* the one call when all is well */
    return 0;
  why = WSAGetLastError();
  len = (int)sizeof number;
  if(getsockopt(fd, SOL_SOCKET, SO_ERROR, (char *)&number, &len))
    return winsock_error();
  if(number)
    return mote_windows_error((unsigned long)number);
  if(why != WSAENOTCONN)
    return mote_windows_error((unsigned long)why);
  return winsock_is_gone(fd) ? ECONNRESET : MOTE_PORT_AGAIN;
}

int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  int got = len ? recv(fd, buf, len < MOST ? (int)len : MOST, 0) : 0;
  *n = got > 0 ? (size_t)got : 0;
  return got < 0 ? moving_error() : 0;
}

int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  int got = len ? send(fd, buf, len < MOST ? (int)len : MOST, 0) : 0;
  *n = got > 0 ? (size_t)got : 0;
  return got < 0 ? moving_error() : 0;
}

enum mote_peek mote_port_peek(curl_socket_t fd)
{
  char byte;
  int got = recv(fd, &byte, 1, MSG_PEEK);
  if(got > 0)
    return MOTE_PEEK_BYTES;
  return got < 0 && WSAGetLastError() == WSAEWOULDBLOCK ? MOTE_PEEK_QUIET : MOTE_PEEK_CLOSED;
}

int mote_port_shutdown(curl_socket_t fd)
{
  return shutdown(fd, SD_SEND) ? winsock_error() : 0;
}

void mote_port_close(curl_socket_t fd)
{
  (void)closesocket(fd);
}

/* `failed` is what getsockname() or getpeername() returned. A socket that is bound to no address has none,
 * which is an error here (WSAEINVAL) and none elsewhere. */
static int winsock_name(int failed, const struct sockaddr_storage *name, int len, struct mote_addr *out)
{
  memset(out, 0, sizeof *out);
  if(failed)
    return WSAGetLastError() == WSAEINVAL ? 0 : winsock_error();
  (void)mote_bsd_to_addr(name, (size_t)len, out);
  return 0;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_storage name;
  int len = (int)sizeof name;
  int failed = getsockname(fd, (struct sockaddr *)&name, &len);
  return winsock_name(failed, &name, len, out);
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  struct sockaddr_storage name;
  int len = (int)sizeof name;
  int failed = getpeername(fd, (struct sockaddr *)&name, &len);
  return winsock_name(failed, &name, len, out);
}

/* ---- options ---- */

/* Since Windows 10 1709; older versions of <ws2ipdef.h> lack them. */
#ifndef TCP_KEEPIDLE
#define TCP_KEEPIDLE 3
#endif
#ifndef TCP_KEEPCNT
#define TCP_KEEPCNT 16
#endif
#ifndef TCP_KEEPINTVL
#define TCP_KEEPINTVL 17
#endif

static const struct winsock_option {
  bool there;
  int level;
  int name;
} winsock_options[] = {
  [MOTE_SOCKOPT_NODELAY] = { true, IPPROTO_TCP, TCP_NODELAY },
  [MOTE_SOCKOPT_KEEPALIVE] = { true, SOL_SOCKET, SO_KEEPALIVE },
  [MOTE_SOCKOPT_KEEPALIVE_IDLE] = { true, IPPROTO_TCP, TCP_KEEPIDLE },
  [MOTE_SOCKOPT_KEEPALIVE_INTERVAL] = { true, IPPROTO_TCP, TCP_KEEPINTVL },
  [MOTE_SOCKOPT_KEEPALIVE_COUNT] = { true, IPPROTO_TCP, TCP_KEEPCNT },
  [MOTE_SOCKOPT_TOS] = { true, IPPROTO_IP, IP_TOS },
  [MOTE_SOCKOPT_RECEIVE_BUFFER] = { true, SOL_SOCKET, SO_RCVBUF },
  [MOTE_SOCKOPT_SEND_BUFFER] = { true, SOL_SOCKET, SO_SNDBUF },
};

static const struct winsock_option traffic_class = { true, IPPROTO_IPV6, IPV6_TCLASS };

static bool winsock_is_ip6(curl_socket_t fd)
{
  WSAPROTOCOL_INFOW about;
  int len = (int)sizeof about;
  return !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL_INFOW, (char *)&about, &len) &&
         about.iAddressFamily == AF_INET6;
}

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  const struct winsock_option *row;
  if((size_t)option >= sizeof winsock_options / sizeof *winsock_options || !winsock_options[option].there)
    return ENOPROTOOPT;
  row = option == MOTE_SOCKOPT_TOS && winsock_is_ip6(fd) ? &traffic_class : &winsock_options[option];
  return setsockopt(fd, row->level, row->name, (const char *)&value, (int)sizeof value) ? winsock_error() : 0;
}

/* ---- waiting: a curl_waitfd is a WSAPOLLFD, with other bits ----
 *
 * The caller's array gets Winsock's bits for the time of the call. WSAPoll() refuses to wait for urgent bytes
 * (POLLPRI), so that bit is lost; it refuses to wait for nothing; and it reports a connect that failed only
 * since Windows 10 2004. */

_Static_assert(sizeof(struct curl_waitfd) == sizeof(WSAPOLLFD), "curl_waitfd is not WSAPOLLFD");
_Static_assert(offsetof(struct curl_waitfd, events) == offsetof(WSAPOLLFD, events), "events");
_Static_assert(offsetof(struct curl_waitfd, revents) == offsetof(WSAPOLLFD, revents), "revents");

static const struct {
  short port, winsock;
} poll_bits[] = {
  { CURL_WAIT_POLLIN, POLLRDNORM },
  { CURL_WAIT_POLLOUT, POLLWRNORM },
  { MOTE_POLL_ERROR, POLLERR },
  { MOTE_POLL_HANGUP, POLLHUP },
  { MOTE_POLL_INVALID, POLLNVAL },
};

static short bits_for_winsock(short events)
{
  short found = 0;
  if(events & CURL_WAIT_POLLIN)
    found = POLLRDNORM;
  if(events & CURL_WAIT_POLLOUT)
    found = (short)(found | POLLWRNORM);
  return found;
}

static short bits_of_winsock(short events)
{
  short found = 0;
  size_t i;
  for(i = 0; i < sizeof poll_bits / sizeof *poll_bits; i++)
    if(events & poll_bits[i].winsock)
      found = (short)(found | poll_bits[i].port);
  return found;
}

/* A peer that has ended sending makes a descriptor readable, as elsewhere, and is none that is gone. Winsock
 * has one bit for both, with POLLERR where it is gone. */
static short winsock_ready_bits(short events, short got)
{
  if((got & (POLLHUP | POLLERR)) == POLLHUP && (events & CURL_WAIT_POLLIN))
    got = (short)((got & ~POLLHUP) | POLLRDNORM);
  return bits_of_winsock(got);
}

/* Returns how many descriptors have events. `invalid`: none of them is a socket, which WSAPoll() reports as
 * an error of its own. */
static unsigned translate_back(struct curl_waitfd *fds, unsigned count, bool invalid)
{
  unsigned ready = 0;
  for(; count; count--, fds++) {
    fds->events = bits_of_winsock(fds->events);
    fds->revents = invalid ? MOTE_POLL_INVALID : winsock_ready_bits(fds->events, fds->revents);
    ready += fds->revents != 0;
  }
  return ready;
}

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  unsigned i;
  int n, number;
  *ready = 0;
  if(!count) {
    Sleep(timeout_ms < 0 ? INFINITE : (DWORD)timeout_ms);
    return 0;
  }
  for(i = 0; i < count; i++) {
    fds[i].events = bits_for_winsock(fds[i].events);
    fds[i].revents = 0;
  }
  n = WSAPoll((WSAPOLLFD *)(void *)fds, count, timeout_ms);
  number = n < 0 ? WSAGetLastError() : 0;
  *ready = translate_back(fds, count, number == WSAENOTSOCK);
  return number && number != WSAENOTSOCK ? mote_windows_error((unsigned long)number) : 0;
}
