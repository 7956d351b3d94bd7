/* log/names.c: the names of errors. */
#define _GNU_SOURCE /* EAI_NODATA */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "log/inner.h"

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
