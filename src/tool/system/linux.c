/* The command's system calls that only Linux has. */
#include "tool/system/system.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/xattr.h>

int mote_cli_system_attribute(int fd, const char *name, const char *value)
{
  return fsetxattr(fd, name, value, strlen(value), 0) ? errno : 0;
}

int mote_cli_system_priority(curl_socket_t fd, int priority)
{
  return setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority) ? errno : 0;
}

curl_socket_t mote_cli_system_socket(int family, int type, int protocol)
{
  return socket(family, type | SOCK_CLOEXEC, protocol);
}
