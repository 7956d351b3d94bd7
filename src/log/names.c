/* log/names.c: the names of the calls and of errors, and the error that each call fails with on purpose. */
#define _GNU_SOURCE /* EAI_NODATA */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "log/inner.h"

const struct mote_log_row mote_log_calls[MOTE_LOG_LAST] = {
  [MOTE_LOG_MALLOC] = { "malloc", ENOMEM },
  [MOTE_LOG_CALLOC] = { "calloc", ENOMEM },
  [MOTE_LOG_REALLOC] = { "realloc", ENOMEM },
  [MOTE_LOG_STRDUP] = { "strdup", ENOMEM },
  [MOTE_LOG_RECV] = { "recv", ECONNRESET },
  [MOTE_LOG_SEND] = { "send", ECONNRESET },
  [MOTE_LOG_SENDFILE] = { "sendfile", ECONNRESET },
  [MOTE_LOG_RECVFROM] = { "recvfrom", ECONNREFUSED },
  [MOTE_LOG_SENDTO] = { "sendto", ENETUNREACH },
  [MOTE_LOG_RECVMSG] = { "recvmsg", ENOBUFS },
  [MOTE_LOG_RECVMMSG] = { "recvmmsg", ENOBUFS },
  [MOTE_LOG_SENDMSG] = { "sendmsg", ENETUNREACH },
  [MOTE_LOG_READ] = { "read", EIO },
  [MOTE_LOG_WRITE] = { "write", EIO },
  [MOTE_LOG_CONNECT] = { "connect", EADDRNOTAVAIL },
  [MOTE_LOG_POLL] = { "poll", ENOMEM },
  [MOTE_LOG_EPOLL_WAIT] = { "epoll_wait", EINVAL },
  [MOTE_LOG_SOCKET] = { "socket", EMFILE },
  [MOTE_LOG_ACCEPT] = { "accept", EMFILE },
  [MOTE_LOG_PIPE] = { "pipe", EMFILE },
  [MOTE_LOG_EVENTFD] = { "eventfd", EMFILE },
  [MOTE_LOG_EPOLL_CREATE1] = { "epoll_create1", EMFILE },
  [MOTE_LOG_OPEN] = { "open", EMFILE },
  [MOTE_LOG_CLOSE] = { "close", EIO },
  [MOTE_LOG_FOPEN] = { "fopen", EMFILE },
  [MOTE_LOG_FDOPEN] = { "fdopen", ENOMEM },
  [MOTE_LOG_FCLOSE] = { "fclose", EIO },
  [MOTE_LOG_BIND] = { "bind", EADDRINUSE },
  [MOTE_LOG_LISTEN] = { "listen", EADDRINUSE },
  [MOTE_LOG_SHUTDOWN] = { "shutdown", ENOBUFS },
  [MOTE_LOG_GETSOCKOPT] = { "getsockopt", ENOBUFS },
  [MOTE_LOG_SETSOCKOPT] = { "setsockopt", ENOBUFS },
  [MOTE_LOG_GETSOCKNAME] = { "getsockname", ENOBUFS },
  [MOTE_LOG_GETPEERNAME] = { "getpeername", ENOBUFS },
  [MOTE_LOG_GETHOSTNAME] = { "gethostname", ENAMETOOLONG },
  [MOTE_LOG_FCNTL] = { "fcntl", EINVAL },
  [MOTE_LOG_IOCTL] = { "ioctl", EINVAL },
  [MOTE_LOG_EPOLL_CTL] = { "epoll_ctl", ENOMEM },
  [MOTE_LOG_LSEEK] = { "lseek", ESPIPE },
  [MOTE_LOG_FSTAT] = { "fstat", EIO },
  [MOTE_LOG_STAT] = { "stat", EACCES },
  [MOTE_LOG_ACCESS] = { "access", EACCES },
  [MOTE_LOG_MKDIR] = { "mkdir", ENOSPC },
  [MOTE_LOG_UNLINK] = { "unlink", EACCES },
  [MOTE_LOG_RENAME] = { "rename", EACCES },
  [MOTE_LOG_FTRUNCATE] = { "ftruncate", EIO },
  [MOTE_LOG_FUTIMENS] = { "futimens", EPERM },
  [MOTE_LOG_FSETXATTR] = { "fsetxattr", ENOTSUP },
  [MOTE_LOG_TCGETATTR] = { "tcgetattr", ENOTTY },
  [MOTE_LOG_TCSETATTR] = { "tcsetattr", EIO },
  [MOTE_LOG_NANOSLEEP] = { "nanosleep", EINTR },
  [MOTE_LOG_GETENTROPY] = { "getentropy", ENOSYS },
  [MOTE_LOG_GETADDRINFO] = { "getaddrinfo", EAI_MEMORY },
  [MOTE_LOG_GETIFADDRS] = { "getifaddrs", ENOMEM },
  [MOTE_LOG_IF_NAMETOINDEX] = { "if_nametoindex", ENODEV },
  [MOTE_LOG_GETPWUID] = { "getpwuid", ENOMEM },
  [MOTE_LOG_PTHREAD_CREATE] = { "pthread_create", EAGAIN },
  [MOTE_LOG_PTHREAD_ATFORK] = { "pthread_atfork", ENOMEM },
  [MOTE_LOG_PTHREAD_ATTR_INIT] = { "pthread_attr_init", ENOMEM },
};

