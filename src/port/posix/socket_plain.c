/* port/posix/socket_plain.c: the same for systems that are not Linux. */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/interface.h"
#include "port/posix/internal.h"

#if !MOTE_POSIX_LINUX

int mote_posix_socket(int family, int type, int protocol, int *out)
{
  int error;
  *out = socket(family, type, protocol);
  if(*out < 0)
    return errno;
  error = mote_posix_prepare(*out);
  if(error) {
    (void)close(*out);
    *out = -1;
  }
  return error;
}

int mote_posix_unix_start(bool abstract, size_t *start)
{
  *start = 0;
  return abstract ? ENOSYS : 0;
}

int mote_port_bind_device(curl_socket_t fd, const char *interface_name)
{
  (void)fd;
  (void)interface_name;
  return ENOSYS;
}

#endif
