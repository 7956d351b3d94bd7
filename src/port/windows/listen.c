/* port/windows/listen.c: sockets that wait for connections (port/listen.h). */
#include <errno.h>
#include <windows.h>
#include <winsock2.h>

#include "port/bsd/address.h"
#include "port/listen.h"
#include "port/port.h"
#include "port/windows/internal.h"

#define BACKLOG 1 /* few strangers stand in front of the connection that is waited for */

int mote_port_listen(curl_socket_t fd)
{
  return listen(fd, BACKLOG) ? mote_windows_error((unsigned long)WSAGetLastError()) : 0;
}

/* A connection that was reset while it waited is no fault of the listener. */
static int winsock_why_none(int number)
{
  return number == WSAEWOULDBLOCK || number == WSAECONNRESET || number == WSAECONNABORTED ?
    MOTE_PORT_AGAIN : mote_windows_error((unsigned long)number);
}

/* The new socket has what the listener has: it does not block. Its handle may be inherited until the call
 * that follows. */
int mote_port_accept(curl_socket_t fd, curl_socket_t *out, struct mote_addr *peer)
{
  struct sockaddr_storage name;
  int len = (int)sizeof name;
  int error;
  curl_socket_t got = accept(fd, (struct sockaddr *)&name, &len);
  *out = CURL_SOCKET_BAD;
  if(got == INVALID_SOCKET)
    return winsock_why_none(WSAGetLastError());
  (void)mote_bsd_to_addr(&name, (size_t)len, peer);
  (void)SetHandleInformation((HANDLE)got, HANDLE_FLAG_INHERIT, 0);
  error = mote_port_nonblocking(got);
  if(error) {
    mote_port_close(got);
    return error;
  }
  *out = got;
  return 0;
}
