/* What few systems have, on Windows (system.h). ENOSYS: its C library has no text for ENOTSUP. */
#include "tool/system/windows_internal.h"

#include <winsock2.h>

#include "tool/system/system.h"

#include <errno.h>

int mote_cli_system_attribute(int fd, const char *name, const char *value)
{
  (void)fd;
  (void)name;
  (void)value;
  return ENOSYS;
}

int mote_cli_system_priority(curl_socket_t fd, int priority)
{
  (void)fd;
  (void)priority;
  return ENOSYS;
}

/* The system takes IP_TOS and does nothing. */
int mote_cli_system_type_of_service(curl_socket_t fd, int value)
{
  (void)fd;
  (void)value;
  return ENOSYS;
}

curl_socket_t mote_cli_system_socket(int family, int type, int protocol)
{
  const SOCKET fd = WSASocketW(family, type, protocol, NULL, 0,
                               WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if(fd == INVALID_SOCKET)
    errno = EINVAL;
  return fd;
}
