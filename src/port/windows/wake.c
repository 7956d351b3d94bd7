/* port/windows/wake.c: waking by a datagram to oneself (port/wake.h), since a wait is for sockets alone here;
 * and the process's id.
 *
 * The socket is bound to the loopback interface and connected to its own address, so that it takes datagrams
 * of itself and of none else. */
#include <errno.h>
#include <windows.h>
#include <winsock2.h>

#include "port/port.h"
#include "port/set.h"
#include "port/wake.h"
#include "port/windows/internal.h"

static int connect_to_itself(curl_socket_t fd)
{
  struct sockaddr_in own = {.sin_family = AF_INET};
  int len = (int)sizeof own;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if(bind(fd, (const struct sockaddr *)&own, (int)sizeof own) ||
     getsockname(fd, (struct sockaddr *)&own, &len) || connect(fd, (const struct sockaddr *)&own, len))
    return mote_windows_error((unsigned long)WSAGetLastError());
  return 0;
}

int mote_port_wake_open(struct mote_wake *w)
{
  const struct curl_sockaddr kind = {.family = AF_INET, .socktype = SOCK_DGRAM, .protocol = IPPROTO_UDP};
  int error = mote_port_socket(&kind, &w->in);
  w->out = w->in;
  if(error)
    return error;
  error = connect_to_itself(w->in);
  if(error)
    mote_port_wake_close(w);
  return error;
}

int mote_port_wake_signal(const struct mote_wake *w)
{
  const int saved = errno;
  const DWORD saved_too = GetLastError();
  size_t sent;
  int error = mote_port_send(w->out, "", 1, &sent);
  errno = saved;
  SetLastError(saved_too);
  return error == MOTE_PORT_AGAIN ? 0 : error; /* no room: the waiter is woken already */
}

int mote_port_wake_drain(const struct mote_wake *w)
{
  char byte;
  size_t got;
  int error;
  do
    error = mote_port_recv(w->in, &byte, 1, &got);
  while(!error);
  return error == MOTE_PORT_AGAIN ? 0 : error;
}

void mote_port_wake_close(struct mote_wake *w)
{
  if(w->in != CURL_SOCKET_BAD)
    mote_port_close(w->in);
  w->in = CURL_SOCKET_BAD;
  w->out = CURL_SOCKET_BAD;
}

/* There is no fork. */
long mote_port_pid(void)
{
  return (long)GetCurrentProcessId();
}
