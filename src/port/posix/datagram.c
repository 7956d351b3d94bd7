/* port/posix/datagram.c: sendto() and recvfrom() (port/datagram.h). */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "port/bsd/address.h"
#include "port/datagram.h"
#include "port/port.h"

static int datagram_result(ssize_t moved)
{
  if(moved >= 0)
    return 0;
  return errno == EAGAIN || errno == EWOULDBLOCK ? MOTE_PORT_AGAIN : errno;
}

int mote_port_send_to(curl_socket_t fd, const struct mote_addr *to, const void *bytes, size_t len)
{
  struct mote_target t;
  int error = mote_port_target_ip(&t, to, MOTE_SOCKET_DATAGRAM);
  ssize_t sent;
  if(error)
    return error;
  do
    sent = sendto(fd, bytes, len, MSG_NOSIGNAL, mote_bsd_sockaddr(&t), (socklen_t)t.u.sa.addrlen);
  while(sent < 0 && errno == EINTR);
  return datagram_result(sent);
}

int mote_port_recv_from(curl_socket_t fd, void *room, size_t len, size_t *n, struct mote_addr *from)
{
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  ssize_t got;
  memset(from, 0, sizeof *from);
  do
    got = recvfrom(fd, room, len, 0, (struct sockaddr *)&name, &size);
  while(got < 0 && errno == EINTR);
  *n = got > 0 ? (size_t)got : 0;
  if(got >= 0)
    (void)mote_bsd_to_addr(&name, size, from);
  return datagram_result(got);
}
