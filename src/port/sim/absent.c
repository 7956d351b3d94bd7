/* port/sim/absent.c: what is not simulated yet: datagrams, Unix sockets, listening, network devices, and
 * files that go out without being read. The library sees a platform that does not have them. */
#include <string.h>

#include "port/burst.h"
#include "port/datagram.h"
#include "port/interface.h"
#include "port/listen.h"
#include "port/port.h"
#include "port/sendfile.h"
#include "port/unix.h"

int mote_port_send_to(curl_socket_t fd, const struct mote_addr *to, const void *bytes, size_t len)
{
  (void)fd;
  (void)to;
  (void)bytes;
  (void)len;
  return ENOSYS;
}

int mote_port_recv_from(curl_socket_t fd, void *room, size_t len, size_t *n, struct mote_addr *from)
{
  (void)fd;
  (void)room;
  (void)len;
  *n = 0;
  memset(from, 0, sizeof *from);
  return ENOSYS;
}

void mote_port_burst_prepare(curl_socket_t fd)
{
  (void)fd;
}

int mote_port_burst_move(curl_socket_t fd, const struct mote_addr *to)
{
  (void)fd;
  (void)to;
  return ENOSYS;
}

bool mote_port_burst_gather(curl_socket_t fd)
{
  (void)fd;
  return false;
}

int mote_port_burst_recv(curl_socket_t fd, void *room, size_t size, bool gathered,
                         struct mote_burst bursts[MOTE_PORT_BURSTS], unsigned *count)
{
  (void)fd;
  (void)room;
  (void)size;
  (void)gathered;
  (void)bursts;
  *count = 0;
  return ENOSYS;
}

int mote_port_burst_send(curl_socket_t fd, const void *bytes, size_t len, size_t segment, size_t *n)
{
  (void)fd;
  (void)bytes;
  (void)len;
  (void)segment;
  *n = 0;
  return ENOSYS;
}

int (mote_port_target_unix)(struct mote_target *t, const char *path, size_t len, bool abstract)
{
  (void)path;
  (void)len;
  (void)abstract;
  memset(t, 0, sizeof *t);
  return ENOSYS;
}

int mote_port_listen(curl_socket_t fd)
{
  (void)fd;
  return ENOSYS;
}

int mote_port_accept(curl_socket_t fd, curl_socket_t *out, struct mote_addr *peer)
{
  (void)fd;
  *out = CURL_SOCKET_BAD;
  memset(peer, 0, sizeof *peer);
  return ENOSYS;
}

int (mote_port_bind)(curl_socket_t fd, const struct mote_addr *local)
{
  (void)fd;
  (void)local;
  return ENOSYS;
}

int (mote_port_bind_device)(curl_socket_t fd, const char *interface_name)
{
  (void)fd;
  (void)interface_name;
  return ENOSYS;
}

int (mote_port_interface_address)(const char *name, const struct mote_addr *peer, struct mote_addr *out)
{
  (void)name;
  (void)peer;
  memset(out, 0, sizeof *out);
  return ENODEV;
}

uint32_t (mote_port_interface_index)(const char *name)
{
  (void)name;
  return 0;
}

int (mote_port_sendfile)(curl_socket_t fd, int file, size_t len, size_t *n)
{
  (void)fd;
  (void)file;
  (void)len;
  *n = 0; /* the bytes have to be read */
  return 0;
}

int (mote_port_stream_file)(void *stream)
{
  (void)stream;
  return -1;
}
