/* port/posix/listen.c: sockets that wait for connections (port/listen.h). */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/bsd/address.h"
#include "port/listen.h"
#include "port/port.h"
#include "port/posix/internal.h"

#define BACKLOG 1 /* few strangers stand in front of the connection that is waited for */

int mote_port_listen(curl_socket_t fd)
{
  return listen(fd, BACKLOG) ? errno : 0;
}

/* Some systems report that a connection was reset while it waited, which is no fault of the listener. */
static int why_none(int error)
{
  return error == EAGAIN || error == EWOULDBLOCK || error == ECONNABORTED ? MOTE_PORT_AGAIN : error;
}

int mote_port_accept(curl_socket_t fd, curl_socket_t *out, struct mote_addr *peer)
{
  struct sockaddr_storage name;
  socklen_t len = sizeof name;
  int got, error;
  *out = CURL_SOCKET_BAD;
  do
    got = accept(fd, (struct sockaddr *)&name, &len);
  while(got < 0 && errno == EINTR);
  if(got < 0)
    return why_none(errno);
  (void)mote_bsd_to_addr(&name, len, peer);
  error = mote_posix_prepare(got);
  if(error) {
    (void)close(got);
    return error;
  }
  *out = got;
  return 0;
}
