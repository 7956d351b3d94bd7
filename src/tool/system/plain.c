/* In place of linux.c on systems that are not Linux. */
#include "tool/system/system.h"

#include <errno.h>
#include <sys/socket.h>

int mote_cli_system_attribute(int fd, const char *name, const char *value)
{
  (void)fd;
  (void)name;
  (void)value;
  return ENOTSUP;
}

int mote_cli_system_priority(curl_socket_t fd, int priority)
{
  (void)fd;
  (void)priority;
  return ENOTSUP;
}

curl_socket_t mote_cli_system_socket(int family, int type, int protocol)
{
  int fd = socket(family, type, protocol);
  if(fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC)) {
    int error = errno;
    close(fd);
    errno = error;
    fd = -1;
  }
  return fd;
}
