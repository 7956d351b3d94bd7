/* In place of linux.c on systems that are not Linux. */
#include "tool/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int mote_cli_system_attribute(int fd, const char *name, const char *value)
{
  (void)fd;
  (void)name;
  (void)value;
  return ENOTSUP;
}

int mote_cli_system_priority(int fd, int priority)
{
  (void)fd;
  (void)priority;
  return ENOTSUP;
}

int mote_cli_system_socket(int family, int type, int protocol)
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
