/* port/windows/datagram.c: sendto() and recvfrom() (port/datagram.h). */
#include <errno.h>
#include <string.h>
#include <windows.h>
#include <winsock2.h>

#include "port/bsd/address.h"
#include "port/datagram.h"
#include "port/port.h"
#include "port/windows/internal.h"

static int datagram_error(void)
{
  const int number = WSAGetLastError();
  return number == WSAEWOULDBLOCK ? MOTE_PORT_AGAIN : mote_windows_error((unsigned long)number);
}

int mote_port_send_to(curl_socket_t fd, const struct mote_addr *to, const void *bytes, size_t len)
{
  struct mote_target t;
  int error = mote_port_target_ip(&t, to, MOTE_SOCKET_DATAGRAM);
  if(error)
    return error;
  if(len > INT_MAX)
    return EMSGSIZE;
  return sendto(fd, bytes, (int)len, 0, mote_bsd_sockaddr(&t), (int)t.u.sa.addrlen) < 0 ?
    datagram_error() : 0;
}

/* Winsock reports a datagram that does not fit as an error, with the room full of it. */
int mote_port_recv_from(curl_socket_t fd, void *room, size_t len, size_t *n, struct mote_addr *from)
{
  struct sockaddr_storage name;
  int size = (int)sizeof name;
  const int most = len < INT_MAX ? (int)len : INT_MAX;
  int got = recvfrom(fd, room, most, 0, (struct sockaddr *)&name, &size);
  memset(from, 0, sizeof *from);
  if(got < 0 && WSAGetLastError() == WSAEMSGSIZE)
    got = most;
  *n = got > 0 ? (size_t)got : 0;
  if(got < 0)
    return datagram_error();
  (void)mote_bsd_to_addr(&name, (size_t)size, from);
  return 0;
}
