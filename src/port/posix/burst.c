/* port/posix/burst.c: bursts of datagrams that go and come one by one (port/burst.h). */
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "port/burst.h"
#include "port/port.h"

/* What keeps datagrams in one piece, of what the system has. */
static const struct whole_option {
  int level;
  int name; /* 0: the end */
} whole_options[] = {
#ifdef IP_DONTFRAG
  {IPPROTO_IP, IP_DONTFRAG},
#endif
#ifdef IPV6_DONTFRAG
  {IPPROTO_IPV6, IPV6_DONTFRAG},
#endif
  {0, 0},
};

void mote_port_burst_prepare(curl_socket_t fd)
{
  const struct whole_option *o;
  const int on = 1;
  for(o = whole_options; o->name; o++)
    (void)setsockopt(fd, o->level, o->name, &on, sizeof on); /* one of them is not for the socket's family */
}

int mote_port_burst_move(curl_socket_t fd, const struct mote_addr *to)
{
  const struct sockaddr none = {.sa_family = AF_UNSPEC};
  struct mote_target t;
  int error = mote_port_target_ip(&t, to, MOTE_SOCKET_DATAGRAM);
  (void)connect(fd, &none, sizeof none); /* BSD does what it is asked for and returns an error */
  return error ? error : mote_port_connect(fd, &t.u.sa);
}

bool mote_port_burst_gather(curl_socket_t fd)
{
  (void)fd;
  return false;
}

/* Returns how many bytes have come, or -1. */
static ssize_t recv_datagram(curl_socket_t fd, void *room)
{
  ssize_t got;
  do
    got = recvfrom(fd, room, MOTE_PORT_DATAGRAM, 0, NULL, NULL);
  while(got < 0 && errno == EINTR);
  return got;
}

/* An error that follows datagrams is lost; what has caused it causes the next one. */
int mote_port_burst_recv(curl_socket_t fd, void *room, size_t size, bool gathered,
                         struct mote_burst bursts[MOTE_PORT_BURSTS], unsigned *count)
{
  char *at = room;
  (void)gathered;
  for(*count = 0; *count < MOTE_PORT_BURSTS && size >= MOTE_PORT_DATAGRAM; ++*count) {
    ssize_t got = recv_datagram(fd, at);
    if(got < 0 && !*count)
      return errno == EAGAIN || errno == EWOULDBLOCK ? MOTE_PORT_AGAIN : errno;
    if(got < 0)
      break;
    bursts[*count] = (struct mote_burst){at, (size_t)got, (size_t)got};
    at += MOTE_PORT_DATAGRAM;
    size -= MOTE_PORT_DATAGRAM;
  }
  return 0;
}

/* Returns 0 or an error. A device without room (ENOBUFS) may lose a datagram, as any other on the way. */
static int send_datagram(curl_socket_t fd, const char *bytes, size_t len)
{
  ssize_t sent;
  do
    sent = sendto(fd, bytes, len, MSG_NOSIGNAL, NULL, 0);
  while(sent < 0 && errno == EINTR);
  if(sent >= 0 || errno == ENOBUFS)
    return 0;
  return errno == EAGAIN || errno == EWOULDBLOCK ? MOTE_PORT_AGAIN : errno;
}

int mote_port_burst_send(curl_socket_t fd, const void *bytes, size_t len, size_t segment, size_t *n)
{
  const char *at = bytes;
  int error = 0;
  *n = 0;
  while(*n < len && !error) {
    size_t each = len - *n < segment ? len - *n : segment;
    error = send_datagram(fd, at + *n, each);
    if(!error)
      *n += each;
  }
  return error;
}