#define NAMED(error) { #error, error }

static const struct {
  const char *name;
  int number;
} errors[] = {
  NAMED(E2BIG), NAMED(EACCES), NAMED(EADDRINUSE), NAMED(EADDRNOTAVAIL), NAMED(EAFNOSUPPORT), NAMED(EAGAIN),
  NAMED(EALREADY), NAMED(EBADF), NAMED(EBUSY), NAMED(ECANCELED), NAMED(ECHILD), NAMED(ECONNABORTED),
  NAMED(ECONNREFUSED), NAMED(ECONNRESET), NAMED(EDESTADDRREQ), NAMED(EDOM), NAMED(EDQUOT), NAMED(EEXIST),
  NAMED(EFAULT), NAMED(EFBIG), NAMED(EHOSTDOWN), NAMED(EHOSTUNREACH), NAMED(EINPROGRESS), NAMED(EINTR),
  NAMED(EINVAL), NAMED(EIO), NAMED(EISCONN), NAMED(EISDIR), NAMED(ELOOP), NAMED(EMFILE), NAMED(EMLINK),
  NAMED(EMSGSIZE), NAMED(ENAMETOOLONG), NAMED(ENETDOWN), NAMED(ENETRESET), NAMED(ENETUNREACH), NAMED(ENFILE),
  NAMED(ENOBUFS), NAMED(ENODATA), NAMED(ENODEV), NAMED(ENOENT), NAMED(ENOEXEC), NAMED(ENOLCK), NAMED(ENOMEM),
  NAMED(ENOPROTOOPT), NAMED(ENOSPC), NAMED(ENOSYS), NAMED(ENOTCONN), NAMED(ENOTDIR), NAMED(ENOTEMPTY),
  NAMED(ENOTSOCK), NAMED(ENOTSUP), NAMED(ENOTTY), NAMED(ENXIO), NAMED(EOVERFLOW), NAMED(EPERM), NAMED(EPIPE),
  NAMED(EPROTO), NAMED(EPROTONOSUPPORT), NAMED(EPROTOTYPE), NAMED(ERANGE), NAMED(EROFS), NAMED(ESPIPE),
  NAMED(ESRCH), NAMED(ETIMEDOUT), NAMED(ETXTBSY), NAMED(EXDEV), { "EWOULDBLOCK", EWOULDBLOCK },
  NAMED(EAI_ADDRFAMILY), NAMED(EAI_AGAIN), NAMED(EAI_BADFLAGS), NAMED(EAI_FAIL), NAMED(EAI_FAMILY),
  NAMED(EAI_MEMORY), NAMED(EAI_NODATA), NAMED(EAI_NONAME), NAMED(EAI_SERVICE), NAMED(EAI_SOCKTYPE),
  NAMED(EAI_SYSTEM),
};

const char *mote_log_error_name(int error)
{
  static _Thread_local char unknown[24];
  size_t i;
  for(i = 0; i < sizeof errors / sizeof *errors; i++)
    if(errors[i].number == error)
      return errors[i].name;
  (void)snprintf(unknown, sizeof unknown, "errno %d", error);
  return unknown;
}

int mote_log_error_number(const char *name, size_t len)
{
  size_t i;
  for(i = 0; i < sizeof errors / sizeof *errors; i++)
    if(strlen(errors[i].name) == len && !memcmp(errors[i].name, name, len))
      return errors[i].number;
  return 0;
}
