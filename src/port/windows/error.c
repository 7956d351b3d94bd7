/* port/windows/error.c: error numbers of Winsock and of the system as errno values, and their texts. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <windows.h>
#include <winsock2.h>

#include "port/port.h"
#include "port/windows/internal.h"

/* Those of Winsock are the errno values of BSD plus 10,000; here they stand one by one, since the C library
 * has other numbers. */
static const struct {
  unsigned long number;
  int error;
} numbers[] = {
  { WSAEWOULDBLOCK, EWOULDBLOCK },
  { WSAEINPROGRESS, EINPROGRESS },
  { WSAEALREADY, EALREADY },
  { WSAECONNREFUSED, ECONNREFUSED },
  { WSAECONNRESET, ECONNRESET },
  { WSAECONNABORTED, ECONNABORTED },
  { WSAETIMEDOUT, ETIMEDOUT },
  { WSAEHOSTUNREACH, EHOSTUNREACH },
  { WSAEHOSTDOWN, EHOSTUNREACH },
  { WSAENETUNREACH, ENETUNREACH },
  { WSAENETDOWN, ENETDOWN },
  { WSAENETRESET, ENETRESET },
  { WSAEADDRINUSE, EADDRINUSE },
  { WSAEADDRNOTAVAIL, EADDRNOTAVAIL },
  { WSAEAFNOSUPPORT, EAFNOSUPPORT },
  { WSAEPFNOSUPPORT, EAFNOSUPPORT },
  { WSAEPROTONOSUPPORT, EPROTONOSUPPORT },
  { WSAESOCKTNOSUPPORT, EPROTOTYPE },
  { WSAEPROTOTYPE, EPROTOTYPE },
  { WSAENOPROTOOPT, ENOPROTOOPT },
  { WSAEOPNOTSUPP, EOPNOTSUPP },
  { WSAENOTSOCK, EBADF }, /* a socket that was closed */
  { WSAENOTCONN, ENOTCONN },
  { WSAEISCONN, EISCONN },
  { WSAESHUTDOWN, EPIPE }, /* of send(), after its own shutdown() */
  { WSAEDESTADDRREQ, EDESTADDRREQ },
  { WSAEMSGSIZE, EMSGSIZE },
  { WSAENOBUFS, ENOBUFS },
  { WSAEMFILE, EMFILE },
  { WSAEBADF, EBADF },
  { WSAEACCES, EACCES },
  { WSAEFAULT, EFAULT },
  { WSAEINVAL, EINVAL },
  { WSAEINTR, EINTR },
  { WSANOTINITIALISED, ENETDOWN },
  { WSASYSNOTREADY, ENETDOWN },
  { WSAVERNOTSUPPORTED, ENOSYS },
  { WSAEPROCLIM, EMFILE },
  { ERROR_FILE_NOT_FOUND, ENOENT },
  { ERROR_PATH_NOT_FOUND, ENOENT },
  { ERROR_INVALID_NAME, ENOENT },
  { ERROR_BAD_PATHNAME, ENOENT },
  { ERROR_BAD_NETPATH, ENOENT },
  { ERROR_BAD_NET_NAME, ENOENT },
  { ERROR_INVALID_DRIVE, ENOENT },
  { ERROR_ACCESS_DENIED, EACCES },
  { ERROR_SHARING_VIOLATION, EACCES },
  { ERROR_LOCK_VIOLATION, EACCES },
  { ERROR_PRIVILEGE_NOT_HELD, EPERM },
  { ERROR_WRITE_PROTECT, EROFS },
  { ERROR_FILE_EXISTS, EEXIST },
  { ERROR_ALREADY_EXISTS, EEXIST },
  { ERROR_DIRECTORY, ENOTDIR },
  { ERROR_DIR_NOT_EMPTY, ENOTEMPTY },
  { ERROR_TOO_MANY_OPEN_FILES, EMFILE },
  { ERROR_INVALID_HANDLE, EBADF },
  { ERROR_NOT_ENOUGH_MEMORY, ENOMEM },
  { ERROR_OUTOFMEMORY, ENOMEM },
  { ERROR_COMMITMENT_LIMIT, ENOMEM },
  { ERROR_NO_SYSTEM_RESOURCES, ENOMEM },
  { ERROR_DISK_FULL, ENOSPC },
  { ERROR_HANDLE_DISK_FULL, ENOSPC },
  { ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG },
  { ERROR_NO_UNICODE_TRANSLATION, EILSEQ },
  { ERROR_NOT_SAME_DEVICE, EXDEV },
  { ERROR_SEEK_ON_DEVICE, ESPIPE },
  { ERROR_NEGATIVE_SEEK, EINVAL },
  { ERROR_INVALID_PARAMETER, EINVAL },
  { ERROR_BROKEN_PIPE, EPIPE },
  { ERROR_NO_DATA, EPIPE },
  { ERROR_NOT_SUPPORTED, ENOSYS },
  { ERROR_CALL_NOT_IMPLEMENTED, ENOSYS },
};

int mote_windows_error(unsigned long number)
{
  size_t i;
  for(i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if(numbers[i].number == number)
      return numbers[i].error;
  return EIO;
}

/* The C library has the errno values of the network, and no texts for them. */
static const struct {
  int error;
  const char *text;
} texts[] = {
  { EADDRINUSE, "Address already in use" },
  { EADDRNOTAVAIL, "Address not available" },
  { EAFNOSUPPORT, "Address family not supported" },
  { EALREADY, "Operation already in progress" },
  { ECONNABORTED, "Connection aborted" },
  { ECONNREFUSED, "Connection refused" },
  { ECONNRESET, "Connection reset" },
  { EDESTADDRREQ, "Destination address required" },
  { EHOSTUNREACH, "Host is unreachable" },
  { EINPROGRESS, "Operation in progress" },
  { EISCONN, "Socket is connected" },
  { EMSGSIZE, "Message too long" },
  { ENETDOWN, "Network is down" },
  { ENETRESET, "Connection aborted by network" },
  { ENETUNREACH, "Network is unreachable" },
  { ENOBUFS, "No buffer space available" },
  { ENOPROTOOPT, "Option not supported by the protocol" },
  { ENOTCONN, "Socket is not connected" },
  { EOPNOTSUPP, "Operation not supported" },
  { EPROTONOSUPPORT, "Protocol not supported" },
  { EPROTOTYPE, "Protocol wrong type for socket" },
  { ETIMEDOUT, "Connection timed out" },
  { EWOULDBLOCK, "Operation would block" },
};

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  const int saved = errno;
  size_t i, len;
  out[0] = 0;
  for(i = 0; i < sizeof texts / sizeof *texts; i++)
    if(texts[i].error == error) {
      len = strlen(texts[i].text);
      len = len < cap ? len : cap - 1;
      memcpy(out, texts[i].text, len);
      out[len] = 0;
      return len;
    }
  (void)strerror_s(out, cap, error);
  out[cap - 1] = 0;
  errno = saved;
  return strlen(out);
}
