/* port/posix/socket_linux.c: what only Linux does with sockets. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "port/interface.h"
#include "port/posix/internal.h"

#if MOTE_POSIX_LINUX

int mote_posix_socket(int family, int type, int protocol, int *out)
{
  *out = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
  return *out < 0 ? errno : 0;
}

int mote_posix_unix_start(bool abstract, size_t *start)
{
  *start = abstract;
  return 0;
}

int mote_port_bind_device(curl_socket_t fd, const char *interface_name)
{
  size_t len = strlen(interface_name) + 1;
  return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, interface_name, (socklen_t)len) ? errno : 0;
}

#endif
